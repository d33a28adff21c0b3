"""The catalog of notes: every text that a note can have.

It lists for each kind of note a headline, the label under the marked line, the explanation, and what to do.
Text in braces is a placeholder, which `kinds` fills in; a value that is code comes with its backticks.
"""

from minitape.templates import NoteEntry, Template

# --- a gradient that vanishes from layer to layer ---

VANISHING_LAYERS = NoteEntry(
    headline="the gradient of {target} vanishes on its way to the first layers",
    label="each of these multiplies the gradient by {factor}",
    why="The norm of the gradient at the first layer{first} is {ratio} of the norm at the last of {layers} layers{last}: "
    "{factors}. Less than a thousandth is left {where}, so the first layers hardly learn while the last ones do.{iteration}",
    fix="{advice}",
)
NAME = Template(" ({name})")
ITERATION = Template(" These numbers are from iteration {number}.")
# {where} is one of these.
AT_FIRST_LAYER = "at the first layer"
IN_ONE_LAYER = Template("in {first}")
IN_LAYERS = Template("in {first} to {last}")
# {factors} lists these.
FACTOR = Template("× {factor} at {op} (line {line})")
FACTOR_OF_SEVERAL = Template("× {factor} at each of {times} {op} ops (line {line})")
FACTOR_OF_OTHERS = Template("× {factor} at all other ops")
# {advice} is one of these.
RELU_LAYER = (
    'use `activation="relu", kernel_initializer="he_normal"` here; or add a skip connection, as in `h = h + layer(h)`; or '
    "add a normalization before it"
)
RELU_FUNCTION = Template(
    "use `tf.nn.relu` instead of {function}, with weights of `stddev=(2 / n_inputs) ** 0.5`; or add a skip connection, as in "
    "`h = h + layer(h)`; or add a normalization before it"
)
LARGER_WEIGHTS = Template(
    "{start}; or add a skip connection, as in `h = h + layer(h)`; or add a normalization after it"
)
REMOVE_SMALL_FACTOR = Template(
    "remove the factor of {expr}; or add a skip connection, as in `h = h + layer(h)`"
)
# {start} in it.
START_WEIGHTS = Template(
    "initialize the weights with `stddev={he}`{instead} before a ReLU (`(2 / {into}) ** 0.5`, `he_normal`), or with "
    "`stddev={glorot}` before another activation (`glorot_normal`)"
)
INSTEAD_OF = Template(" instead of {std}")

# --- a gradient that explodes from layer to layer ---

EXPLODING_LAYERS = NoteEntry(
    headline="the gradient of {target} explodes on its way to the first layers",
    label="each of these multiplies the gradient by {factor}",
    why="The norm of the gradient at the first layer{first} is {ratio} times the norm at the last of {layers} layers{last}: "
    "{factors}. No learning rate suits both the first and the last layers.{iteration}",
    fix="{advice}",
)
SMALLER_WEIGHTS = Template(
    "{start}; until then clip the gradients: `gradients, _ = tf.clip_by_global_norm(gradients, 1.0)`"
)
REMOVE_LARGE_FACTOR = Template(
    "remove the factor of {expr}; until then clip the gradients: "
    "`gradients, _ = tf.clip_by_global_norm(gradients, 1.0)`"
)

# --- a gradient that vanishes over the steps of a recurrence ---

VANISHING_STEPS = NoteEntry(
    headline="the gradient of {target} vanishes from step to step: the early steps have no influence",
    label="each backward step multiplies the gradient by {factor}",
    why="Only the last {influential} of {count} steps influence the gradient of {target}: the contributions of the other "
    "steps are smaller than the rounding error of float32. The {steps} measured backward steps multiply the norm by an "
    "average of {average} per step: {factors}.{iteration}",
    fix="use a layer with gates (`tf.keras.layers.LSTM` or `GRU`) instead of a plain recurrence; or initialize the recurrent "
    "weights as `tf.eye(units)` or with `tf.keras.initializers.Orthogonal()`, and avoid a sigmoid for the state; or compute a "
    "loss at each step",
)

# --- a gradient that explodes over the steps of a recurrence ---

EXPLODING_STEPS = NoteEntry(
    headline="the gradient of {target} explodes from step to step",
    label="each backward step multiplies the gradient by {factor}",
    why="Over {count} steps the gradient of {target} becomes {ratio} times as large. The {steps} measured "
    "backward steps multiply the norm by an average of {average} per step: {factors}. "
    "So a tiny change of the initial state changes the result completely.{iteration}",
    fix="clip the gradients before the update: `gradients, _ = tf.clip_by_global_norm(gradients, 1.0)`; or truncate the backward "
    "pass with `tf.stop_gradient(state)` every few steps; or use a smaller factor in each step",
)

# --- numbers that almost underflow ---

UNDERFLOW_OF_PRODUCT = NoteEntry(
    headline="{target} is {size}: a product that almost underflows, and so does its gradient",
    label="the result here is {size}",
    why="{expr} on line {line} multiplies {count} numbers smaller than 1, and the result is {size}. Numbers below {limit} "
    "are close to the smallest {dtype} number. The gradient is equally small, so updates have no visible effect. With a "
    "few more factors, both the product and the gradient are 0.",
    fix="{advice}: the logarithm of a product is the sum of the logarithms, and has its maximum at the same point",
)
SUM_OF_LOGS = "use `tf.reduce_sum(tf.math.log(x))` instead of `tf.reduce_prod(x)`"
ADD_LOGS = "start at 0.0 and add `tf.math.log(x)` where the program multiplies by `x`"

UNDERFLOW_OF_GRADIENT = NoteEntry(
    headline="the gradient of {target} almost underflows in {dtype}",
    label="the gradient is at most {size} from here on",
    why="The gradient through {expr} on line {line} is at most {size}. Numbers of {dtype} below {limit} lose digits, and then "
    "become 0.",
    fix="scale the target before you request the gradient, as in `scaled = 1024.0 * {name}`, and divide the gradients by the "
    "same factor in float32; or compute in float32",
)

# --- dead units ---

DEAD_UNITS = NoteEntry(
    headline="{dead} of {units} ReLU units are dead: their output and gradient are 0 for every example",
    label="{dead} of {units} units are 0 for every example",
    why="{dead} of the {units} units of the ReLU on line {line} receive no gradient: their input is below 0 for every "
    "example of the batch, so their weights do not change.",
    fix="initialize the bias to 0 and the weights with `he_normal`, use a smaller learning rate if the units died during "
    'training, or use `tf.nn.leaky_relu` (`activation="leaky_relu"`)',
)

# --- saturated units ---

SATURATED_UNITS = NoteEntry(
    headline="{function} is saturated for almost all inputs{since}",
    label="the derivative here is only {derivative} of its maximum",
    why="The inputs of {function} on line {line} are {inputs}{since}, where the function is almost constant: on average, its "
    "derivative is only {derivative} of the maximum. The layers before it hardly learn.",
    fix="{advice}",
)
SINCE = Template(" after {count} updates")
# {inputs} is one of these.
BETWEEN = Template("between {low} and {high}")
FAR_FROM_ZERO = "far from 0"
# {advice} is one of these.
DIVIDE_SCORES = (
    "divide the scores by the square root of the size over which they were summed: `scores / size**0.5`, where `size` is the "
    "last axis of the queries"
)
SMALLER_RATE = (
    "use a smaller learning rate, such as a hundredth of the current one; or call `tf.clip_by_global_norm(gradients, "
    "1.0)` before the update"
)
SCALE_INPUTS = Template("scale the inputs, which are as large as {largest}: `x = {scaled}`")
START_NEARER_TO_ZERO = "start closer to 0: at -2, `softplus` is 0.13, and its derivative is still an eighth of its maximum"
SMALLER_START = (
    'initialize the weights with smaller values (`stddev=(1 / n_inputs) ** 0.5`, or `kernel_initializer="glorot_uniform"`), or '
    "add a normalization before it"
)

# --- updates that are too small ---

STEPS_TOO_SMALL = NoteEntry(
    headline="the updates are too small to change {target}",
    label="changes the weights by {change}",
    why="The updates on line {line} change the weights by {change}, in each of {count} iterations; about a thousandth is "
    "usual. Small gradients are not the reason: the norm of the gradients is up to {gradient}.",
    fix="use a larger learning rate: {rate}",
)
NO_CHANGE = "0"
AT_MOST = Template("at most {ratio} of their norm")
USUAL_RATE = "`tf.keras.optimizers.Adam(1e-3)`, or 0.01 for plain gradient descent"
BETTER_RATE = Template("{better}, instead of about {rate}")

# --- updates that are too large ---

STEP_TOO_LARGE = NoteEntry(
    headline="the updates are too large: {target} grows",
    label="after this update {target} grows from {before} to {after}",
    why="The update on line {line} changes the norm of the weights from {was} to {now}, and {target} grows from {before} to "
    "{after}.",
    fix="{advice}",
)
STEPS_OVERSHOOT = NoteEntry(
    headline="the updates are too large: {target} grows",
    label="with these updates {target} grows from {before} to {after}",
    why="The updates on line {line} overshoot the minimum, so {target} grows from {before} to {after}.",
    fix="{advice}",
)
SCALE_DATA = Template(
    "scale the inputs, which are as large as {largest}: `x = (x - x.mean(axis=0)) / x.std(axis=0)`, and the targets too; "
    "to limit single large updates, use `tf.clip_by_global_norm(gradients, 1.0)`"
)
SMALLER_STEPS = (
    "use a smaller learning rate, such as a hundredth of the current one; or use `tf.keras.optimizers.Adam(1e-3)`, whose "
    "updates stay small; to limit single large updates, use `tf.clip_by_global_norm(gradients, 1.0)`"
)

# --- a loss that does not change ---

LOSS_IS_RESET = NoteEntry(
    headline="{target} does not change: the weights are reset in each iteration",
    label="reset to the same values in each iteration",
    why="{target} is {loss} in each of {count} iterations, to the last digit. Line {line} assigns the same values to {names} in "
    "each iteration, so each update is lost.",
    fix="move this line before the loop",
)
OTHERS_ARE_UPDATED = NoteEntry(
    headline="{target} does not change: other variables are updated",
    label="updates {others}, not {names}",
    why="{target} is {loss} in each of {count} iterations, to the last digit. The gradients belong to {names}, but line "
    "{line} updates {others}, and {target} is not computed from {others}.",
    fix="{advice}",
)
WRITE = Template("write `{statement}`")
UPDATE_SOURCES = Template("update the sources of the gradient call: {names}")

# --- a variable that nobody trains ---

NEVER_TRAINED = NoteEntry(
    headline="{name} is used by {target}, but is never trained",
    label="a Keras layer does not track a plain `tf.Variable`",
    why="{target} depends on {name} from line {line}. But {sources} does not contain {name}, so no gradient is requested for "
    "it, and its value stays the same.",
    fix="write {better}; if {name} should stay constant, use `trainable=False`",
)

# --- a gradient of 0 that is right ---

HARMLESS_ZERO = NoteEntry(
    headline="the gradient of {target} with respect to {sources} {outcome}, which is harmless here",
    label="{label}",
    why="{why} The other gradients of this call arrived, so the program trains.",
    fix="change nothing",
)
# None of the other gradients of the call arrived either, or the source is the only one.
TRUE_ZERO = NoteEntry(
    headline=HARMLESS_ZERO.headline,
    label=HARMLESS_ZERO.label,
    why="{why}",
    fix="change nothing; to see a gradient that is not 0, start from another value",
)

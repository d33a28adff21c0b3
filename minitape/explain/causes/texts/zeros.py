"""The texts of gradients that are zero: there is a path, but a derivative on it is 0 (MT401).

{expr} is the expression at the finding and {name} a value, both with their backticks. {between} is the range of the values
that were seen there, ` (-3 to -1)`, or empty.
"""

from dataclasses import dataclass

from minitape.explain.causes.texts import Entry, Template

RANGE = Template(" ({low} to {high})")
ONE_VALUE = Template(" ({low})")

# --- dead-relu ---

DEAD_RELU = Entry(
    label="every input is ≤ 0, so the output and the gradient are 0 (a dead ReLU)",
    why="{inputs}{between}, so the output and the gradient are 0.",
    fix="{advice}",
)

# {update} is a sentence about the update of the training loop that caused this.
DEAD_RELU_SINCE_UPDATE = Entry(
    label="an update was too large: the output and the gradient have been 0 since then (a dead ReLU)",
    why="{inputs}{between}, so the output and the gradient are 0. {update}",
    fix="{advice}",
)

# {inputs} is one of these.
ONLY_INPUT_NEGATIVE = Template("The only input of {relu} on line {line} is negative")
ALL_INPUTS_NEGATIVE = Template("{inputs} of {relu} on line {line} are negative")
NO_INPUT_POSITIVE = Template("No input of {relu} on line {line} is greater than 0")
NO_INPUT_WITH_GRADIENT_POSITIVE = Template(
    "Every input of {relu} on line {line} that receives a gradient is 0 or less, although the inputs include greater values"
)

# {advice} is one of these.
KEEP_OR_SOFTPLUS = Template(
    "keep this line if the limit is intended; to get a gradient on both sides of the limit, use `tf.nn.softplus({x})`"
)
REQUEST_WHERE_POSITIVE = Template(
    "request the gradient where `{x}` is greater than 0; or use `tf.nn.leaky_relu({x})`, which has a gradient on both sides"
)
START_WHERE_POSITIVE = Template(
    "start where `{x}` is greater than 0; or use `tf.nn.leaky_relu({x})`, which has a gradient on both sides"
)
REVIVE_LAYER = 'scale the inputs to a mean of 0, initialize the bias to 0 and use small weights, or use `activation="leaky_relu"`'
REVIVE_UNITS = "initialize the bias to 0 and use small weights, or use `tf.nn.leaky_relu`"
# The weights alone make all inputs negative, so neither smaller weights nor another bias of 0 helps.
LEAKY_UNITS = "use `tf.nn.leaky_relu`, which has a gradient for negative inputs too; or create weights of both signs"
LEAKY_INSTEAD = Template(
    "use {leaky} instead of {relu} (line {line}); or create weights of both signs"
)

# --- saturated ---

SATURATED = Entry(
    label="saturated: the input is far from 0, and the derivative is {derivative}",
    why="{expr} on line {line} is saturated for these inputs{between}: its derivative is {derivative}{rounded}.",
    fix="scale the inputs down",
)

SATURATED_SCORES = Entry(
    label=SATURATED.label,
    why=SATURATED.why,
    fix="scale the inputs down; in a loss, compute from the logits with `tf.nn.sigmoid_cross_entropy_with_logits` or "
    "`tf.nn.softmax_cross_entropy_with_logits`",
)

# {derivative} is one of these. If it is 0, {rounded} adds that it is 0 only in floating point.
ZERO, ALMOST_ZERO = "0", "almost 0"
IN_FLOATING_POINT = " in floating point"

SATURATED_SINCE_UPDATE = Entry(
    label="saturated since an update that was too large: the derivative is {derivative}",
    why="{expr} on line {line} is saturated for these inputs{between}: its derivative is {derivative}{rounded}. {update}",
    fix="{advice}",
)

# --- clipped ---

CLIPPED = Entry(
    label="outside the limits, where the derivative is 0",
    why="{expr} on line {line} clips all values here{between}, and the derivative of a clipped value is 0.",
    fix="{advice}",
)
WIDEN = "use wider limits, or scale the values so that they lie inside the limits"
WIDER_LIMITS = Template(
    "use wider limits, such as {better} instead of {written}, or scale the values so that they lie inside the limits"
)

CLIPPED_BY_OTHER = Entry(
    label="the other argument is selected everywhere: the derivative is 0",
    why="{expr} on line {line} selects its other argument everywhere, so this argument{between} gets no gradient.",
    fix="{advice}",
)
OTHER_SIDE = "use a wider limit, or start from values on the other side of the limit"

# --- sums-to-constant ---

SIGMOID_INSTEAD = Template("use {better} instead of {written}, or two units with softmax")
SOFTMAX_OF_ONE_UNIT = Entry(
    label="a softmax over one unit is always 1",
    why="The softmax on line {line} runs over an axis of size 1, so its output is exactly 1 for all weights.",
    fix="{advice}",
)
ONE_UNIT = 'use `activation="sigmoid"` for a single output, or two units with softmax'
OTHER_AXIS = Template(
    "use {better} instead of {written}: axis {other}, which has {size} elements, instead of axis {axis}, which has 1"
)
LAST_AXIS = Template("use {better} instead of {written}: the units are on the last axis")

CONTRIBUTIONS_CANCEL = Entry(
    label="the contributions to {source} add up to 0 here",
    why="The elements of {expr} (line {line}) receive gradients, but {source} is the same for many of them, and their "
    "contributions add up to 0. A later op removes {source} again, as subtracting a mean does.",
    fix="remove {source}, because {target} is the same without it (for a layer before a batch normalization: "
    "`use_bias=False`); or use {source} after the op that removes it",
)

MEAN_OF_ONE_ROW = Entry(
    label="the mean of a single row is the row itself, so the difference is 0",
    why="{expr} on line {line} subtracts a mean, and it is the mean of a single value. The result is 0 for all values of "
    "{source}. A batch normalization has the same effect if the batch has only one row.",
    fix="use a batch of several rows, or another axis; to normalize each row separately, use "
    "`tf.keras.layers.LayerNormalization()`",
)

USES_CANCEL = Entry(
    label="several contributions to {source} add up to 0 here",
    why="{target} uses {source} in several places, and one of them is {expr} on line {line}. Each place contributes to the "
    "gradient, but the contributions add up to 0: a small change of {source} does not change {target}.",
    fix="add a term that does not cancel, if {target} is the same for every value of {source}; change nothing if {source} is "
    "at a minimum, or at a point where two terms balance",
)

OUTPUTS_SUM_TO_CONSTANT = Entry(
    label="the sum of these values is constant",
    why="The gradient of {target} is the gradient of its sum, and the elements of {expr} on line {line} have the same sum "
    "for all values of {source}.",
    fix="use a single output as the target, or request the gradient of each output: {jacobian}",
)

NOTHING_LOST = "nothing is lost: the target is the same for all values of the source"

# --- straight-through-unstopped ---

UNSTOPPED_DIFFERENCE = Entry(
    label="the two uses of {x} cancel in the backward pass",
    why="{expr} on line {line} is a straight-through estimator without `tf.stop_gradient`. It adds {x} and subtracts it "
    "again, so the two contributions to the gradient cancel. No gradient passes through {jump} on line "
    "{jump_line}.{incomplete}",
    fix="{advice}",
)
STOPPED_DIFFERENCE = Template("use {better} instead of {written} (line {line})")
STOP_THE_DIFFERENCE = "pass the difference through `tf.stop_gradient` before you add it"

# --- zero-init ---

ZERO_INIT = Entry(
    label="all elements of {name} are 0",
    why="The gradient of {source} is multiplied by {name}, and all elements of {name} are 0.",
    fix="initialize {name} with small random values: {start}{or_trained}",
)

STATEMENT_OF_LINE = Template("{statement} (line {line})")
OR_TRAINED = Template("; or train {name} too: request its gradient on line {line}")

ZERO_INIT_OF_BOTH = Entry(
    label="all elements of {name} and {other} are 0",
    why="The program multiplies {name} and {other}, so the gradient of each is multiplied by the other. All their elements are "
    "0, so the gradient of {source} is 0.",
    fix="initialize one of the two with small random values: {start}; {other} can stay 0, and is then updated first",
)

# --- masked-out ---

MASKED_OUT = Entry(
    label="multiplied by {name}, which is 0 everywhere",
    why="{expr} on line {line} multiplies by {name}, which is 0 everywhere.",
    fix="{advice}",
)
CHANGE_FACTOR = Template(
    "change line {line}, {statement}, so that some elements of {name} are not 0"
)
OPPOSITE_CONDITION = Template(
    "write {statement} (line {line}) if the condition is the wrong way round; it holds for no element now"
)
UNDERFLOWS = Entry(
    label="multiplied by {name}, which underflows to 0 in {dtype}",
    why="{expr} on line {line} multiplies by {name}. Its value, {value}, is closer to 0 than the smallest number of {dtype}, "
    "{smallest}, so it became 0: an underflow.",
    fix="{advice}",
)
WITHOUT_FACTOR = Template(
    "use {better} instead of {written} (line {line}), and multiply the gradients by {factor} where they have dtype {wide}"
)
WIDER_PRODUCT = Template("compute this product in {wide}")
OTHER_FACTOR = Template("multiply by values of {name} that are not all 0")

MASKED_OUT_INSIDE = Entry(
    label="multiplied by 0 everywhere",
    why="In the backward pass through {expr} on line {line}, every gradient is multiplied by 0.",
    fix="use values for which the other factors in {expr} are not all 0",
)

NOTHING_SELECTED = Entry(
    label="no element is selected here",
    why="{expr} on line {line} selects no elements, so no gradient flows through it.",
    fix="change {selection} so that it selects at least one element",
)

ALL_MASKED = Entry(
    label="the mask is False everywhere, because all ids are 0",
    why="{expr} on line {line} masks every id that is 0, and all ids in {ids} are 0. So {layer} on line {layer_line} skips every "
    "step, and its output does not depend on its weights.",
    fix="compute {ids} so that only the padding is 0; check for words that the lookup does not find, because it returns 0 "
    "for them (for example, if upper and lower case differ)",
)

# --- where-unselected ---

WHERE_UNSELECTED = Entry(
    label="`tf.where` selects the other branch everywhere",
    why="{expr} on line {line} selects the other branch for every element, so this branch gets no gradient.",
    fix="{advice}",
)
LIMIT_IN_RANGE = Template(
    "use a threshold that lies between the values, such as {better} instead of {condition} (line {line}): the condition "
    "compares {left} with {right}"
)
CHANGE_CONDITION = Template(
    "change {condition} (line {line}) so that it selects this branch for some elements: the condition compares {left} with "
    "{right}"
)
CHANGE_SELECTION = Template("change {condition} so that it selects this branch for some elements")

# --- flat-call ---

FLAT_CALL = Entry(
    label="constant near these inputs: the derivative is 0",
    why="{expr} on line {line} is constant near these inputs, so its derivative is 0 for every element. A loss with a margin is "
    "constant where the margin is met, and a function that limits its inputs is constant beyond the limits.",
    fix="change nothing if the loss is 0; otherwise, scale the inputs so that they stay inside the limits",
)

SCORES_AS_PROBABILITIES = Entry(
    label="expects probabilities, but receives values outside the range 0 to 1: the derivative is 0",
    why="{expr} on line {line} clips its inputs to the range 0 to 1, and then computes logarithms. {scores}{between} is "
    "outside this range, where the clipped value is constant, so the derivative is 0.",
    fix="create the loss with `from_logits=True` if {scores} holds scores (logits); otherwise compute probabilities first, with "
    "`tf.sigmoid` or `tf.nn.softmax`",
)
THE_PREDICTIONS = "the prediction"

# --- gradient-underflow ---

GRADIENT_UNDERFLOW = Entry(
    label="too small for {dtype}: the gradient becomes 0 here",
    why="The gradient that arrives at {expr} on line {line} is at most {arrived}, and it is multiplied by at most {factor}. The "
    "product is too small for {dtype}, so it becomes 0.",
    fix="{advice}",
)
WIDER_DTYPE = Template(
    "compute in float32; or multiply {target} by a large number, such as 2**15, and divide the gradients by it, as "
    "`tf.keras.mixed_precision.LossScaleOptimizer` does"
)
SCALE_UP = Template(
    "scale the values up; or multiply {target} by a large number, and divide the gradients by it"
)

# --- step-function ---

STEP_FUNCTION = Entry(
    label="constant on both sides of a jump: the derivative is 0",
    why="{expr} on line {line} is piecewise constant, so its derivative is 0 everywhere except at the jump.",
    fix="use a smooth step, such as {smooth}, with `width = 0.1` to start with",
)

# --- piecewise-linear ---

CUSTOM_GRADIENT_ZERO = Entry(
    label="the custom gradient returns only zeros",
    why="The gradient function of {call} (line {line}) returned only zeros, although the gradient that it received is not 0. The "
    "tape uses the result as it is.{factor}",
    fix="{advice}",
)
OWN_FACTOR_IS_ZERO = Template(
    " Line {line} computes {factor}, by which the function multiplies. It is 0 wherever the received gradient is not 0."
)
OPPOSITE_IN_RULE = Template(
    "write {statement} (line {line}), if the other elements are meant; otherwise check when {condition} is true"
)
CHECK_OWN_RULE = "check what the gradient function returns: it should be the received gradient times the derivative of this step"

PIECEWISE_LINEAR = Entry(
    label="piecewise linear: its second derivative is 0 everywhere",
    why="The derivative of {function} (line {line}) is {derivatives}, so it does not depend on the input. Line {requested} "
    "requests the second derivative, which is 0 everywhere. Every gradient that is computed from it is 0 too.",
    fix="{advice}",
)
SMOOTH_FUNCTION = Template("use a smooth function on line {place}: {smooth}")
SMOOTH_INSTEAD = Template(
    "use a smooth function, {better} instead of {written} (line {line}){others}"
)
OTHER_SMOOTH = "; `tf.tanh` and `tf.nn.swish` are smooth too"


@dataclass(frozen=True)
class Function:
    """A piecewise linear function: its name, the values of its derivative, and smooth functions to use instead."""

    name: str
    derivatives: str
    smooth: Template  # {x} is the argument


ABSOLUTE_VALUE = Function("the absolute value", "-1 or 1", Template("`tf.sqrt({x} ** 2 + 1e-4)`"))
LEAKY_RELU = Function(
    "leaky ReLU", "one of two constants", Template("`tf.tanh`, `tf.nn.softplus` or `tf.nn.swish`")
)
RELU = Function("ReLU", "0 or 1", Template("`tf.tanh`, `tf.nn.softplus` or `tf.nn.swish`"))
RELU6 = Function("ReLU6", "0 or 1", Template("`tf.tanh`, `tf.sigmoid` or `tf.nn.swish`"))
ANOTHER_FUNCTION = Function(
    "this function",
    "piecewise constant",
    Template("`tf.tanh`, `tf.nn.softplus` or `tf.nn.swish`"),
)

# --- stationary-point ---

AT_EXTREMUM = Entry(
    label="a minimum or maximum: the derivative is 0 here",
    why="{expr} on line {line} is at a minimum or maximum, where its derivative is 0. No gradient is lost.",
    fix="start from another value to see a gradient that is not 0",
)

SQUARE_OF_ZERO = Entry(
    label="the squared value is 0: the derivative is 0 here",
    why="{expr} on line {line} squares a value that is 0, where the derivative is 0. No gradient is lost.",
    fix=AT_EXTREMUM.fix,
)

NEVER_LEAVES_EXTREMUM = Entry(
    label=AT_EXTREMUM.label,
    why="{expr} on line {line} is at a minimum or maximum, where its derivative is 0. {source} changes only by its gradient, so "
    "it stays at this point in every iteration.",
    fix="start {source} at a slightly different value: add {noise}",
)

NEVER_LEAVES_SQUARE_OF_ZERO = Entry(
    label=SQUARE_OF_ZERO.label,
    why="{expr} on line {line} squares a value that is 0, where the derivative is 0. {source} changes only by its gradient, so "
    "it stays at this point in every iteration.",
    fix=NEVER_LEAVES_EXTREMUM.fix,
)

NO_GRADIENT_LOST = "nothing is lost: the derivative is 0 here"

"""The texts of gradients that are NaN or infinite (MT402, MT403, MT404)."""

from minitape.explain.causes.texts import Entry, Template

# The element of a tensor for which something is not finite, as a sentence after the explanation.
ELEMENT = Template(" Element {index} of {name} is {number}{others}.")
ITS_INPUT = "its input"
ITS_RESULT = "its result"
THE_DATA = "the data"
THE_DENOMINATOR = "the denominator"
ONE_OTHER = Template(", and so is 1 other")
OTHERS = Template(", and so are {count} others")

# --- where-nan ---

WHERE_NAN = Entry(
    label="both branches are evaluated, and the unselected one is NaN or infinite",
    why="`tf.where` on line {line} evaluates both branches. {expr}, or its derivative, is not finite in the unselected elements, "
    "and in the backward pass 0 × NaN gives NaN.",
    fix="{advice}",
)
SAFE_FIRST = Template("make the input safe first: {safe}, and compute with `safe`")
SAFE_INSIDE = Template(
    "use {better} instead of {written} (line {line}): the input is then safe in the unselected elements"
)
SAFE = Template("safe = tf.where({condition}, {branches})")

# The branch is computed from a root, whose derivative is infinite at 0 too. This is a second cause on the same path.
WHERE_NAN_OVER_ROOT = Entry(
    label="both branches are evaluated, and the unselected one is NaN or infinite",
    why="`tf.where` on line {line} evaluates both branches. {expr}, or its derivative, is not finite in the unselected elements, "
    "and in the backward pass 0 × NaN gives NaN. {expr} is computed from {root} (line {lines}), whose derivative is infinite "
    "at 0.",
    fix="{advice}",
)
GUARD_BOTH = Template(
    "guard both arguments: "
    "`tf.where(square > 0.0, tf.sqrt(tf.where(square > 0.0, square, 1.0)), 0.0)` on line {lines}, with `square = {square}`, "
    "and {safe} in place of `{culprit}` on line {line}"
)
ROOT_FIXES_BOTH = Template(
    "write `{root}` on line {lines}, which fixes both, because the divisor is then not 0; a safe divisor alone leaves the "
    "infinite derivative of the root"
)
FIX_BOTH = Template("fix both: write `{root}` on line {lines}, and use a safe input for {expr}")

# --- sqrt-at-zero, pow-at-zero ---

INFINITE_AT_ZERO = Entry(
    label="the derivative is infinite at 0",
    why="The derivative of {expr} on line {line} is infinite at 0, and an input is 0. {consequence}",
    fix="{advice}",
)
# The op is inside a library function.
MEAN_OF_RAGGED = Template("use {better} instead of {written} (line {line}): row {row} is empty")
LIMIT_INPUTS = Template(
    "limit the inputs of {expr} before the call, to values for which it is finite"
)
# A gradient call computed the derivative of the op, and another gradient differentiates it again.
SECOND_AT_ZERO = Entry(
    label="the second derivative is not finite at 0",
    why="Line {requested} requests the derivative of {expr} on line {line}, and the gradient of {target} differentiates it "
    "again. An input is 0, where the second derivative is infinite or NaN (0 × infinity).",
    fix="{advice}",
)
SMALL_NUMBER_INSIDE = Template("add a small number inside: {above_zero}")
GUARDED = Template("use {guarded}{before}, whose derivative is 0 at 0")
WITH_STATEMENT = Template(", with {statement} before it")
ZERO_TIMES_INFINITY = "In the backward pass 0 × infinity gives NaN."
GRADIENT_IS_INFINITE = "So the gradient is infinite."
POWER_ABOVE_ZERO = "(x + 1e-12) ** power"
POWER_GUARDED = "tf.where(x > 0.0, tf.where(x > 0.0, x, 1.0) ** power, 0.0)"
ROOT_GUARDED = "tf.where(x > 0.0, tf.sqrt(tf.where(x > 0.0, x, 1.0)), 0.0)"
ROOT_ABOVE_ZERO = "tf.sqrt(x + 1e-12)"

# --- log-of-zero ---

LOG_OF_ZERO = Entry(
    label="the logarithm of 0 is minus infinity",
    why="{expr} on line {line} computes the logarithm of 0.",
    fix="{advice}",
)
LOG_IN_ONE_STEP = Template(
    "use `{log}` in place of `{written}`: it uses the same scores as line {line}, and stays finite"
)
USE_XLOGY = Template("use `{better}`, which is 0 at 0")
LOG_OF_DENSITY = Template(
    "use `{log}`; for a density, it is better to compute the logarithm without `tf.exp`: add the logarithms of the "
    "factors, and use `tf.reduce_logsumexp` for a sum"
)
LOG_ABOVE_ZERO = Template(
    "use `{log}`; for probabilities, it is better to compute the loss from the logits: "
    "`tf.nn.softmax_cross_entropy_with_logits` or `tf.nn.sigmoid_cross_entropy_with_logits`"
)

# --- division-by-zero ---

DIVISION_BY_ZERO = Entry(
    label="the denominator is 0",
    why="{expr} on line {line} divides by 0.",
    fix="{advice}",
)
DIVIDE_NO_NAN = Template(
    "use `tf.math.divide_no_nan({a}, {b})`, whose result is 0 where the denominator is 0; or keep the denominator away from 0"
)
NORMALIZE = Template("use `tf.math.l2_normalize({a}{axis})`, which stays finite at 0")
KEEP_ABOVE_ZERO = Template("keep `{b}` above 0: `{a} / max({b}, 1e-3)`")

# --- edge-of-domain ---

EDGE_OF_DOMAIN = Entry(
    label="the derivative is infinite at {met}",
    why="An input of {expr} on line {line} is {met}. Inputs must be {domain}, and at the end of this range, the derivative "
    "is infinite.",
    fix="{advice}",
)
KEEP_INSIDE = Template("keep the input slightly inside this range: `{inside}`")
ANGLE_OF_ORIGIN = Entry(
    label="the angle of (0, 0) is undefined, and not differentiable",
    why="{expr} on line {line} computes the angle of (0, 0), where it is not differentiable: 0 / 0 is NaN.",
    fix="select a safe input before you compute the angle: `tf.atan2({y}, tf.where(({x} == 0.0) & ({y} == 0.0), 1.0, {x}))`",
)
# The domains, as {domain}.
FROM_MINUS_ONE_TO_ONE = "in the range -1 to 1"
ONE_OR_MORE = "1 or more"
ABOVE_ZERO = "greater than 0"
ABOVE_MINUS_ONE = "greater than -1"
FROM_ZERO_TO_ONE = "in the range 0 to 1"
ZERO_OR_MORE = "0 or more"
ZERO_OR_MORE_FOR_POWERS = "0 or more, if the power is not an integer"

# --- outside-domain ---

AT_A_POLE = Entry(
    label="{met} is a pole of this function",
    why="An input of {expr} on line {line} is {met}. The function has poles at 0 and all negative integers. Neither its "
    "value nor its derivative is finite there.",
    fix="{advice}",
)
OUTSIDE_DOMAIN = Entry(
    label="{met} is outside the domain: the result is NaN",
    why="An input of {expr} on line {line} is {met}. Inputs must be {domain}; otherwise, the result is NaN.",
    fix="{advice}",
)
USE_INSIDE = Template("use `{inside}`{or_positive}")
OR_POSITIVE = Template(
    "; or, if `{x}` is trained, use `tf.nn.softplus({x})` in its place: it is positive, and has a gradient everywhere"
)

# --- zero-times-inf ---

ZERO_TIMES_INF = Entry(
    label="NaN or infinity first appears here",
    why="NaN or infinity first appears at {expr} on line {line}. All its inputs are finite.",
    fix="check the inputs of this op, and change them so that the result stays finite",
)

SECOND_NOT_FINITE = Entry(
    label="its second derivative is not finite here",
    why="Line {requested} requests the derivative of {expr} on line {line}, and the gradient of {target} differentiates it "
    "again. This second derivative is not finite.",
    fix="use values at which the second derivative of {expr} exists",
)

# --- overflow ---

OVERFLOW = Entry(
    label="too large for {dtype}",
    why="{expr} on line {line} is too large for {dtype}{limit}, so it became infinite.",
    fix="{advice}",
)
LARGEST = Template(", whose largest number is {largest}")
EXP_OVERFLOWS = Template(" (the exponential of {least} is already larger)")
SCALE_DOWN_HALF = "scale the values down, or use `tf.float32` here"
EXP_IN_FLOAT32 = Template(
    "use {better} instead of {written} (line {line}): it is computed in `tf.float32`"
)
SCALE_DOWN = "scale the values down, or use `tf.float64`"
WITHOUT_OVERFLOW = Template("use {better} instead of {written}: it stays finite")
LIMIT_EXP = Template("limit the input, `tf.exp(tf.minimum({x}, 80.0))`, or scale it down")
SHIFT_SOFTMAX = Template(
    "subtract the maximum first, which does not change the softmax: use {better} instead of {written} (line {line})"
)

# --- underflow ---

UNDERFLOW = Entry(
    label="too small for {dtype}: the product becomes 0",
    why="No factor of {expr} on line {line} is 0, but the product is too small for {dtype}, so it became 0. At 0, {later} on "
    "line {later_line} or its derivative is not finite.",
    fix="{advice}",
)
SUM_OF_LOGS = Template(
    "add up the logarithms instead of multiplying: {sum} is the same as {log}, and stays finite"
)
ADD_LOGS = "compute with logarithms, and add them instead of multiplying the values; or scale the values up"

# --- nan-input ---

NAN_INPUT = Entry(
    label="{name} contains NaN from the start",
    why="{name_with_line} contains NaN, and so does everything computed from it.",
    fix="clean {name} first: {cleaned}",
)
# The data have no name in the program, as where a library function converts its arguments.
NAN_IN_DATA = Entry(
    label="the data used here contain NaN from the start",
    why="The data that line {line} uses contain NaN, and so does everything computed from them.",
    fix="clean the data first: remove these rows, or replace NaN with `np.nan_to_num`",
)
STATEMENT_AFTER = Template("{statement} after line {line}")
WHOLE_ROW_MASKED = Entry(
    label="the mask replaces every element of a row by minus infinity",
    why="{softmax} (line {softmax_line}) gets a row in which every element is minus infinity, because the mask with "
    "{name_with_line} covers the whole row. The softmax of such a row is 0 / 0, which is NaN.",
    fix="use a large finite number instead, such as {large}; or leave at least one element of each row unmasked",
)
INFINITE_INPUT = Entry(
    label="{name} contains infinity from the start",
    why="{name_with_line} contains infinity, and 0 × infinity is NaN.",
    fix="use a large finite number instead, such as {large}",
)
# NumPy or Python computed the value, so no event shows which op made the NaN.
NAN_FROM_LINE = Entry(
    label="{name} contains {what} from here on",
    why="{name} gets its value on line {place} and contains {what} on line {line}, where it is used. Everything computed from "
    "it contains {what} too.",
    fix="check what line {place} computes (for example, 0 / 0, the logarithm of 0, or an empty cell); or clean the values: "
    "`{clean}`",
)
NAN_IN_UNFILTERED = Entry(
    label="this checks other data for {what}, but {name} contains {what} too",
    why="{name} contains {what} on line {line}, where it is used. Line {place} selects the rows without {what}, but does not "
    "check {name}.",
    fix="write `{better}`",
)
NAN, INFINITY = "NaN", "infinity"
MINUS_INFINITY = "minus infinity"

# --- diverged ---

DIVERGED = Entry(
    label="the training diverged",
    why="The values have grown from step to step, and on line {line} they are no longer finite.",
    fix="use a smaller learning rate, such as a tenth of the current one; or clip the gradients: `{clipped}`",
)

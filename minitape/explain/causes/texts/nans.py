"""The texts of gradients that are NaN or infinite (MT402, MT403, MT404)."""

from minitape.explain.causes.texts import Entry, Template

# --- where-nan ---

WHERE_NAN = Entry(
    label="both branches are evaluated, and the unselected one is NaN or infinite",
    why="`tf.where` on line {line} evaluates both branches. {expr}, or its derivative, is not finite in the unselected elements, "
    "and in the backward pass 0 × NaN gives NaN.",
    fix="make the input safe first: {safe}, and compute with `safe`",
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
    fix="add a small number inside: {above_zero}",
)
ZERO_TIMES_INFINITY = "In the backward pass 0 × infinity gives NaN."
GRADIENT_IS_INFINITE = "So the gradient is infinite."
POWER_ABOVE_ZERO = "(x + 1e-12) ** power"
ROOT_ABOVE_ZERO = "tf.sqrt(x + 1e-12)"

# --- log-of-zero ---

LOG_OF_ZERO = Entry(
    label="the logarithm of 0 is minus infinity",
    why="{expr} on line {line} computes the logarithm of 0.",
    fix="{advice}",
)
LOG_IN_ONE_STEP = Template(
    "use `{log}` in place of `{written}`: it takes the scores, as line {line} does, and stays finite"
)
USE_XLOGY = Template("use `{better}`, which is 0 at 0")
LOG_ABOVE_ZERO = Template(
    "use `{log}`; for probabilities it is better to compute the loss from the logits: "
    "`tf.nn.softmax_cross_entropy_with_logits` or `tf.nn.sigmoid_cross_entropy_with_logits`"
)

# --- division-by-zero ---

DIVISION_BY_ZERO = Entry(
    label="the denominator is 0",
    why="{expr} on line {line} divides by 0.",
    fix="{advice}",
)
DIVIDE_NO_NAN = Template(
    "use `tf.math.divide_no_nan({a}, {b})`, whose result is 0 there; or keep the denominator away from 0"
)
NORMALIZE = Template("use `tf.math.l2_normalize({a})`, which stays finite at 0")
KEEP_ABOVE_ZERO = Template("keep `{b}` above 0: `{a} / max({b}, 1e-3)`")

# --- edge-of-domain ---

EDGE_OF_DOMAIN = Entry(
    label="the derivative is infinite at {met}",
    why="The input of {expr} on line {line} is {met}. Its domain is {domain}, and at this end of the domain its derivative is "
    "infinite.",
    fix="keep the input slightly inside the domain: `{inside}`",
)
ANGLE_OF_ORIGIN = Entry(
    label="the angle of (0, 0) is undefined, and not differentiable",
    why="{expr} on line {line} computes the angle of (0, 0), where it is not differentiable: 0 / 0 is NaN.",
    fix="select before you compute: `tf.atan2({y}, tf.where(({x} == 0.0) & ({y} == 0.0), 1.0, {x}))`",
)
# The domains, as {domain}.
FROM_MINUS_ONE_TO_ONE = "-1 to 1"
ONE_OR_MORE = "1 or more"
ABOVE_ZERO = "greater than 0"
ABOVE_MINUS_ONE = "greater than -1"
FROM_ZERO_TO_ONE = "0 to 1"
ZERO_OR_MORE = "0 or more"
ZERO_OR_MORE_FOR_POWERS = "0 or more, if the power is not an integer"

# --- outside-domain ---

OUTSIDE_DOMAIN = Entry(
    label="{met} is outside the domain: the result is NaN",
    why="The input of {expr} on line {line} is {met}. Its domain is {domain}, so the result is NaN.",
    fix="use `{inside}`{or_positive}",
)
OR_POSITIVE = Template(
    "; or, if `{x}` is trained, use `tf.nn.softplus({x})` in its place: it is positive, and has a gradient everywhere"
)

# --- zero-times-inf ---

ZERO_TIMES_INF = Entry(
    label="NaN or infinity first appears here",
    why="NaN or infinity first appears at {expr} on line {line}. All its inputs are finite.",
    fix="check the values there, and keep them finite",
)

# --- overflow ---

OVERFLOW = Entry(
    label="too large for its dtype",
    why="{expr} on line {line} is too large for its dtype, so it became infinite.",
    fix="{advice}",
)
SCALE_DOWN = "scale the values down, or use `tf.float64`"
LIMIT_EXP = Template(
    "limit the input, `tf.exp(tf.minimum({x}, 80.0))`, or scale it down; in a softmax subtract the maximum first: "
    "`tf.exp({x} - tf.reduce_max({x}))`"
)

# --- nan-input ---

NAN_INPUT = Entry(
    label="{name} contains NaN from the start",
    why="{name_with_line} contains NaN, and so does everything computed from it.",
    fix="clean {name} first: `tf.where(tf.math.is_nan({value}), 0.0, {value})`",
)
INFINITE_INPUT = Entry(
    label="{name} contains infinity from the start",
    why="{name_with_line} contains infinity, and 0 × infinity is NaN.",
    fix="use a large finite number instead, such as `1e9`",
)
# NumPy or Python computed the value, so no event shows which op made the NaN.
NAN_FROM_LINE = Entry(
    label="{name} contains {what} from here on",
    why="{name} gets its value on line {place} and contains {what} on line {line}, where it is used. Everything computed from "
    "it contains {what} too.",
    fix="check what line {place} computes (0 / 0, the logarithm of 0, an empty cell); or clean it: `{clean}`",
)
NAN_IN_UNFILTERED = Entry(
    label="this looks for {what} in other data, but {name} contains it too",
    why="{name} contains {what} on line {line}, where it is used. Line {place} selects the rows without {what}, but does not "
    "check {name}.",
    fix="write `{better}`",
)
NAN, INFINITY = "NaN", "infinity"

# --- diverged ---

DIVERGED = Entry(
    label="the training diverged",
    why="The values have grown from step to step, and on line {line} they are no longer finite.",
    fix="use a smaller learning rate, a tenth of this one; or clip the gradients: `{clipped}`",
)

"""The texts of a source that has no path to the target (MT303, MT304, MT305)."""

from minitape.explain.causes.texts import Entry, Template

# --- unconnected ---

UNCONNECTED = Entry(
    label="{target} does not depend on {source}",
    why="{target} does not depend on {source}.{use}{computed_from}",
    fix="use {source} {where_computed}; if {source} is meant to be excluded, request zeros: {zeros}",
)
# {where_computed} is one of these.
ON_LINE_OF_TARGET = Template("on line {line}, which computes {target} ({statement})")
WHERE_COMPUTED = Template("where {target} is computed")
REQUEST_ZEROS = 'unconnected_gradients="zero"'
NEVER_USED = Template(" {source} was never used.")
ONLY_VALUE_USED = Template(" Only the value of {source} is used, on line {line}.")
COMPUTED_FROM = Template(" {target} is computed from {names}.")

SHAPE_ONLY = Entry(
    label="only the shape of {source} is used here, not its values",
    why="{expr} on line {line} uses only the shape, so {target} does not depend on the values of {source}.",
    fix="if you need the values of {source}, use {source} instead of {expr}",
)

NOT_IN_FUNCTION = Entry(
    label="{attribute} is not used here, nor on any other line of this function",
    why="The function around line {place} never uses {attribute} (line {line}), so {target} does not depend on it."
    "{computed_from}",
    fix="use {attribute} on line {place}; if {attribute} is meant to be excluded, request zeros: {zeros}",
)

NOT_CALLED = Entry(
    label="{model} was not called here or anywhere else while the tape was recording",
    why="The call requests gradients for the weights of {model}, but {model} was not called while the tape was recording. So "
    "{target} does not depend on {source}.{computed_from}",
    fix="call {model} {where_computed}, and use the result",
)

FROM_NUMBER = Entry(
    label="{number} is a Python number, which depends on no variable",
    why="Line {line} makes {target} from {number}. Keras has already converted this loss to a Python number, which has no "
    "history. So {target} does not depend on {source}.",
    fix="{advice}",
)
COMPUTE_LOSS = Template(
    "write {statement} (line {line}), which computes the compiled loss inside the tape"
)
CALL_THE_MODEL = Template("compute the loss inside the tape, from a call of {model}")

OVERRIDDEN = Entry(
    label="{method} does not use {attribute}",
    why="{method} overrides {base} (line {base_line}), which uses {attribute}. The override does not use {attribute}, so "
    "{target} does not depend on {source}.{computed_from}",
    fix="use {attribute} on line {place}, or continue from the result of {parent}",
)

ARRAY_USED = Entry(
    label="{array} is used here, not {source}",
    why="{written} on line {line} uses the array {array}. {source} was created from {array}, but is another object, so "
    "{target} does not depend on {source}.",
    fix="use {uses}",
)
ARRAY_INSTEAD = Template("{better} instead of {written} (line {line})")
DEAD_END = Entry(
    label="the value computed from {source} is not used here",
    why="{name} (line {line}) is computed from {source}, but {target} does not use it.{where}{computed_from}",
    fix="use {name} {where_computed}{or_request}",
)
IGNORED_PARAMETER = Entry(
    label="{argument} is passed here, but {function} does not use it",
    why="Line {line} passes {argument}, which is computed from {source}, to {function}. But {function} (line {function_line}) "
    "does not use its parameter {parameter}, so {target} does not depend on {source}.",
    fix="use {parameter} in {function} (line {function_line})",
)
# The value is the result of a statement that gives it no name.
DEAD_END_OF_STATEMENT = Entry(
    label="the value computed from {source} is not used here",
    why="{name} (line {line}) is computed from {source}, but {target} does not use this value. It is not assigned to a name, "
    "so later lines cannot use it.{computed_from}",
    fix="write {statement} (line {line})",
)
OR_REQUEST = Template("; or request the gradient of this value: {call}")
UNNAMED = " It is not assigned to a name, so later lines cannot use it."
LOOK_AT_LINE = Template(" Check line {place}.")

# The value has the same name as the target, so its line identifies it.
DEAD_END_OF_SAME_NAME = Entry(
    label="the value computed from {source} is not used here",
    why="The {name} on line {line} is computed from {source}, but the {target} of the gradient call is not computed from it."
    "{where}{computed_from}",
    fix="use the {name} from line {line} where the later {target} is computed, or request the gradient of another target",
)

# --- swapped, a case of unconnected ---

SWAPPED = Entry(
    label="target and source are swapped: {source} was computed from {target}",
    why="{source} was computed from {target}, not the other way around. The first argument of `gradient` is the target, and "
    "the second argument contains the sources.",
    fix="write `{call}`",
)

# --- overwritten-value, unused-layer ---

OVERWRITTEN = Entry(
    label="{name} is overwritten here; the value from line {lost} is discarded",
    why="Line {lost} computes {name} from {source}, but line {line} assigns a value to {name} that is not computed from "
    "{source}.",
    fix="use {name} on line {line}, or give the two values different names",
)
OVERWRITTEN_IN_LOOP = Entry(
    label="each iteration overwrites {name}",
    why="Line {lost} computes {name} from {source} in one iteration. A later iteration assigns a value to {name} that is not "
    "computed from {source}.",
    fix="{advice}",
)
ONLY_LAST_ITERATION = Entry(
    label="each iteration overwrites {name}, so only the last one contributes",
    why="Line {line} assigns a new value to {name} in each iteration, and {target} is computed from the last one. The gradient "
    "is incomplete: the contributions of the other iterations are missing.",
    fix="{advice}",
)
ADD_UP = Template("add up the iterations: {statement}")
ACCUMULATE = Template(
    "use {name} from the previous iteration on line {line}, or add up the iterations: initialize {name} to 0.0 before "
    "the loop, and add to {name} in each iteration"
)
ACCUMULATE_STATEMENT = Template(
    "use {name} from the previous iteration on line {line}, or add up the iterations: {statement}, with {start} before "
    "the loop"
)

# --- control-flow ---

BRANCH_DID_NOT_RUN = Entry(
    label="the branch that uses {source} did not run",
    why="Line {used} uses {source}, but the condition on line {condition} never selected the branch with line {used}. "
    "So {target} does not depend on {source}.",
    fix="change the condition{written} on line {condition}, or the values in it, so that line {used} runs; if the branch "
    "should not run, request zeros: {zeros}",
)
CONDITION_ONLY = Entry(
    label="{source} is used only in a condition here, not in the arithmetic",
    why="Line {line} uses {source} only in a condition. A branch does not depend on it smoothly, so its derivative is 0 or "
    "undefined.",
    fix="use {source} in the arithmetic, for example as a smooth switch: {switch}",
)
SWITCH_OF_CONDITION = Template(
    "`{step} * value`, where `value` is the result of the branch, and `width = 0.1` is a value to start with"
)
SWITCH = Template(
    "`tf.sigmoid(({x} - threshold) / width) * value`, where {x_is}`value` is the result on one side of the threshold, "
    "`threshold` is the value at which the branch changes, and `width = 0.1` is a value to start with"
)
X_IS_CONDITION = "`x` is the value in the condition, "

# --- why no fix is applied automatically ---

UNKNOWN_USE = "what should depend on the source instead cannot be inferred from the script"
UNKNOWN_SWITCH = "a branch is not differentiable, and how smooth a switch should be cannot be inferred from the script"

# --- on the cards of a picture ---

NO_PATH_CARD = "no path"
OVERWRITTEN_CARD = "overwritten"
CONDITION_CARD = "used in a condition"
CONDITION_LEAVING = "a branch, not a value"

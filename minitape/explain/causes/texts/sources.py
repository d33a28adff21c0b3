"""The source itself: the tape does not watch it, cannot watch it, or the program replaced it."""

from minitape.explain.causes.texts import Entry, Template

# --- not-watched ---

NOT_WATCHED = Entry(
    label="{source} is a plain tensor, which a tape does not watch automatically",
    why="{made} is a tensor, not a variable, so {tape} does not watch it automatically. {target} does depend "
    "on {source}; only the `watch` call is missing.",
    fix="{fix}",
)
PARAMETER = Template(
    "write {statement} (line {line}): training should update a variable, which a tape watches automatically"
)
ADD_WATCH = Template("add {watch} as the first line of the `with` block")
ADD_WATCH_AFTER = Template("add {watch} after line {line}")
OR_VARIABLE = "; or make "
ADD_WATCH_OR_VARIABLE = Template(
    f"{ADD_WATCH.text}{OR_VARIABLE}{{source}} a variable: {{statement}}"
)
NO_LONGER_VARIABLE = Entry(
    label="{source} is no longer a variable, so this tape has to watch it",
    why="From line {since} on ({statement}), {source} is a tensor, so that an outer tape can record how it was "
    "computed. A tape watches variables automatically, but not tensors.",
    fix="add {watch} as the first line of the `with` block on line {line}; an `assign` on line {since} would "
    "cut {source} off from the outer tape",
)
ANOTHER_WATCHED = Entry(
    label="this watches {given}, not {source}",
    why="{made} is a tensor, not a variable, and {tape} does not watch it. Line {line} watches {given}{twice}. "
    "{target} does depend on {source}.",
    fix="call {watch} on line {line}",
)
ANOTHER_TENSOR = "another tensor"
A_SECOND_TIME = " a second time"
FOR_NOTHING = ", whose gradient is not requested"

# --- watched-too-late ---

TOO_LATE = Entry(
    label="too late: line {used} already used {source}",
    why="{call} runs on line {line}, but line {used} already used {source}. A tape does not record what ran "
    "before the `watch` call.",
    fix="move {watch} to the top of the `with` block",
)
TOO_LATE_IN_PART = Entry(
    label="too late: line {used} already used {source}",
    why="{call} runs on line {line}, but line {used} already used {source}. A tape does not record what ran "
    "before the `watch` call, so the contribution of that earlier use is missing from the gradient.",
    fix="move {watch} to the top of the `with` block",
)

# --- auto-watch-off ---

AUTO_WATCH_OFF = Entry(
    label="this tape does not watch variables automatically",
    why="With `watch_accessed_variables=False`, {tape} does not watch variables automatically, and nothing "
    "called `watch` for {source}.",
    fix="add {watch} as the first line of the `with` block, or remove `watch_accessed_variables=False`",
)

# --- not-trainable ---

STATE_OF_LAYER = Entry(
    label="{source} is not trainable: it holds the state of its layer",
    why="{made} holds state of its layer, such as a running mean. It is not trainable, and a tape does not watch it, so this "
    "None is correct.",
    fix="{fix}",
)
ONLY_WEIGHTS = Template("write {statement}, which lists only the weights that learn")
ONLY_TRAINABLE = "request gradients only for `trainable_variables`"
NOT_TRAINABLE = Entry(
    label="{source} was created with `trainable=False`",
    why="{made} was created with `trainable=False`{since}, so a tape does not watch it automatically. If it is a "
    "statistic that should not learn, this None is correct.",
    fix="to train {source}, {fix}; otherwise, request gradients only for trainable variables",
)
SET_ON_LINE = Template(", which line {line} sets")
REMOVE_FALSE = "remove `trainable=False`"
TRUE_INSTEAD = Template("write `True` instead of `False` on line {line}")
PASS_TRUE = Template("write {true} instead of {written} (line {line})")
OR_WATCH = Template("{advice}, or add {watch}")

# --- integer-dtype ---

AROUND_ENCODING = Template(
    "write {statement} (line {line}): the encoding needs integers, so a straight-through estimator passes the gradient around it"
)

CONVERTED_TO_INTEGERS = Entry(
    label="integers from here on: not differentiable",
    why="{call} on line {line} converts the values to integers. An integer stays constant or jumps as the values "
    "change, so the conversion is not differentiable.",
    fix="{fix}",
)
KEEP_FLOATS = (
    "keep a floating-point dtype on the path; convert only what you print or use as an index"
)
FROM_THE_FLOAT = Template(
    "write {statement} on line {line}; use {integer} only as an index (`tf.gather`)"
)
INTERPOLATED = Template(
    "add {part} after line {line}, and use {blend} instead of {written} (line {lookup}): the value between two elements, which "
    "changes smoothly"
)
INDEX_ONLY = Template(
    "use {integer} only as an index; where the derivative matters, compute with {value} itself, for example with "
    "the fraction {fraction}"
)
FLOAT_INSTEAD = Template(
    "write {statement} (line {line}); or, for integers with a gradient, use a straight-through estimator: {estimator}"
)
FLOAT_EXPRESSION_INSTEAD = Template(
    "use {value} instead of {written}; or, for integers with a gradient, use a straight-through estimator: {estimator}"
)
WITH_VALUE = Template("{advice}, with {name}")
INTEGER_SOURCE = Entry(
    label="{source} is {dtype}: integers have no gradient",
    why="{made} has dtype {dtype}. Gradients exist only for floating-point and complex dtypes.",
    fix="{fix}",
)
FLOATS_INSTEAD = Template("use floats: {better}")
FLOAT_ON_LINE = Template("write {statement} (line {line})")
USE_FLOATS = "use floats: `4.0` instead of `4`, or `dtype=tf.float32`"
INDEX_SOURCE = Entry(
    label="{source} holds indices ({dtype}), which have no gradient",
    why="{made} has dtype {dtype} and holds indices. Indices are discrete, so there is no derivative. {target} does have a "
    "gradient with respect to {found}.",
    fix="assign the looked-up value to a name, watch this value, use it in the computation, and request the gradient with "
    "respect to it",
)
LOOKED_UP = "the value that is looked up"

# --- string-dtype ---

STRING_SOURCE = Entry(
    label="{source} is a string: it has no gradient",
    why="{made} holds strings. Gradients exist only for floating-point and complex dtypes.",
    fix="convert {source} to numbers first: {statement}",
)
CONVERTED_TO_STRINGS = Entry(
    label="strings from here on: not differentiable",
    why="{call} on line {line} converts numbers to strings, which have no gradient.",
    fix="keep the numbers on the path; convert to strings only what you print",
)
STRING_BY_HAND = "not applied automatically: strings have no gradient"

# --- bool-dtype ---

CONVERTED_TO_BOOLEANS = Entry(
    label="booleans from here on: not differentiable",
    why="{call} on line {line} converts the values to booleans. A boolean stays constant or jumps as the values "
    "change, so the conversion is not differentiable.",
    fix="use {value} itself, or a smooth step: {step}, with `threshold = 0.5` and `width = 0.1` to start with",
)
BOOLEAN_BY_HAND = (
    "not applied automatically: a step is not differentiable, and the width of a smooth step cannot be inferred "
    "from the script"
)

# --- variable-replaced ---

ASSIGN_RESULT = Entry(
    label="{source} now names the result of {method}, which a tape does not watch automatically",
    why="Line {line} ({statement}) assigns the result of {method} to {source}. The result has the value of the variable, but "
    "a tape does not watch the result automatically.",
    fix="write {call} as a separate statement, without {prefix}",
)
REPLACED = Entry(
    label="from here on {source} is a plain tensor, no longer your variable",
    why="{source} was a variable, but line {line} ({statement}) replaced it with a plain tensor. A tape watches "
    "variables automatically, but not tensors.",
    fix="{fix}",
)
ASSIGN_ON_LINE = Template("write {statement} on line {line} instead")
ASSIGN_NEW_VALUE = Template("give the variable a new value instead: {statement}")

# --- source-is-copy ---

COPY_WATCHED = Entry(
    label="this watches a copy of {source}",
    why="{call} on line {line} watches a new tensor that was made from {source}. {target} is computed from {source} "
    "itself, which the tape does not watch.",
    fix="{fix}",
)
COPY_REQUESTED = Entry(
    label="this makes a new tensor; {target} was computed from {original} itself",
    why="{source} is a new tensor, made on line {line} from the same values as {original}. {target} was computed from "
    "{original}, not from this copy.",
    fix="{fix}",
)
WRITE_CALL = Template("write `{call}`")
# The call that made the source returns several results: the outputs and the state of a recurrent layer.
OTHER_RESULT = Entry(
    label="{source} is one of several results, and {target} is computed from another one",
    why="Line {line} ({statement}) returns several results. {target} is computed from {used}, and not from {source}.",
    fix="use {source} in place of {used} where {target} is computed; or request the gradient of {used}: {call}",
)
COMPUTED_AGAIN = Entry(
    label="this computes {source} again",
    why="{expr} on line {line} computes the values of {source} (line {made}) again, and {target} was computed from these new "
    "values. So {target} does not depend on {source}.",
    fix="{fix}",
)
IN_ONE_PASS = Template("compute both in one pass: {better}")
COMPUTED_ONCE = Template(
    "pass {source} on instead of computing it again: use it in place of {expr}, so that {target} is computed from it"
)
NAME_THE_TENSOR = Template(
    "assign the tensor from which {target} is computed to a name, and request the gradient with respect to that name"
)

# --- the cards of pictures ---

UNWATCHED_CARD = "not watched"
UNWATCHED_EDGE = "used, but not recorded"
TOO_LATE_CARD = "watched too late"
TOO_LATE_EDGE = "used before it was watched"
NOT_TRAINABLE_CARD = "not trainable"
NOT_TRAINABLE_EDGE = "read, but not watched"
STOPPED_CARD = "stopped here"
INTEGER_EDGE = "integers have no gradient"
STRING_EDGE = "strings have no gradient"
BOOLEAN_EDGE = "booleans have no gradient"
REPLACED_CARD = "replaced"
REPLACED_EDGE = "another object, same name"
COPY_CARD = "a copy"
COPY_EDGE = "same value, another tensor"

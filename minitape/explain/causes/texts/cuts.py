"""Steps that cut a path: NumPy, datasets, Python numbers, ops without a gradient, copies and stores."""

from minitape.explain.causes.texts import Entry, Template

# --- numpy-roundtrip ---

NUMPY_FUNCTION = Entry(
    label="value leaves the tape here: NumPy operations are not recorded",
    why="{function} is a NumPy function. It converts {values} to {arrays}, which the tape does not record.{others} {back}",
    fix="{fix}",
)
NUMPY_ARRAY = Entry(
    label="value leaves the tape here: NumPy operations are not recorded",
    why="Line {line} ({statement}) stores a value in the NumPy array {array}, which the tape does not record.{others} {back}",
    fix="{fix}",
)
NUMPY_CALL = Entry(
    label="value leaves the tape here: NumPy operations are not recorded",
    why="{call} on line {line} converts {values} to {arrays}, which the tape does not record.{others} {back}",
    fix="{fix}",
)
# How many arrays.
ONE_ARRAY, ARRAYS = "a NumPy array", "NumPy arrays"
# Other calls through which the same value passed.
ANOTHER_CALL = Template(" So does {calls}.")
OTHER_CALLS = Template(" So do {calls}.")
CALL_ON_LINE = Template("{function} on line {line}")
# What came back.
COMES_BACK = Template(
    "{result} re-enters TensorFlow as a constant that does not depend on {source}.{incomplete}"
)
COMES_BACK_ON_LINE = Template(
    "{result} re-enters TensorFlow on line {line} as a constant that does not depend on {source}.{incomplete}"
)
THE_RESULT = "The result"
THE_RESULT_OF = Template("The result of {function}")
# What to write instead.
USE_INSTEAD = Template("use {better} instead of {written}")
USE_TENSORFLOW = "use TensorFlow functions on the tensor itself"
USE_TENSORFLOW_INSTEAD = Template("use TensorFlow functions instead of {function}")
USE_FUNCTION = Template("use {function} on the tensor itself")
WITHOUT_ARRAY = Template("remove {function}: TensorFlow functions accept the tensor itself")
WITHOUT_NUMPY = "remove `.numpy()`, and use TensorFlow functions on the tensor itself"
USE_VARIABLES = Template(
    "use the variables, {variables}, instead of {written}, and TensorFlow functions instead of NumPy"
)
KEEP_THE_TENSOR = Template(
    "write {statement} (line {line}), and use TensorFlow functions on the tensor itself"
)
WRITE_LINE_AND_USE = Template("write {statement} (line {line}), and use {uses}")
INSTEAD_ON_LINE = Template("{better} instead of {written} (line {line})")
DELETE_LINE = Template("delete line {line}, so that {name} stays a tensor{uses}")
AND_USE = Template(", and use {uses}")
TENSOR_BESIDE_SAMPLING = Template("use {uses}, and leave {sampling} as it is: NumPy samples there")
KEEP_A_LIST = Template(
    "use {list} instead of {written}: a list keeps the tensors themselves, so the tape can record how they are used"
)
COLLECT = Template(
    "collect the tensors in a list, {start}{append}; after the loop, combine them into one tensor: {array}"
)
APPEND = Template(", with {append} on line {line}")
ON_LINE = Template("{fix} (line {line})")
WRITE_LINE = Template("write {statement} (line {line})")

# --- dataset ---

MADE_INTO_DATASET = Entry(
    label="value leaves the tape here: a dataset holds arrays",
    why="{method} on line {line} copies {values} into a dataset as an array, which the tape does not record. {back}",
    fix="{fix}",
)
LOOP_OVER_TENSOR = "loop over the tensor itself, inside the tape"
LOOP_OVER_ROWS = Template("loop over the tensors themselves: use {rows} instead of {written}")
LOOP_OVER_INDICES = Template(
    "put only indices into the dataset: use {indices} instead of {written}, and look up the rows in the loop with {row}, "
    "where `i` is the index"
)
COMPUTED_IN_DATASET = Entry(
    label="{label}",
    why="A function passed to {method} uses {values}. The tape does not record what a dataset computes. {back}",
    fix="{fix}",
)
YIELDED_IN_DATASET = Entry(
    label="{label}",
    why="A generator yields {values}. The tape does not record what a dataset computes. {back}",
    fix="{fix}",
)
COMES_OUT_HERE = "the value comes out of a dataset here, as a constant"
IS_COMPUTED_HERE = "computed in a dataset, which the tape does not record"
COMPUTE_IN_LOOP = Template(
    "compute {values}, as line {line} does, in the loop over the dataset, inside the tape"
)
COMPUTE_WITH_IN_LOOP = Template(
    "compute with {values} in the loop over the dataset, inside the tape"
)

OUT_OF_MAP = Template(
    "write {returned} (line {at}) and {loop} (line {line}), and add {computed} as the first line of the `with` block"
)

# --- python-scalar ---

PYTHON_NUMBER = Entry(
    label="the tensor becomes a Python number here",
    why="{call} on line {line} converts {values} to a Python number, which the tape does not record.{others} {back}",
    fix="{fix}",
)
PYTHON_STRING = Entry(
    label="the tensor becomes a string here",
    why="{call} on line {line} converts {values} to a string, which the tape does not record.{others} {back}",
    fix="{fix}",
)
CONVERT_ONLY_TO_PRINT = Template(
    "keep the tensor: write {statement} (line {line}), and convert the tensor only to print it"
)
WITHOUT_CONVERSION = "keep the tensor: remove the conversion, and convert only what you print"
USE_TF_INSTEAD_OF_MATH = "use the TensorFlow function instead"
TRAIN_ON_LINE = Template(
    "write {statement} (line {line}); use accuracy only as a metric, because it is piecewise constant"
)
INT_STRAIGHT_THROUGH = Template(
    "rounding to an integer has no useful derivative: compute with {x} itself, or use a straight-through estimator: {estimator}"
)
WITH_VALUE = Template("{advice}, with {name}")

# --- host-callback ---

HOST_CALLBACK = Entry(
    label="NumPy runs inside this call, and the tape sees only the result of the call",
    why="{call} on line {line} computes with NumPy, which the tape does not record.",
    fix="{fix}",
)
OTHER_FUNCTIONS = (
    "use TensorFlow functions; or use `tf.py_function` with TensorFlow functions inside; or define a gradient with "
    "`tf.custom_gradient`"
)
CALL_DIRECTLY = Template("write {statements}, and use {better} instead of {written} (line {line})")
HOST_CALLBACK_BY_HAND = (
    "not applied automatically: the NumPy code inside the function has to be rewritten"
)

# --- non-differentiable-op ---

NOT_DIFFERENTIABLE = Entry(
    label="not differentiable: {reason}",
    why="{call} on line {line} is not differentiable: {reason}.",
    fix="{fix}",
)
# The reason, if the op itself gives none.
ZERO_OR_UNDEFINED = "its derivative is 0 or undefined"
INTEGER_RESULT = "its result has an integer dtype here"
TRAIN_ON = Template(
    "train on {loss}; use accuracy only as a metric, because it is piecewise constant"
)
STRAIGHT_THROUGH = Template("use a straight-through estimator: {estimator}")
SMOOTH_STEP = Template(
    "use the value itself, or a smooth step: {step}, {width}; for a yes-or-no decision, train on a "
    "cross-entropy loss"
)
SMOOTH_SWITCH = Template(
    "use {blend} instead of {written} (line {line}), with {step} before it and {width}"
)
USE_SCORES = Template(
    "use the scores themselves, for example in {softmax}, or a cross-entropy loss on the logits"
)
WEIGHTED_ROWS = Template(
    "use {rows} instead of {lookup} (line {line}): it has a weight for each row, instead of one index"
)
WEIGHTS_NOT_ONE_HOT = Template(
    "use {weights} instead of {written} (line {line}): it has a weight for each class, instead of one index"
)
SOFT_SAMPLE = Template(
    "use {sample} instead of {written} (line {line}): a differentiable sample (Gumbel softmax), in place of one index"
)
MEAN_INDEX_ON_LINE = Template(
    "use {mean} instead of {written} (line {line}): the index itself is not differentiable, but the mean index is"
)
SCORE_NOT_INDEX = Template(
    "use {score} instead of {written} (line {line}): the index is not differentiable, but the score at that index is"
)
MEAN_INDEX = Template(
    "use {mean} instead of {written}: the index itself is not differentiable, but the mean index is"
)
DIVIDE = "use `/` where the derivative matters"
WEIGHT_THE_SAMPLE = "train on the log-probability of the sample, weighted by its reward"
SCORES_NOT_INDICES = (
    "use the scores themselves, or a cross-entropy loss on them: `tf.nn.softmax` is differentiable, but "
    "indices are not"
)
USE_LINSPACE = "use `tf.linspace`: it is differentiable with respect to its limits"
VALUES_NOT_INDICES = "use the sorted values instead of their indices: `tf.sort` is differentiable"
SOFT_RANKS = Template(
    "use {ranks} instead of {written} (line {line}), {width}: these ranks change smoothly with the values"
)
SOFTMAX_NOT_MAXIMUM = Template(
    "use {weights} instead of {written} (line {line}): it has a weight for each element, instead of a 1 for the largest"
)
SOFT_BINS = (
    "use bins with smooth borders: compute `tf.nn.softmax(-tf.square(value - centers) / width)` for each value; the sum "
    "over the values is a histogram"
)
USE_A_SMOOTH_OP = Template("use a differentiable op on the path from {source} to {target}")

# --- stop-gradient ---

STOPPED_BY_DESIGN = Entry(
    label="straight-through estimator: the gradient goes to the other summand",
    why="{call} on line {line} is part of a straight-through estimator, `z + tf.stop_gradient(q - z)`, which has the value of "
    "`q` and the gradient of `z`. It passes no gradient to {source}, and this is correct.",
    fix="leave line {line} as it is; if {source} should learn, add a term for it to {target}",
)
STOPPED_WRONG_ARGUMENT = Entry(
    label="wrong order of arguments: {function} stops the gradient of {parameter}",
    why="{stop} on line {line} stops the gradient on purpose: {function} is meant to stop the gradient of its parameter "
    "{parameter}. But line {call_line} passes {value} for {parameter}. This value is computed from {source}, which "
    "therefore gets no gradient.",
    fix="swap the arguments: {better}; remove `stop_gradient` only if both should learn",
)
STOPPED = Entry(
    label="`stop_gradient` cuts the path here",
    why="`tf.stop_gradient` on line {line} stops the gradient of everything before it, including {source}. That is its "
    "purpose.{uses}",
    fix="{fix}",
)
STOPPED_TERM = Entry(
    label="`stop_gradient` cuts off a whole term of {target}",
    why="{term} is a term of {target}, and it depends on {source} only through `tf.stop_gradient` on line {line}. The term "
    "is part of {target}, but contributes to none of the requested gradients.{incomplete}",
    fix="{advice}; if you only want to display the term, remove it from {target}",
)
STOPPED_USES = Template(
    " {name} is used on {here}, on the path to {target}, and on {there} for something else."
)
STOP_ELSEWHERE = Template(
    "stop the gradient only where it should stop: write {statement} (line {line}), and use {stop} instead of {name} on {there}"
)
STOP_OTHER_SIDE = Template(
    "to stop the gradient of the other side, write {better} (line {line}); otherwise, remove `stop_gradient`"
)
SWAP_IN_A_CALL = Template(
    "swap the arguments in the call {calls} on {lines}, so that {source} learns: {better} ({function} stops the gradient "
    "of its parameter {parameter}); remove `stop_gradient` only if both should learn"
)
SWAP_IN_ONE_CALL = Template(
    "swap the arguments in one of the calls {calls} on {lines}, so that {source} learns: {better} ({function} stops the "
    "gradient of its parameter {parameter}); remove `stop_gradient` only if both should learn"
)
STOP_THE_OTHERS = Template("write {statement} (line {line}), which stops all but {kept}")
REMOVE_STOP = Template("remove `stop_gradient` if {source} should learn")

# --- state-assign ---

STORED = Entry(
    label="{method} stores only the value; the tape does not record it",
    why="{call} on line {line} stores a value in a variable.{others} The tape does not record such an assignment, so the "
    "path from {source} ends here.{incomplete}",
    fix="{fix}",
)
STORED_WEIGHTS = Entry(
    label="`set_weights` stores only the values; the tape does not record them",
    why="{call} on line {line} overwrites the weights of {model}.{others} The tape does not record such an assignment, so "
    "the path from {source} ends here.{incomplete}",
    fix="compute {target} from the new weights as tensors, in a function that takes them as arguments, so that {model} stays "
    "unchanged",
)
ANOTHER_STORE = Template(" Line {lines} does the same.")
OTHER_STORES = Template(" Lines {lines} do the same.")
TENSOR_INSTEAD = Template(
    "write {statement} (line {line}), so that later reads of {name} get the tensor{others}{scope}"
)
EACH_TENSOR_INSTEAD = Template(
    "write {statements}, so that later reads of {names} get the tensors{others}{scope}"
)
TENSORS_INSTEAD = Template("; likewise write {statements}, because a tensor has no `assign`")
STATEMENT_OF_LINE = Template("{statement} (line {line})")
ALIAS_AGAIN = Template(
    "; then add {statement} after line {line}, because {alias} still refers to the variable"
)
RETURN_IT = Template("; {function} must then return {name} to its caller")
DECLARE_GLOBAL = Template("; {function} then needs {declaration} as its first line")
LIST_INSTEAD = Template(
    "write {statement} instead of the loop on line {line}, so that {target} is computed from tensors"
)
NEW_LIST_INSTEAD = Template(
    "write {statement} instead of the loop on line {line}, and compute {target} from these tensors"
)
NEW_VALUE = Template(
    "keep the new value in a tensor, and compute {target} from that tensor; {call} can come afterwards"
)
NEW_VALUE_AS = Template(
    "keep the new value in a tensor, {statement}, and compute {target} from that tensor; {call} can come afterwards"
)

# --- new-variable ---

COPIED = Entry(
    label="a copy has the value, but not the computation behind it",
    why="{call} on line {line} copies only the value. The tape does not record the copy, so the path from {source} ends "
    "here.{incomplete}",
    fix="{fix}",
)
USE_THE_TENSOR = Template("use the tensor itself instead of the result of {function}")
WITHOUT_COPY = Template("use the tensor itself, without {function}: {statement} (line {line})")

# --- custom-gradient-none ---

GRADIENT_NONE = Entry(
    label="the custom gradient returns None here",
    why="The gradient function of {call} (line {line}) returned None for {source}.",
    fix="return one gradient for each argument",
)
GRADIENT_WITHOUT_RETURN = Entry(
    label="the custom gradient ends here without a `return`, so it returns None",
    why="The gradient function of {call} (line {line}) returned None for {source}, because it ends on line {end} without a "
    "`return`.",
    fix="{fix}",
)
ADD_RETURN = Template("add {statement} as its last line")
ADD_RETURNS = "add a last line that returns one gradient for each argument"
GRADIENT_WITHOUT_HISTORY = Entry(
    label="the tape did not record how this gradient depends on {source}",
    why="To compute the second derivative, the tape differentiates the gradient function of {call} (line {line}). "
    "The tape did not record that the result on line {end} was computed from {source}, so the tape has no path from this "
    "result to {source}. An inner "
    "gradient function applies only to the arguments of the inner function.",
    fix="compute the gradient on line {end} from the argument of {function} itself, with TensorFlow functions; or pass that "
    "argument to the inner function that defines the second derivative",
)
GRADIENT_BY_HAND = "not applied automatically: the gradient that the function should return cannot be inferred from the script"

# --- no-gradient-registered ---

NOT_REGISTERED = Entry(
    label="{op} has no registered gradient",
    why="{call} on line {line} has no registered gradient, so every gradient call whose path contains it raises an error.",
    fix="compute this step with ops that have a gradient; or put it into a function with `@tf.custom_gradient`, which "
    "returns the result and a function that computes the gradient",
)
THIS_OP = "this op"
NOT_REGISTERED_BY_HAND = (
    "not applied automatically: the op has no gradient, so the same result would have to be computed "
    "with other ops"
)

# --- the cards of pictures ---

LEFT_CARD = "left the tape"
STOPPED_CARD = "stopped here"
NO_GRADIENT_EDGE = "no gradient before this op"
STOP_EDGE = "same value, gradient stopped"
STORED_CARD = "stored in a variable"
COPIED_CARD = "created a new variable"

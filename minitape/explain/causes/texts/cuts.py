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
# Other calls through which the same value went.
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
KEEP_THE_TENSOR = Template(
    "write {statement} (line {line}), and use TensorFlow functions on the tensor itself"
)
KEEP_A_LIST = Template(
    "use {list} instead of {written}: a list keeps the tensors, and is read inside the tape"
)
COLLECT = Template(
    "collect the tensors in a list, `values = []`{append}, and make one tensor of them after the loop: {array}"
)
APPEND = Template(": {append} on line {line}")
ON_LINE = Template("{fix} (line {line})")

# --- dataset ---

MADE_INTO_DATASET = Entry(
    label="value leaves the tape here: a dataset holds arrays",
    why="{method} on line {line} copies {values} into a dataset as an array, which the tape does not record. {back}",
    fix="loop over the tensor itself, or over its rows{rows}",
)
ROWS = Template(": {rows}")
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

# --- python-scalar ---

PYTHON_NUMBER = Entry(
    label="the tensor becomes a Python number here",
    why="{call} on line {line} converts {values} to a Python number, which the tape does not record. {back}",
    fix="{fix}",
)
PYTHON_STRING = Entry(
    label="the tensor becomes a string here",
    why="{call} on line {line} converts {values} to a string, which the tape does not record. {back}",
    fix="{fix}",
)
CONVERT_ONLY_TO_PRINT = Template(
    "keep the tensor: {statement} (line {line}), and convert it only to print it"
)
WITHOUT_CONVERSION = "keep the tensor: remove the conversion, and convert only what you print"
USE_TF_INSTEAD_OF_MATH = "use the TensorFlow function instead"
INT_STRAIGHT_THROUGH = Template(
    "rounding to an integer has no useful derivative: compute with {x} itself, or use a straight-through estimator: {estimator}"
)
WITH_VALUE = Template("{advice}, with {name}")

"""The texts of gradient calls that raise an error."""

from minitape.explain.causes.texts import Entry, Template

# --- tape-consumed ---

CONSUMED = Entry(
    label="not persistent: this tape computes one gradient only",
    why="A tape that is not persistent computes one gradient only, and the gradient call on line {earlier} has already "
    "used {tape}.",
    fix="{fix}",
)
CONSUMED_BEFORE = Entry(
    label="not persistent: this tape computes one gradient only",
    why="A tape that is not persistent computes one gradient only, and {tape} has already been used.",
    fix="{fix}",
)

WRITE_ON_LINE = Template("write {statement} on line {line}")
USE_TAPE = Template("use {expression}")

# --- bad-source-type, bad-target-type, refused-call ---

CALL_RAISES = Entry(
    label="this call raises an error",
    why="{message} It is used on line {line}.",
    fix="{fix}",
)
NOT_A_TENSOR = Entry(
    label="this does not create a tensor",
    why="{message} It was created on line {line}.",
    fix="{fix}",
)
LEAVES_HERE = Entry(
    label="value leaves the tape here",
    why="{message} The value left the tape on line {line}.",
    fix="{fix}",
)
WRONG_COUNT = Entry(
    label="this does not return one gradient for each input of {function}",
    why="{function} has {expected} inputs, so its gradient function must return {expected} gradients. On line {line} it "
    "returns {returned}.",
    fix="return one gradient for each input, in the order of the parameters ({inputs})",
)
NO_MESSAGE = "The call raised an error that has no message."
PASS_VARIABLES = "pass the variables themselves, without quotes"
NOT_A_SOURCE = Template(
    "A source of the gradient, {source}, is not a tensor, so a tape cannot record it."
)
NOT_A_TARGET = Template(
    "The target of the gradient, {target}, is not a tensor, so a tape cannot record it."
)
KEEP_TENSORS = "keep the loss a tensor: compute it without `.numpy()`, `float()` or NumPy functions"
MAKE_VARIABLE_ON_LINE = Template("write {statement} (line {line})")
MAKE_VARIABLE = Template("write {statement}, and compute {target} from it")
PASS_WEIGHTS = Template("request the gradients of its weights: {call}")
PASS_TENSORS = "pass tensors or variables"
CALL_BY_HAND = "not applied automatically: the intended call cannot be inferred from the script"
SOURCE_BY_HAND = "not applied automatically: the intended source cannot be inferred from the script"
TARGET_BY_HAND = "not applied automatically: the intended target cannot be inferred from the script"

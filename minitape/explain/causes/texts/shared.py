"""Texts that several families use."""

from minitape.explain.causes.texts import Template

# Follows the explanation of a case that loses only a part of the gradient.
INCOMPLETE = Template(
    " The gradient is incomplete: other paths contribute, but the contribution through this line is missing."
)

# Values without a name in the program.
SOME_VALUE = "a value"
SOME_TENSOR = "a tensor"
A_CALL = "A call"
SOME_VARIABLE = "a variable"
VARIABLE_OF_LINE = Template("the variable created on line {line}")
DATA_OF_LINE = Template("the data read on line {line}")
MORE_VALUES = Template("{count} more")

# The tape of a gradient call.
THE_TAPE = Template("the tape")
THE_TAPE_OF_LINE = Template("the tape opened on line {line}")

# A name with its line, if the line is known: `x` (line 3).
WITH_LINE = Template("{value} (line {line})")
LINE_OF_FILE = Template("{line} of {file}")

# Why no rule can fix a mistake that concerns the size of values.
WHICH_VALUES = "not applied automatically: the right values cannot be inferred from the script"

# The cards of pictures.
PATH_ENDS_CARD = "the path ends"
NO_HISTORY_EDGE = "same value, no history"

# The usual code in place of a known mistake. The sentence follows the explanation of a finding.
THE_USUAL_WAY = Template(" The usual way {purpose} is {code}.")

# {purpose} is one of these.
A_LOSS = "to compute a loss inside a tape"
A_NUMBER = "to show a loss (convert it after the gradient call)"
SQUARED_ERROR = "to write a mean squared error"
ABSOLUTE_ERROR = "to write a mean absolute error"
SAMPLED_ACTIONS = "to train on sampled actions (the REINFORCE loss)"
Q_VALUES = "to train a Q network (select the values of the actions that were taken)"
CLASSES = "to train a classifier"
DECISIONS = "to train a yes-or-no classifier"
SAMPLE = "to sample differentiably"
ROUNDING = "to round differentiably (a straight-through estimator)"
SOFT_CHOICE = "to choose differentiably"
UPDATE = "to update a variable"
SOFT_UPDATE = "to make weights track other weights (an update after the gradient call)"
METRICS = "to use a loss and a metric"
SEVERAL_GRADIENTS = "to request several gradients"
LOG_PROBABILITIES = "to train on the logarithm of a softmax or a sigmoid"
NESTED_TAPES = "to differentiate a gradient"
DEAD_UNITS = "to initialize a layer with a ReLU"
TWO_OUTPUTS = "to inspect a model, as Grad-CAM does (one pass through a model with two outputs),"
INDICES = "to differentiate with respect to a word or an index"
ALL_STATES = "to train on the output of a recurrent layer"
SUM_OF_LOSSES = "to add up losses in a loop"
INSIDE_CALL = "to differentiate inside `call`"
SAFE_DIVISION = "to divide by a value that may be 0"

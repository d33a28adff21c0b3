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
VARIABLE_OF_LINE = Template("the variable made on line {line}")
DATA_OF_LINE = Template("the data read on line {line}")
MORE_VALUES = Template("{count} more")

# The tape of a gradient call.
THE_TAPE = Template("the tape")
THE_TAPE_OF_LINE = Template("the tape opened on line {line}")

# A name with its line, if the line is known: `x` (line 3).
WITH_LINE = Template("{value} (line {line})")
LINE_OF_FILE = Template("{line} of {file}")

# The reason why no rule fixes a mistake about the size of values.
WHICH_VALUES = "not applied automatically: the right values cannot be inferred from the script"

# The cards of pictures.
PATH_ENDS_CARD = "the path ends"
NO_HISTORY_EDGE = "same value, no history"

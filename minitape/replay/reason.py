"""The reasons why a part of a trace could not be computed again."""

from enum import StrEnum


class Reason(StrEnum):
    """The reason why something could not be computed again."""

    TOO_LARGE = "the tensor is too large for the trace"
    TEXT = "it contains strings or a dtype that NumPy does not have"
    EARLIER = "it was created before tracing started"
    RANDOM = "it draws random numbers"
    PYTHON = "it calls a function of the program"
    OWN_RULE = "its gradient rule is defined in the program"
    UNKNOWN_OP = "minitape does not support the op"
    SETTINGS = "its attributes are not supported"
    REFUSED = "minitape does not accept its inputs"
    NO_RULE = "minitape has no gradient rule for it"
    SLICES = "it is an IndexedSlices, and the trace does not hold its indices"
    UNSURE = "its inputs could not be audited"
    NAN = "its input contains NaN, and TensorFlow's result then depends on the processor"
    PAUSED = "the engine paused recording, which the trace does not show"

"""Why something of a trace could not be computed again."""

from enum import StrEnum


class Reason(StrEnum):
    """Why something could not be computed again."""

    TOO_LARGE = "its numbers are too many to be in the trace"
    TEXT = "it holds texts, or what NumPy has no dtype for"
    EARLIER = "it is from before anyone listened"
    RANDOM = "it draws random numbers"
    PYTHON = "it calls a function of the program's own"
    OWN_RULE = "its rule is the program's own"
    UNKNOWN_OP = "minitape has no such op"
    SETTINGS = "its settings are not understood"
    REFUSED = "minitape refuses its inputs"
    NO_RULE = "minitape has no rule for it"
    SLICES = "it is IndexedSlices, of which the trace has no indices"
    UNSURE = "what it is made of could not be audited"
    PAUSED = "a function of the engine had paused the tapes, which the trace does not tell"

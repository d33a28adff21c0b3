"""What the exit codes mean, and which one wins. They are an interface: scripts and CI read them."""

from enum import IntEnum


class Exit(IntEnum):
    """How a command ended."""

    DONE = 0
    FINDING = 1  # done, and there is something to see: a lost gradient
    USAGE = 2
    SCRIPT = 3  # the user's script raised, or left with another code than 0
    LIMIT = 4  # it was stopped: time, or the number of ops
    MISSING_TOOL = 5  # a program or package that this needs is not installed
    NOTHING = 6  # the script ran, but never used a tape
    BUG = 70
    INTERRUPTED = 130


# A finding wins over the script's own exception: the usual end of a lost gradient is `0.1 * None`, and the finding says why.
# A limit wins over both, because more may be found beyond it.
_ORDER = (
    Exit.INTERRUPTED,
    Exit.USAGE,
    Exit.LIMIT,
    Exit.FINDING,
    Exit.SCRIPT,
    Exit.NOTHING,
    Exit.DONE,
)


def winning(*codes: Exit) -> Exit:
    """The exit code of a command for which all of these are true."""
    return min(codes, key=_ORDER.index)

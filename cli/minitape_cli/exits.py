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


# How the run ended wins over what was found in it: a finding in a run that broke off is one of the part before the break.
_GRAVEST_FIRST = (
    Exit.INTERRUPTED,
    Exit.USAGE,
    Exit.LIMIT,
    Exit.SCRIPT,
    Exit.FINDING,
    Exit.NOTHING,
    Exit.DONE,
)


def gravest(*codes: Exit) -> Exit:
    """The exit code of a command for which all of these are true."""
    return min(codes, key=_GRAVEST_FIRST.index)

"""The exit codes and their priorities. They are a public interface, because scripts and CI depend on them."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit code of a command."""

    DONE = 0
    FINDING = 1  # done, with a finding such as a gradient that is None
    USAGE = 2
    SCRIPT = 3  # the user's script raised, or exited with a code other than 0
    LIMIT = 4  # the script was stopped: time, number of ops, or memory
    MISSING_TOOL = 5  # a program or package that the command needs is not installed
    NOTHING = 6  # the script ran, but used no tape
    BUG = 70
    INTERRUPTED = 130


# A finding has priority over the script's own exception. A gradient that is None often ends in `0.1 * None`, and the finding
# explains it. A limit has priority over both, because a longer run may have more findings.
_ORDER = (
    ExitCode.INTERRUPTED,
    ExitCode.USAGE,
    ExitCode.LIMIT,
    ExitCode.FINDING,
    ExitCode.SCRIPT,
    ExitCode.NOTHING,
    ExitCode.DONE,
)


def winning(*codes: ExitCode) -> ExitCode:
    """Return the exit code with the highest priority."""
    return min(codes, key=_ORDER.index)

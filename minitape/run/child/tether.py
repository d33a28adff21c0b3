"""Ends this process when the process that started it is killed, on systems whose kernel supports it (Linux).

    end_with    requests this from the kernel

SIGKILL cannot be handled, so a command that is killed cannot end the processes that it has started. On other systems only the
watchdog (`run/watchdog`) ends them.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def end_with(parent: int) -> None:
    """Request SIGKILL for this process when its parent ends.

    A copy of this process (`os.fork`) does not inherit this. The kernel watches the parent's thread, not its process, so the
    thread that starts this process must live as long as it does.

    Args:
        parent: The expected parent. If there is a process in between, such as a shell script, the kernel watches that process
            instead.
    """
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent and not _is_there(parent):  # the parent ended before the call
        os.kill(os.getpid(), signal.SIGKILL)


def _is_there(process: int) -> bool:
    with contextlib.suppress(PermissionError):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
    return True

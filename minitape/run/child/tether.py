"""Let this process end when the one that started it is killed, on systems whose kernel can do that (Linux).

    end_with    asks the kernel for it

SIGKILL cannot be handled, so a command that is killed has no chance to end the processes that it has started. Where the kernel
has no such call, the watchdog (`run/watchdog`) does it alone.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def end_with(parent: int) -> None:
    """Get SIGKILL when the process that started this one is gone.

    A copy of this process (`os.fork`) does not inherit that. The kernel means the parent's thread, not its process, so the thread
    that starts this process has to stay as long as it does.

    Args:
        parent: The process that is meant. If another one stands in between, a shell script for example, the kernel watches that.
    """
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent and not _is_there(parent):  # it was gone before the kernel was asked
        os.kill(os.getpid(), signal.SIGKILL)


def _is_there(process: int) -> bool:
    with contextlib.suppress(PermissionError):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
    return True

"""Finds and ends all processes that a script starts, and measures their memory usage."""

from __future__ import annotations

import contextlib
import ctypes
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
_ITERATIONS = 20  # a process that is just being started is found in the next round


class ChildProcesses:
    """The processes that a script starts, from the creation of this object on. On Linux, processes whose parent has ended
    become our children, so none is missed.

    On other systems, a process whose parent ended before it was found is missed.
    """

    def __init__(self) -> None:
        self._seen: set[psutil.Process] = set()
        self._others: set[int] | None = None
        if sys.platform == "linux":
            with contextlib.suppress(OSError, AttributeError):
                ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def spare_others(self, first: int) -> None:
        """Exclude the other processes that this process has started. Call this while `first` is still starting."""
        import psutil  # Python is still starting in `first`, so there is enough time

        self._others = {each.pid for each in psutil.Process().children()} - {first}

    def look(self, first: int) -> None:
        """Record the processes that `first` has started, while it is still running."""
        import psutil

        with contextlib.suppress(psutil.Error):
            self._seen.update(psutil.Process(first).children(recursive=True))

    def end(self, first: int) -> None:
        """End all remaining processes that `first` started; `first` itself has ended, or is about to end."""
        import psutil

        for _ in range(_ITERATIONS):
            left = [each for each in self._seen | self._orphans(first) if _is_alive(each)]
            if not left:
                break
            for each in left:
                with contextlib.suppress(psutil.Error):
                    self._seen.update(each.children(recursive=True))
                    each.kill()
            psutil.wait_procs(left, timeout=0.5)

    def _orphans(self, first: int) -> set[psutil.Process]:
        """Return the processes that have become our children since the script started, and their children."""
        import psutil

        known = {first} | (self._others or set())
        found = {each for each in psutil.Process().children() if each.pid not in known}
        for each in tuple(found):
            with contextlib.suppress(psutil.Error):
                found.update(each.children(recursive=True))
            if not _is_alive(each):
                with contextlib.suppress(psutil.Error):
                    each.wait(0)  # it is our child now, so collect its exit status
        return found

    def memory(self, first: int) -> int:
        """Return the bytes of memory that `first` and its children use."""
        import psutil

        total = 0
        with contextlib.suppress(psutil.Error):
            self.look(first)
            for each in (psutil.Process(first), *self._seen):
                with contextlib.suppress(psutil.Error):
                    total += each.memory_info().rss
        return total


def _is_alive(process: psutil.Process) -> bool:
    """Whether the process is still running; a zombie process, which has ended and waits for its parent, is not."""
    import psutil

    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False

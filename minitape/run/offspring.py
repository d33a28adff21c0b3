"""The processes that a script starts: found and ended, so that none is left behind; and what they take of memory."""

from __future__ import annotations

import contextlib
import ctypes
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
_ROUNDS = 20  # a process that is just being started is found the next time


class Offspring:
    """Begins to look when it is made. On Linux a process whose parent has gone comes to us, so none gets out of sight.

    Elsewhere one whose parent has gone before anybody looked is not found.
    """

    def __init__(self) -> None:
        self._seen: set[psutil.Process] = set()
        self._others: set[int] | None = None
        if sys.platform == "linux":
            with contextlib.suppress(OSError, AttributeError):
                ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def spare_others(self, first: int) -> None:
        """What this process has started beside process `first` is not the script's. To be said while that one still starts."""
        import psutil  # while Python starts over there, there is time for it

        self._others = {each.pid for each in psutil.Process().children()} - {first}

    def look(self, first: int) -> None:
        """Take note of what process `first` has started, while it can still be asked."""
        import psutil

        with contextlib.suppress(psutil.Error):
            self._seen.update(psutil.Process(first).children(recursive=True))

    def end(self, first: int) -> None:
        """End all that is left of what process `first` started; it is over itself, or about to be."""
        import psutil

        for _ in range(_ROUNDS):
            left = [each for each in self._seen | self._orphans(first) if _is_alive(each)]
            if not left:
                break
            for each in left:
                with contextlib.suppress(psutil.Error):
                    self._seen.update(each.children(recursive=True))
                    each.kill()
            psutil.wait_procs(left, timeout=0.5)

    def _orphans(self, first: int) -> set[psutil.Process]:
        """What has come to us since the script began, and what that has started."""
        import psutil

        known = {first} | (self._others or set())
        found = {each for each in psutil.Process().children() if each.pid not in known}
        for each in tuple(found):
            with contextlib.suppress(psutil.Error):
                found.update(each.children(recursive=True))
            if not _is_alive(each):
                with contextlib.suppress(psutil.Error):
                    each.wait(0)  # it has come to us, so nobody else asks how it ended
        return found

    def memory(self, first: int) -> int:
        """Bytes that process `first` and what it started hold in memory."""
        import psutil

        total = 0
        with contextlib.suppress(psutil.Error):
            self.look(first)
            for each in (psutil.Process(first), *self._seen):
                with contextlib.suppress(psutil.Error):
                    total += each.memory_info().rss
        return total


def _is_alive(process: psutil.Process) -> bool:
    """Whether there is anything to be ended: what is over, and only waits for its parent to ask, is not."""
    import psutil

    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False

"""Watches the files that a run depends on, and detects that one of them was saved with new content."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from minitape_cli.file_changes import POLL, Glimpse

_LONGEST = (
    10  # checks; while someone saves continuously, a version is still shown from time to time
)


class Saved:
    """Watches files, and remembers a save until it is taken.

    Args:
        files: The first files to watch.
    """

    def __init__(self, files: Iterable[Path]) -> None:
        self._glimpses: dict[Path, Glimpse] = {}
        self._looked = 0.0
        self._has_come = False
        self.also(files)

    def also(self, files: Iterable[Path]) -> None:
        """Add files to watch."""
        for file in files:
            self._glimpses.setdefault(file, Glimpse(file))

    def has_come(self) -> bool:
        """Whether a file was saved. It may be called often, because it checks the files only at intervals."""
        now = time.monotonic()
        if not self._has_come and now > self._looked + POLL:
            self._looked = now
            self._has_come = self._look()
        return self._has_come

    def take(self, unless: Callable[[], bool]) -> None:
        """Wait for a save that is not immediately followed by another one, because only the last of several saves needs a
        run.
        """
        while not self.has_come():
            if unless():
                return
            time.sleep(POLL)
        for _ in range(_LONGEST):
            time.sleep(POLL / 2)
            if not self._look():
                break
        self._has_come = False

    def _look(self) -> bool:
        new = [
            each.is_new() for each in self._glimpses.values()
        ]  # a list, so that every file is checked
        return any(new)

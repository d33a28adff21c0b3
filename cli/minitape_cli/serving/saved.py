"""The files that a run depends on, and whether one of them was saved with new content."""

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
        """Watch these files as well."""
        for file in files:
            self._glimpses.setdefault(file, Glimpse(file))

    def has_come(self) -> bool:
        """Whether there was a save. It may be called often: it checks only at intervals."""
        now = time.monotonic()
        if not self._has_come and now > self._looked + POLL:
            self._looked = now
            self._has_come = self._look()
        return self._has_come

    def take(self, unless: Callable[[], bool]) -> None:
        """Wait for a save, until no other one follows at once: only the last of several saves needs a run."""
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

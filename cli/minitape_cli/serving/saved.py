"""Which files a run depends on, and whether one of them was saved with another text."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from minitape_cli.glimpse import POLL, Glimpse

_LONGEST = 10  # looks; who saves on and on is shown something in between


class Saved:
    """Looks at some files; a save is remembered until it is taken.

    Args:
        files: The first of them.
    """

    def __init__(self, files: Iterable[Path]) -> None:
        self._glimpses: dict[Path, Glimpse] = {}
        self._looked = 0.0
        self._has_come = False
        self.also(files)

    def also(self, files: Iterable[Path]) -> None:
        """Look at these from now on, too."""
        for file in files:
            self._glimpses.setdefault(file, Glimpse(file))

    def has_come(self) -> bool:
        """Whether there was a save. To be asked as often as one likes: it looks now and then."""
        now = time.monotonic()
        if not self._has_come and now > self._looked + POLL:
            self._looked = now
            self._has_come = self._look()
        return self._has_come

    def take(self, unless: Callable[[], bool]) -> None:
        """Wait for a save, and until no other follows at once: of several only the last is worth a run."""
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
        ]  # each is to look, whatever another saw
        return any(new)

"""What is shown now, and what is to be said about it; requests wait here for what comes next."""

import threading
from dataclasses import asdict, dataclass
from typing import Any

from minitape.printable import printable_lines


@dataclass(frozen=True)
class News:
    """Which page is the latest, and a word on it. `state` counts up with every change of either."""

    state: int
    page: int
    said: str

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


class Board:
    """Holds one page. One thread puts up what others read.

    Args:
        page: The text of the first page, which is number 0.
    """

    def __init__(self, page: str) -> None:
        self._changed = threading.Condition()
        self._news = News(0, 0, "")
        self.page = page

    @property
    def next_number(self) -> int:
        """That of the page that is put up next."""
        return self._news.page + 1

    def put_up(self, page: str, said: str = "") -> None:
        """Show another page."""
        with self._changed:
            self.page = page
            self._news = News(self._news.state + 1, self._news.page + 1, printable_lines(said))
            self._changed.notify_all()

    def say(self, said: str) -> None:
        """Say something of the page that hangs there, and leave it."""
        with self._changed:
            self._news = News(self._news.state + 1, self._news.page, printable_lines(said))
            self._changed.notify_all()

    def news(self, after: int, patience: float) -> News:
        """What is new since a state, or what is so after this many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._news.state != after, patience)
            return self._news

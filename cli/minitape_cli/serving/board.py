"""Holds the current page and a message about it; requests wait here for the next page."""

import threading
from dataclasses import asdict, dataclass
from typing import Any

from minitape.printable import printable_lines


@dataclass(frozen=True)
class News:
    """The number of the latest page, and a message about it. `state` increases with every change of either."""

    state: int
    page: int
    message: str

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


class Board:
    """Holds the current page. One thread replaces it; other threads read it.

    Args:
        page: The text of the first page, which has number 0.
    """

    def __init__(self, page: str) -> None:
        self._changed = threading.Condition()
        self._news = News(0, 0, "")
        self.page = page

    @property
    def next_number(self) -> int:
        """The number of the next page."""
        return self._news.page + 1

    def put_up(self, page: str, message: str = "") -> None:
        """Replace the page."""
        with self._changed:
            self.page = page
            self._news = News(self._news.state + 1, self._news.page + 1, printable_lines(message))
            self._changed.notify_all()

    def say(self, message: str) -> None:
        """Replace the message, and keep the page."""
        with self._changed:
            self._news = News(self._news.state + 1, self._news.page, printable_lines(message))
            self._changed.notify_all()

    def news(self, after: int, patience: float) -> News:
        """Wait until the state differs from `after`, at most `patience` seconds; returns the current state."""
        with self._changed:
            self._changed.wait_for(lambda: self._news.state != after, patience)
            return self._news

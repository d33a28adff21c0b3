"""Checks that the library does not access attributes that its own values may not have.

A missing attribute raises an error, whose creation is slow if it happens at every step.
"""

import sys
from collections.abc import Callable, Iterator
from types import FrameType

import pytest

from minitape.errors import MessageParts, MissingAttributeError

_ON_THE_WAY = ("missing", "__getattr__")  # the frames between the access and the error


@pytest.fixture(autouse=True)
def the_library_asks_for_nothing_that_may_be_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[None]:
    """Fail a test in which the library accesses a missing attribute. Import this fixture into the `conftest` of a folder whose
    tests run much of the library.
    """
    requested: list[str] = []
    make = MissingAttributeError.__init__

    def noted(self: MissingAttributeError, name: str, say: Callable[[], MessageParts]) -> None:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_name in _ON_THE_WAY:
            frame = frame.f_back
        if frame is not None and frame.f_globals.get("__name__", "").startswith("minitape."):
            requested.append(f"{frame.f_code.co_filename}:{frame.f_lineno} accesses .{name}")
        make(self, name, say)

    monkeypatch.setattr(MissingAttributeError, "__init__", noted)
    yield
    assert not requested

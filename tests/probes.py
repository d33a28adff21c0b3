"""Does the library ask its own values for an attribute that they may not have?

It should know what they have: the answer is an error, and whoever asks at every step pays for it at every step.
"""

import sys
from collections.abc import Callable, Iterator
from types import FrameType

import pytest

from minitape.errors import MessageParts, MissingAttributeError

_ON_THE_WAY = ("missing", "__getattr__")  # from the line that asks to the error


@pytest.fixture(autouse=True)
def the_library_asks_for_nothing_that_may_be_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[None]:
    """To be imported into the `conftest` of a folder whose tests run much of the library."""
    requested: list[str] = []
    make = MissingAttributeError.__init__

    def noted(self: MissingAttributeError, name: str, say: Callable[[], MessageParts]) -> None:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_name in _ON_THE_WAY:
            frame = frame.f_back
        if frame is not None and frame.f_globals.get("__name__", "").startswith("minitape."):
            requested.append(f"{frame.f_code.co_filename}:{frame.f_lineno} asks for .{name}")
        make(self, name, say)

    monkeypatch.setattr(MissingAttributeError, "__init__", noted)
    yield
    assert not requested

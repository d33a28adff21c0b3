"""The names of layers: the class in small letters, numbered, and inside which layers one is.

Source: https://keras.io/api/layers/base_layer/
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from minitape.errors import TapeValueError


class _Names:
    """Names given so far, and the layers that are being built or called just now, the outermost first."""

    def __init__(self) -> None:
        self.given: Counter[str] = Counter()
        self.inside: list[str] = []
        self.training: list[Any] = []  # what each of these layers was told about training
        self.drawing = 0  # how many drawings are being made, one inside the other
        self.made: list[
            Any
        ] = []  # weights made since the first of them began, each with its first value

    @contextmanager
    def within(self, name: str) -> Iterator[None]:
        """A block in which a layer is built: weights made there have its name before theirs, once."""
        is_entered = bool(self.inside) and self.inside[-1] == name
        if not is_entered:
            self.inside.append(name)
        try:
            yield
        finally:
            if not is_entered:
                self.inside.pop()

    def next_for(self, stem: str) -> str:
        number = self.given[stem]
        self.given[stem] += 1
        return f"{stem}_{number}" if number else stem


def in_small_letters(kind: type) -> str:
    """MaxPooling2D as max_pooling2d."""
    spaced = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", kind.__name__)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", spaced).lower()


def checked_name(name: Any, kind: type) -> str:
    """The name that a user gave, or the next one for a class.

    Raises:
        ValueError: it is no string, or has a slash in it, which parts the names in a path.
    """
    if name is None:
        return names.next_for(in_small_letters(kind))
    if not isinstance(name, str) or "/" in name:
        raise TapeValueError(
            "Argument `name` must be a string and cannot contain character `/`. "
            f"Received: name={name} (of type {type(name)})",
            fix=f'name="{in_small_letters(kind)}_of_mine"',
        )
    return name


names = _Names()

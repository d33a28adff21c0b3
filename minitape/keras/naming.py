"""The names of layers, which derive from their classes, and the stack of layers that are being built or called.

Source: https://keras.io/api/layers/base_layer/
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from minitape.errors import TapeValueError


class _Names:
    """The number of names used so far, and the layers that are being built or called, starting with the outermost."""

    def __init__(self) -> None:
        self.given: Counter[str] = Counter()
        self.inside: list[str] = []
        self.training: list[Any] = []  # the value of `training` for each of these layers
        self.drawing = 0  # nesting depth of calls on symbolic tensors
        self.made: list[
            Any
        ] = []  # weights created since the outermost of these calls, each with its initial value

    @contextmanager
    def within(self, name: str) -> Iterator[None]:
        """Enter a block in which a layer is built; the paths of weights created in it start with the layer's name."""
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


def snake_case(kind: type) -> str:
    """Return the name of a class in snake case: MaxPooling2D becomes max_pooling2d.

    Args:
        kind: The class.

    Returns:
        The name.
    """
    spaced = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", kind.__name__)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", spaced).lower()


def checked_name(name: Any, kind: type) -> str:
    """Check a name that the user gave; for None, return the next automatic name for the class.

    Args:
        name: The name, or None.
        kind: The class of the object.

    Returns:
        The name.

    Raises:
        ValueError: the name is not a string, or contains a slash, which separates the names in a path.
    """
    if name is None:
        return names.next_for(snake_case(kind))
    if not isinstance(name, str) or "/" in name:
        raise TapeValueError(
            "Argument `name` must be a string and cannot contain character `/`. "
            f"Received: name={name} (of type {type(name)})",
            fix=f'pass `name="{snake_case(kind)}_of_mine"`',
        )
    return name


names = _Names()

"""Symbol: what a layer would answer, for models that are drawn before there are data.

`Input(shape)` makes the first; a layer that is called with a symbol gives one back, and remembers nothing else. Sizes are learned
by running zeros through: a symbol keeps the answer to them as its example.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

from minitape.core import nest
from minitape.core.tensor import Tensor

_numbers = count()
_STRUCTURES = (list, tuple, dict)


class Symbol:
    """The answer of a layer to other symbols.

    Args:
        layer: Whose answer it is.
        given: Arguments and settings of the call, with symbols in them; None for an input of the model.
        example: What the layer answered to the examples of these.
        part: Which of several answers; None if there is one.
    """

    def __init__(self, layer: Any, given: Any, example: Tensor, part: int | None = None) -> None:
        self.layer, self.given, self.example, self.part = layer, given, example, part
        self.number = next(_numbers)  # a symbol has a higher one than those that it is made of

    @property
    def shape(self) -> tuple[int | None, ...]:
        """That of the answer; None for the batch, which can have any size."""
        return (None, *self.example.shape[1:])

    @property
    def dtype(self) -> Any:
        return self.example.dtype

    @property
    def name(self) -> str:
        return str(self.layer.name)

    def __repr__(self) -> str:
        return f"<Symbol of layer '{self.name}', shape={self.shape}, dtype={self.dtype.name}>"


def symbols_in(structure: Any) -> list[Symbol]:
    """All symbols of a structure, in order."""
    return [each for each in nest.flatten(structure) if type(each) is Symbol]


def with_values(structure: Any, value_of: Callable[[Symbol], Any]) -> Any:
    """The structure with a value in place of each symbol."""
    return nest.map_structure(
        lambda each: value_of(each) if type(each) is Symbol else each, structure
    )


def is_drawing(args: tuple[Any, ...]) -> bool:
    """Whether a layer is being drawn, and not run."""
    return any(
        type(value) is Symbol or (type(value) in _STRUCTURES and bool(symbols_in(value)))
        for value in args
    )


def drawn(layer: Any, args: tuple[Any, ...], settings: dict[str, Any]) -> Any:
    """Symbols for what the layer answers."""
    given = (args, settings)
    examples, example_settings = with_values(given, lambda symbol: symbol.example)
    answer = layer(*examples, **example_settings)
    symbols: Any = (
        [Symbol(layer, given, each, part) for part, each in enumerate(answer)]
        if isinstance(answer, list | tuple)
        else Symbol(layer, given, answer)
    )
    layer.__dict__.setdefault("_drawn", []).append(symbols)
    return symbols

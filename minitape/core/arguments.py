"""Arguments of a kind that no tensor is: lists, functions, words. What is none is refused, by name.

Numbers and axes are read in `ops/axes.py`, values in `convert.py`.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from minitape.errors import TapeTypeError, TapeValueError


def listed(values: Any, name: str) -> list[Any]:
    """Several values, as a list.

    Raises:
        TypeError: it is one value.
    """
    is_one = isinstance(values, str | bytes) or getattr(values, "ndim", 1) == 0
    if is_one or not isinstance(values, Iterable):
        raise TapeTypeError(f"`{name}` is a list, and {values!r} is none.", fix=f"{name}=[x, y]")
    return list(values)


def function_given(func: Any, name: str) -> Callable[..., Any]:
    """A function.

    Raises:
        TypeError: it cannot be called.
    """
    if not callable(func):
        raise TapeTypeError(
            f"`{name}` must be callable, and {func!r} is not.", fix=f"{name}=lambda x: ..."
        )
    return func  # type: ignore[no-any-return]


def word(given: Any, name: str, allowed: Collection[str]) -> str:
    """One of a few words.

    Raises:
        ValueError: it is another, or no word.
    """
    if not isinstance(given, str) or given not in allowed:
        listed_words = ", ".join(map(repr, allowed))
        raise TapeValueError(
            f"`{name}` is one of {listed_words}, and not {given!r}.",
            fix=f"{name}={next(iter(allowed))!r}",
        )
    return given

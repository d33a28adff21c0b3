"""Arguments of a kind that no tensor is: lists, functions, words, yes or no. What is none is refused, by name.

Numbers and axes are read in `ops/axes.py`, values in `convert.py`.
"""

import os
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
        raise TapeTypeError(f"`{name}` must be a list, but is {values!r}.", fix=f"{name}=[x, y]")
    return list(values)


def function_given(func: Any, name: str) -> Callable[..., Any]:
    """A function.

    Raises:
        TypeError: it cannot be called.
    """
    if not callable(func):
        raise TapeTypeError(
            f"`{name}` must be callable, but is {func!r}.", fix=f"{name}=lambda x: ..."
        )
    return func  # type: ignore[no-any-return]


def flag(given: Any, name: str) -> bool:
    """Yes or no: what Python finds true is yes, an empty list is no.

    Raises:
        ValueError: Python finds it neither, as an array of several elements.
    """
    if type(given) is bool:
        return given
    try:
        return bool(given)
    except (ValueError, TypeError):
        raise _no_flag(TapeValueError, given, name) from None


def strict_flag(given: Any, name: str, default: bool = False) -> bool:
    """Yes or no, in a bool alone: TensorFlow reads an attribute of an op so. None stands for the default.

    Raises:
        TypeError: it is no bool.
    """
    if type(given) is bool:
        return given
    if given is None:
        return default
    raise _no_flag(TapeTypeError, given, name)


def _no_flag(kind: type[Any], given: Any, name: str) -> Exception:
    error: Exception = kind(
        f"`{name}` must be True or False, but is {given!r}.", fix=f"{name}=True"
    )
    return error


def path_given(given: Any, name: str) -> str:
    """A path as a string.

    Raises:
        TypeError: it is none.
    """
    try:
        return os.fsdecode(given)
    except TypeError:
        raise TapeTypeError(
            f"`{name}` must be a path, but is {given!r}.", fix=f'{name}="folder/name"'
        ) from None


def word(given: Any, name: str, allowed: Collection[str]) -> str:
    """One of a few words.

    Raises:
        ValueError: it is another, or no word.
    """
    if not isinstance(given, str) or given not in allowed:
        listed_words = ", ".join(map(repr, allowed))
        raise TapeValueError(
            f"`{name}` must be one of {listed_words}, but is {given!r}.",
            fix=f"{name}={next(iter(allowed))!r}",
        )
    return given

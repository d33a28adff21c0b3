"""Checks arguments that are not tensors: lists, functions, strings, booleans and paths. The errors name the argument.

Numbers and axes are read in `ops/axes.py`, values in `convert.py`.
"""

import os
from collections.abc import Callable, Collection, Iterable
from typing import Any

from minitape.errors import TapeTypeError, TapeValueError


def listed(values: Any, name: str) -> list[Any]:
    """Return several values as a list.

    Raises:
        TypeError: the argument is a single value.
    """
    is_one = isinstance(values, str | bytes) or getattr(values, "ndim", 1) == 0
    if is_one or not isinstance(values, Iterable):
        raise TapeTypeError(
            f"`{name}` must be a list, but is {values!r}.", fix=f"pass `{name}=[x, y]`"
        )
    return list(values)


def function_given(func: Any, name: str) -> Callable[..., Any]:
    """Return an argument that must be callable.

    Raises:
        TypeError: it is not callable.
    """
    if not callable(func):
        raise TapeTypeError(
            f"`{name}` must be callable, but is {func!r}.", fix=f"pass `{name}=lambda x: ...`"
        )
    return func  # type: ignore[no-any-return]


def flag(given: Any, name: str) -> bool:
    """Return an argument as a bool by Python's rules, in which an empty list is False.

    Raises:
        ValueError: it has no single boolean value, as is the case for an array of several elements.
    """
    if type(given) is bool:
        return given
    try:
        return bool(given)
    except (ValueError, TypeError):
        raise _no_flag(TapeValueError, given, name) from None


def strict_flag(given: Any, name: str, default: bool = False) -> bool:
    """Return an argument that must be a bool, as TensorFlow reads the attribute of an op. None means `default`.

    Raises:
        TypeError: it is not a bool.
    """
    if type(given) is bool:
        return given
    if given is None:
        return default
    raise _no_flag(TapeTypeError, given, name)


def _no_flag(kind: type[Any], given: Any, name: str) -> Exception:
    error: Exception = kind(
        f"`{name}` must be `True` or `False`, but is {given!r}.", fix=f"pass `{name}=True`"
    )
    return error


def path_given(given: Any, name: str) -> str:
    """Return a path as a string.

    Raises:
        TypeError: it is not a path.
    """
    try:
        return os.fsdecode(given)
    except TypeError:
        raise TapeTypeError(
            f"`{name}` must be a path, but is {given!r}.", fix=f'pass `{name}="folder/name"`'
        ) from None


def word(given: Any, name: str, allowed: Collection[str]) -> str:
    """Return an argument that must be one of the strings `allowed`.

    Raises:
        ValueError: it is not one of them.
    """
    if not isinstance(given, str) or given not in allowed:
        listed_words = ", ".join(map(repr, allowed))
        raise TapeValueError(
            f"`{name}` must be one of {listed_words}, but is {given!r}.",
            fix=f"pass `{name}={next(iter(allowed))!r}`",
        )
    return given

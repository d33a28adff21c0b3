"""Check the keyword arguments of layers. An unknown or unsupported keyword raises an error that names the keyword.

Source: https://keras.io/api/layers/base_layer/
"""

import difflib
import inspect
import warnings
from typing import Any

import numpy as np

from minitape.core.frames import frames_to_user
from minitape.errors import TapeValueError, UnimplementedError, code_list


def refuse_unknown(kind: type, unknown: dict[str, Any]) -> None:
    """Raise an error for keywords that no constructor of a layer's class accepts; suggest the closest name.

    Args:
        kind: The layer's class.
        unknown: The remaining keywords, with their values.

    Raises:
        ValueError: `unknown` is not empty.
    """
    if not unknown:
        return
    known = known_keywords(kind)
    first = next(iter(unknown))
    near = difflib.get_close_matches(first, known, n=1)
    raise TapeValueError(
        f"Unrecognized keyword arguments passed to {kind.__name__}: {unknown}",
        fix=f"write `{kind.__name__}({near[0]}=...)`" if near else f"use one of {code_list(known)}",
    )


def known_keywords(kind: type) -> list[str]:
    """Return the keywords that the constructors of a class and of its bases accept.

    Args:
        kind: The class.

    Returns:
        The names, in the order of the constructors' parameters.
    """
    found: dict[str, None] = {}
    for each in kind.__mro__[:-1]:
        for name, parameter in inspect.signature(
            vars(each).get("__init__", object)
        ).parameters.items():
            if name != "self" and parameter.kind not in (
                parameter.VAR_KEYWORD,
                parameter.VAR_POSITIONAL,
            ):
                found[name] = None
    return list(found)


def refuse_given(layer: Any, why: str, **settings: Any) -> None:
    """Raise an error if an unsupported Keras argument is set.

    Args:
        layer: The layer that receives the arguments.
        why: The reason, as a clause that completes the message.
        settings: The unsupported arguments with their values.

    Raises:
        UnimplementedError: a value is neither None nor False.
    """
    for name, value in settings.items():
        if value is not None and value is not False:
            raise UnimplementedError(
                f"`{type(layer).__name__}({name}={value!r})` is not supported: {why}.",
                fix=f"write `{type(layer).__name__}(...)` without `{name}`",
                code="MT902",
            )


def input_shape_among(keywords: dict[str, Any]) -> tuple[int | None, ...] | None:
    """Remove the shape of one example from a layer's keywords, with the warning of Keras 3.

    Args:
        keywords: The keywords; `input_shape` and `input_dim` are removed.

    Returns:
        The shape, or None if the keywords contain none.
    """
    size = keywords.pop("input_dim", None)
    shape = keywords.pop("input_shape", None) if size is None else (size,)
    if shape is None:
        return None
    warnings.warn(
        "Do not pass an `input_shape`/`input_dim` argument to a layer. Use `tf.keras.Input(shape)` as the first entry "
        "of the Sequential model instead.",
        UserWarning,
        stacklevel=frames_to_user(),
    )
    return tuple(shape)


def positive(what: str, number: Any) -> int:
    """Check a size that must be a positive integer.

    Args:
        what: Name of the argument.
        number: Its value.

    Returns:
        The value as an int.

    Raises:
        ValueError: the value is not a positive integer.
    """
    is_whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    if not is_whole or number <= 0:
        raise TapeValueError(
            f"Received an invalid value for `{what}`, expected a positive integer. Received: {what}={number}",
            fix=f"pass `{what}=1`",
        )
    return int(number)

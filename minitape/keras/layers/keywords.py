"""Keywords of layers: none is swallowed, and what is not here is refused with a text.

Source: https://keras.io/api/layers/base_layer/
"""

import difflib
import inspect
import warnings
from typing import Any

import numpy as np

from minitape.core.frames import frames_to_user
from minitape.errors import TapeValueError, UnimplementedError


def refuse_unknown(kind: type, unknown: dict[str, Any]) -> None:
    """ValueError for keywords that no constructor of a layer's class knows; the nearest spelling is named.

    Raises:
        ValueError: there are such keywords.
    """
    if not unknown:
        return
    known = known_keywords(kind)
    first = next(iter(unknown))
    near = difflib.get_close_matches(first, known, n=1)
    raise TapeValueError(
        f"Unrecognized keyword arguments passed to {kind.__name__}: {unknown}",
        fix=f"{kind.__name__}({near[0]}=...)" if near else f"one of {', '.join(known)}",
    )


def known_keywords(kind: type) -> list[str]:
    """What the constructors of a class and of its bases can be told, in their order."""
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
    """UnimplementedError for a setting of Keras's that is given and that minitape does not have.

    Raises:
        UnimplementedError: one of `settings` is neither None nor False.
    """
    for name, value in settings.items():
        if value is not None and value is not False:
            raise UnimplementedError(
                f"{type(layer).__name__}({name}={value!r}) is not in minitape: {why}.",
                fix=f"{type(layer).__name__}(...) without {name}",
                code="MT902",
            )


def input_shape_among(keywords: dict[str, Any]) -> tuple[int | None, ...] | None:
    """Takes the shape of one example out of a layer's keywords; Keras 3 warns of it."""
    size = keywords.pop("input_dim", None)
    shape = keywords.pop("input_shape", None) if size is None else (size,)
    if shape is None:
        return None
    warnings.warn(
        "Do not pass an `input_shape`/`input_dim` argument to a layer. Write tf.keras.Input(shape) as the first entry "
        "of the Sequential model instead.",
        UserWarning,
        stacklevel=frames_to_user(),
    )
    return tuple(shape)


def positive(what: str, number: Any) -> int:
    """A size that a layer was given.

    Raises:
        ValueError: it is no whole number above 0.
    """
    is_whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    if not is_whole or number <= 0:
        raise TapeValueError(
            f"Received an invalid value for `{what}`, expected a positive integer. Received: {what}={number}",
            fix=f"{what}=1 or more",
        )
    return int(number)

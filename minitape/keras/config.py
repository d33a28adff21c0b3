"""What holds for all of Keras: the dtype of new weights, the ε of losses, the order of a picture's axes.

Layers, initializers, losses, metrics and optimizers ask here when they are made, not when this page is loaded.

Source: https://keras.io/api/utils/config_utils/
"""

from dataclasses import dataclass
from typing import Any

from minitape.core import dtypes
from minitape.core.dtypes import DType
from minitape.errors import TapeValueError, UnimplementedError
from minitape.ops.axes import real_number


@dataclass
class _Settings:
    floatx: str = "float32"
    epsilon: float = 1e-7


_now = _Settings()
_FLOATS = ("bfloat16", "float16", "float32", "float64")


def floatx() -> str:
    """The name of the dtype of new weights and of what Keras computes in."""
    return _now.floatx


def set_floatx(value: str) -> None:
    """Let new layers, losses, metrics and optimizers have another dtype; those that are there keep theirs.

    Args:
        value: "float16", "float32", "float64" or "bfloat16".

    Raises:
        ValueError: another name.
    """
    if value not in _FLOATS:
        raise TapeValueError(
            f"Unknown `floatx` value: {value}. Expected one of {', '.join(_FLOATS)}.",
            fix='tf.keras.backend.set_floatx("float64")',
        )
    dtypes.as_dtype(value)
    _now.floatx = str(value)


def float_dtype(wanted: Any = None) -> DType:
    """`wanted` as a dtype; that of `floatx` for None.

    Raises:
        UnimplementedError: it is a policy of two dtypes, such as "mixed_bfloat16".
        ValueError: there is no such policy.
        TypeError: there is no such dtype.
    """
    if isinstance(wanted, str) and wanted.startswith("mixed_"):
        raise _no_policy(wanted)
    return dtypes.as_dtype(_now.floatx if wanted is None else wanted)


def _no_policy(name: str) -> Exception:
    coarse = name.removeprefix("mixed_")
    if coarse not in ("float16", "bfloat16"):
        return TapeValueError(
            f"Cannot convert '{name}' to a mixed precision DTypePolicy.", fix='dtype="float32"'
        )
    return UnimplementedError(
        f"minitape's layers compute in the dtype of their weights: they have no policy '{name}'.",
        fix=f'dtype="{coarse}" for all of a layer, or tf.cast(x, tf.{coarse}) where it is wanted',
    )


def epsilon() -> float:
    """How far losses keep probabilities from 0 and 1."""
    return _now.epsilon


def set_epsilon(value: float) -> None:
    """Let losses keep another distance."""
    _now.epsilon = real_number(value)


def image_data_format() -> str:
    """The order of a picture's axes: height, width, channels."""
    return "channels_last"


def set_image_data_format(data_format: str) -> None:
    """Nothing, for "channels_last".

    Raises:
        UnimplementedError: for "channels_first", which minitape does not have as a setting.
        ValueError: another word.
    """
    wanted = str(data_format).lower()
    if wanted == "channels_first":
        raise UnimplementedError(
            "minitape's layers take the channels last by default.",
            fix="tf.transpose(pictures, [0, 2, 3, 1])",
        )
    if wanted != "channels_last":
        raise TapeValueError(
            "The `data_format` argument must be one of 'channels_first', 'channels_last'. "
            f"Received: data_format={wanted}",
            fix="set_image_data_format('channels_last')",
        )


def backend() -> str:
    """Who computes, in Keras's words: minitape answers as TensorFlow does."""
    return "tensorflow"


__all__ = [
    "backend",
    "epsilon",
    "floatx",
    "image_data_format",
    "set_epsilon",
    "set_floatx",
    "set_image_data_format",
]

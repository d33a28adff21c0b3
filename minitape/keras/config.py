"""Global settings of Keras: the dtype of new weights, the ε of losses, and the order of image axes.

Layers, initializers, losses, metrics and optimizers read them when they are created, not when this module is imported.

Source: https://keras.io/api/utils/config_utils/
"""

from dataclasses import dataclass
from typing import Any

from minitape.core import dtypes
from minitape.core.dtypes import DType
from minitape.errors import TapeValueError, UnimplementedError
from minitape.ops.axes import real_number


@dataclass
class _KerasSettings:
    floatx: str = "float32"
    epsilon: float = 1e-7


_now = _KerasSettings()
_FLOATS = ("bfloat16", "float16", "float32", "float64")


def floatx() -> str:
    """Return the name of the default dtype of weights and computations.

    Returns:
        A string such as "float32".
    """
    return _now.floatx


def set_floatx(value: str) -> None:
    """Set the default dtype of new layers, losses, metrics and optimizers; existing objects keep their dtypes.

    Args:
        value: "float16", "float32", "float64" or "bfloat16".

    Raises:
        ValueError: `value` is any other name.
    """
    if value not in _FLOATS:
        raise TapeValueError(
            f"Unknown `floatx` value: {value}. Expected one of {', '.join(_FLOATS)}.",
            fix='use `tf.keras.backend.set_floatx("float64")`',
        )
    dtypes.as_dtype(value)
    _now.floatx = str(value)


def float_dtype(wanted: Any = None) -> DType:
    """Return the dtype for an argument; None means `floatx`.

    Args:
        wanted: A dtype, its name, or None.

    Returns:
        A `DType`.

    Raises:
        UnimplementedError: `wanted` is a mixed-precision policy such as "mixed_bfloat16".
        ValueError: the policy is unknown.
        TypeError: the dtype is unknown.
    """
    if isinstance(wanted, str) and wanted.startswith("mixed_"):
        raise _no_policy(wanted)
    return dtypes.as_dtype(_now.floatx if wanted is None else wanted)


def _no_policy(name: str) -> Exception:
    coarse = name.removeprefix("mixed_")
    if coarse not in ("float16", "bfloat16"):
        return TapeValueError(
            f"Cannot convert '{name}' to a mixed precision DTypePolicy.",
            fix='pass `dtype="float32"`',
        )
    return UnimplementedError(
        f"The dtype policy '{name}' is not supported, because layers compute in the dtype of their weights.",
        fix=f'pass `dtype="{coarse}"` for the whole layer, or use `tf.cast(x, tf.{coarse})` for single values',
    )


def epsilon() -> float:
    """Return the epsilon with which losses clip probabilities: to the range from epsilon to 1 - epsilon.

    Returns:
        A float.
    """
    return _now.epsilon


def set_epsilon(value: float) -> None:
    """Set the epsilon with which losses clip probabilities: to the range from epsilon to 1 - epsilon.

    Args:
        value: A small positive number.
    """
    _now.epsilon = real_number(value)


def image_data_format() -> str:
    """Return the order of image axes: "channels_last" (height, width, channels).

    Returns:
        "channels_last".
    """
    return "channels_last"


def set_image_data_format(data_format: str) -> None:
    """Accept "channels_last", the only supported order of image axes.

    Args:
        data_format: "channels_last".

    Raises:
        UnimplementedError: "channels_first", which is not supported as a global setting.
        ValueError: the argument has any other value.
    """
    wanted = str(data_format).lower()
    if wanted == "channels_first":
        raise UnimplementedError(
            'The global setting "channels_first" is not supported.',
            fix="use `tf.transpose(images, [0, 2, 3, 1])`",
        )
    if wanted != "channels_last":
        raise TapeValueError(
            "The `data_format` argument must be one of 'channels_first', 'channels_last'. "
            f"Received: data_format={wanted}",
            fix="use `set_image_data_format('channels_last')`",
        )


def backend() -> str:
    """Return the name of Keras's backend, which is always "tensorflow".

    Returns:
        "tensorflow".
    """
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

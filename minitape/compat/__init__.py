"""`tf.compat`: the names of TensorFlow 1 and 2, and conversions between Python's string types.

    v1    the names that eager TensorFlow 1 programs use; errors for other names say what replaced them
    v2    all of `tf`

Source: https://www.tensorflow.org/api_docs/python/tf/compat
"""

import numbers
import os
from typing import Any

import numpy as np

from minitape.compat import v1, v2
from minitape.errors import TapeTypeError
from minitape.lazy_namespace import helpful_getattr

bytes_or_text_types = (bytes, str)
complex_types = (numbers.Complex, np.number)
integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)


def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Convert bytes or str to str.

    Raises:
        TypeError: the argument is neither bytes nor str.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/as_text
    """
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    raise TapeTypeError(f"Expected binary or unicode string, got {bytes_or_text!r}", fix="str(x)")


as_str = as_text


def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """Convert bytes or str to bytes.

    Raises:
        TypeError: the argument is neither bytes nor str.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/as_bytes
    """
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    return as_text(bytes_or_text).encode(encoding)


def as_str_any(value: Any, encoding: str = "utf-8") -> str:
    """Convert any object to str; bytes are decoded.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/as_str_any
    """
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


def path_to_str(path: Any) -> Any:
    """Convert a path to str; other objects are returned unchanged.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/path_to_str
    """
    return os.fspath(path) if isinstance(path, os.PathLike) else path


def dimension_value(dimension: int | None) -> int | None:
    """Return the size of an axis, unchanged.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/dimension_value
    """
    return dimension


__getattr__ = helpful_getattr(__name__)

__all__ = [
    "as_bytes",
    "as_str",
    "as_str_any",
    "as_text",
    "bytes_or_text_types",
    "complex_types",
    "dimension_value",
    "integral_types",
    "path_to_str",
    "real_types",
    "v1",
    "v2",
]

"""`tf.compat`: the names of TensorFlow 1 and 2 side by side, and Python's kinds of text.

    v1    what programs for eager TensorFlow 1 use; the rest is told what came after it
    v2    all of `tf`

Source: https://www.tensorflow.org/api_docs/python/tf/compat
"""

import numbers
import os
from typing import Any

import numpy as np

from minitape.compat import v1, v2
from minitape.errors import TapeTypeError
from minitape.lazy_namespace import telling

bytes_or_text_types = (bytes, str)
complex_types = (numbers.Complex, np.number)
integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)


def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Text as Python's str.

    Raises:
        TypeError: it is neither bytes nor str.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/as_text
    """
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    raise TapeTypeError(f"Expected binary or unicode string, got {bytes_or_text!r}", fix="str(x)")


as_str = as_text


def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """Text as Python's bytes.

    Raises:
        TypeError: it is neither bytes nor str.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/as_bytes
    """
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    return as_text(bytes_or_text).encode(encoding)


def as_str_any(value: Any, encoding: str = "utf-8") -> str:
    """Anything as str; bytes are decoded.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/as_str_any
    """
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


def path_to_str(path: Any) -> Any:
    """A path as str; what is no path stays as it is.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/path_to_str
    """
    return os.fspath(path) if isinstance(path, os.PathLike) else path


def dimension_value(dimension: int | None) -> int | None:
    """The length of an axis: itself.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/dimension_value
    """
    return dimension


__getattr__ = telling(__name__)

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

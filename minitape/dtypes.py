"""`tf.dtypes`: what the elements of a tensor can be."""

from typing import Any

from minitape.core.bfloat16 import load
from minitape.core.dtypes import (
    DType,
    as_dtype,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from minitape.core.dtypes import bool_ as bool
from minitape.lazy_namespace import telling
from minitape.ops.passing import cast

_missing = telling(__name__)


def __getattr__(name: str) -> Any:
    """bfloat16 brings a package along, so it comes with its first use."""
    return load() if name == "bfloat16" else _missing(name)


__all__ = [
    "DType",
    "as_dtype",
    "bfloat16",  # noqa: F822  # comes with its first use
    "bool",
    "cast",
    "complex64",
    "complex128",
    "double",
    "float16",
    "float32",
    "float64",
    "half",
    "int8",
    "int16",
    "int32",
    "int64",
    "string",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

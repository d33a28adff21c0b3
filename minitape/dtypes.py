"""`tf.dtypes`: the dtypes of tensors."""

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
from minitape.errors import MissingNameError
from minitape.lazy_namespace import helpful_getattr
from minitape.ops.identity import cast

_missing = helpful_getattr(__name__)


def __getattr__(name: str) -> Any:
    """Load bfloat16 when it is first used."""
    if name not in __optional__:
        return _missing(name)
    try:
        return load()
    except MissingNameError as error:
        from minitape.unsupported.errors import (
            of_package,
        )  # imported only here, because its table of names is large

        raise of_package(error, name) from error


# Names that need an optional package. They are not in `__all__`, so that `import *` and code that iterates over `__all__` work
# without that package.
__optional__ = ["bfloat16"]

__all__ = [
    "DType",
    "as_dtype",
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

"""The dtypes under TensorFlow's names, and which of them can have a gradient.

NumPy has all of them except bfloat16. The package ml_dtypes provides bfloat16 when a program first uses it.

Source: https://www.tensorflow.org/api_docs/python/tf/dtypes
"""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.errors import TapeTypeError, TapeValueError


def kind_of(dtype: Any) -> str:
    """Return the kind of a NumPy dtype as a letter; it is "f" for bfloat16 too, which NumPy does not count as a number."""
    return "f" if dtype.kind == "V" else str(dtype.kind)


def limits_of(dtype: Any) -> Any:
    """Return the limits of a NumPy float dtype: the smallest and the largest value, and the machine epsilon, as `np.finfo`
    does.
    """
    return (
        importlib.import_module("ml_dtypes").finfo(dtype) if dtype.kind == "V" else np.finfo(dtype)
    )


class DType:
    """The type of a tensor's elements. A DType compares equal to its name and to its NumPy dtype."""

    __slots__ = (
        "as_numpy_dtype",
        "is_bool",
        "is_complex",
        "is_differentiable",
        "is_floating",
        "is_integer",
        "is_numeric",
        "is_unsigned",
        "name",
        "numpy",
    )

    def __init__(self, name: str, numpy: Any) -> None:
        if not isinstance(name, str) or not isinstance(numpy, type):
            raise TapeTypeError(
                f"`tf.DType` cannot create a new dtype from {name!r} and {numpy!r}.",
                fix="use `tf.as_dtype('float32')`",
            )
        self.name = name
        self.numpy: np.dtype[Any] = np.dtype(numpy)
        self.as_numpy_dtype = object if name == "string" else self.numpy.type
        kind = kind_of(self.numpy)
        self.is_floating, self.is_complex, self.is_bool = kind == "f", kind == "c", kind == "b"
        self.is_unsigned, self.is_integer = kind == "u", kind in "iu"
        self.is_differentiable, self.is_numeric = kind in "fc", kind in "fciu"

    @property
    def is_quantized(self) -> bool:
        return False

    @property
    def is_numpy_compatible(self) -> bool:
        return True

    @property
    def real_dtype(self) -> "DType":
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    @property
    def base_dtype(self) -> "DType":
        """This dtype, because minitape has no reference dtypes."""
        return self

    @property
    def min(self) -> Any:
        """The smallest number of this dtype.

        Raises:
            TypeError: the dtype is not numeric, or its values have no order.
        """
        return self._range("minimum").min

    @property
    def max(self) -> Any:
        """The largest number of this dtype.

        Raises:
            TypeError: the dtype is not numeric, or its values have no order.
        """
        return self._range("maximum").max

    def _range(self, which: str) -> Any:
        if self.is_integer:
            return np.iinfo(self.numpy)
        if self.is_floating:
            return limits_of(self.numpy)
        raise TapeTypeError(
            f"Cannot find {which} value of {self}, because its values have no order."
        )

    @property
    def limits(self) -> tuple[Any, Any]:
        """The values of black and white in an image of this dtype.

        Raises:
            ValueError: images cannot have this dtype.
        """
        if self.is_integer:
            return 0, self.max
        if self.is_bool:
            return 0, True
        if self.name in ("float32", "float64"):
            return 0, 1
        raise TapeValueError(
            f"{self} does not have defined limits.", fix="use `tf.cast(x, tf.float32)`"
        )

    @property
    def size(self) -> int:
        """The number of bytes of one element; 0 if it varies."""
        return 0 if self.name == "string" else self.numpy.itemsize

    @property
    def as_datatype_enum(self) -> int:
        """The number of this dtype in TensorFlow's file formats."""
        return _NUMBERS[self.name]

    def is_compatible_with(self, other: Any) -> bool:
        """Return whether the other dtype is equal to this one."""
        return bool(self == other)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, DType):
            return self.name == other.name
        try:
            return self.name == as_dtype(other).name
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)


float16 = half = DType("float16", np.float16)
float32 = DType("float32", np.float32)
float64 = double = DType("float64", np.float64)
complex64 = DType("complex64", np.complex64)
complex128 = DType("complex128", np.complex128)
int8 = DType("int8", np.int8)
int16 = DType("int16", np.int16)
int32 = DType("int32", np.int32)
int64 = DType("int64", np.int64)
uint8 = DType("uint8", np.uint8)
uint16 = DType("uint16", np.uint16)
uint32 = DType("uint32", np.uint32)
uint64 = DType("uint64", np.uint64)
bool_ = DType("bool", np.bool_)
string = DType("string", object)

ALL: tuple[DType, ...] = (
    float16,
    float32,
    float64,
    complex64,
    complex128,
    int8,
    int16,
    int32,
    int64,
)
ALL += (uint8, uint16, uint32, uint64, bool_, string)
_BY_NAME = {dtype.name: dtype for dtype in ALL} | {"half": float16, "double": float64}


# The functions that load optional dtypes; each is registered by the module that owns the dtype.
LATER: dict[str, Callable[[], DType]] = {}


class _ByNumpy(dict[Any, DType]):
    """The dtypes by NumPy dtype; an optional dtype is loaded when it is first looked up."""

    def __missing__(self, dtype: Any) -> DType:
        if dtype.name not in LATER:
            raise TapeTypeError(f"A tensor cannot hold elements of NumPy's dtype {dtype}.")
        return LATER[dtype.name]()


BY_NUMPY = _ByNumpy({dtype.numpy: dtype for dtype in ALL})


def add(dtype: DType) -> None:
    """Register an optional dtype. After that, `as_dtype` accepts its name, its number and its NumPy dtype."""
    BY_NUMPY[dtype.numpy] = _BY_NAME[dtype.name] = _BY_NUMBER[dtype.as_datatype_enum] = dtype


def of(array: Any) -> DType:
    """Return the dtype of an array.

    Raises:
        TypeError: tensors cannot have such elements.
    """
    return BY_NUMPY[array.dtype]


_NUMBERS = {
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "string": 7,
    "complex64": 8,
    "int64": 9,
    "bool": 10,
    "bfloat16": 14,
    "uint16": 17,
    "complex128": 18,
    "float16": 19,
    "uint32": 22,
    "uint64": 23,
}
_BY_NUMBER: dict[float, DType] = {dtype.as_datatype_enum: dtype for dtype in ALL}

_ALIASES = {"half": float16, "float": float32, "double": float64}

# Python types that correspond to several dtypes.
_UNSAID = (int, complex, str)


def as_dtype(type_value: Any) -> DType:
    """Return the DType for a DType, its name or number, a NumPy dtype, or Python's float or bool.

    Raises:
        TypeError: it is not a dtype, or it is Python's int, whose number of bits is not defined.
        ImportError: the dtype is bfloat16, and its package is not installed.

    Source: https://www.tensorflow.org/api_docs/python/tf/dtypes/as_dtype
    """
    value = type_value
    if type(value) is DType:
        return value
    if isinstance(value, np.dtype) and value in BY_NUMPY:
        return BY_NUMPY[value]
    if isinstance(value, str) and value in _BY_NAME:
        return _BY_NAME[value]
    if isinstance(value, str) and value in _ALIASES:
        return _ALIASES[value]
    if isinstance(value, str) and value in LATER:
        return LATER[value]()
    if isinstance(value, int | float) and value in _BY_NUMBER:
        return _BY_NUMBER[value]
    if isinstance(value, int | float) and value == _NUMBERS["bfloat16"]:
        return LATER["bfloat16"]()
    if value is float:
        return float32
    # Only TensorFlow's names are valid strings, not NumPy's "f4" or "int".
    is_said = not isinstance(value, str) and not any(value is each for each in _UNSAID)
    if value is not None and is_said:
        try:
            # Tensors use the byte order of this machine, regardless of the order in a file.
            meant = value.newbyteorder("=") if isinstance(value, np.dtype) else np.dtype(value)
        except (TypeError, ValueError):
            meant = None
        if meant in BY_NUMPY or (meant is not None and meant.name in LATER):
            return BY_NUMPY[meant]
    raise TapeTypeError(
        f"Cannot convert {value!r} to a TensorFlow DType.",
        fix="use `tf.int32`"
        if value is int
        else "use `tf.float32`, or the dtype's name, `'float32'`",
    )

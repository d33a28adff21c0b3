"""A Tensor is an immutable array with an id that is never reused.

The id identifies a tensor on a tape. A tape stores ids, not tensors, so it does not keep tensors alive that its rules do not
need. The operators look up their op by name, because the modules of ops import this one.

Values that are converted for NumPy or Python (`numpy()`, `float(t)`, `np.mean(t)`) pass through `listeners.hand_out`. A tape does
not record what happens to them afterwards, but a listener can record that they left.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any, NoReturn

import numpy as np

from minitape.core import dtypes, listeners
from minitape.core.registry import PRIMITIVES, SYNTAX
from minitape.core.shapes import TensorShape
from minitape.core.values import Array
from minitape.errors import (
    InvalidArgumentError,
    MessageParts,
    MissingAttributeError,
    TapeTypeError,
    TapeValueError,
)
from minitape.unsupported.attribute_errors import missing

next_id = count(1).__next__
new_tuple = tuple.__new__  # the sizes of an array are valid

# NumPy methods that students try, each with the TensorFlow function that does the same and that a tape records.
_NUMPY_METHODS = {
    "T": "use `tf.transpose(x)`",
    "all": "use `tf.reduce_all(x)`",
    "any": "use `tf.reduce_any(x)`",
    "argmax": "use `tf.argmax(x)`",
    "argmin": "use `tf.argmin(x)`",
    "astype": "use `tf.cast(x, dtype)`",
    "clip": "use `tf.clip_by_value(x, low, high)`",
    "copy": "use `tf.identity(x)`",
    "dot": "use `tf.tensordot(x, y, axes=1)`, or `x @ y` for matrices",
    "flatten": "use `tf.reshape(x, [-1])`",
    "item": "use `float(x)` or `x.numpy()`",
    "max": "use `tf.reduce_max(x)`",
    "mean": "use `tf.reduce_mean(x)`",
    "min": "use `tf.reduce_min(x)`",
    "prod": "use `tf.reduce_prod(x)`",
    "ravel": "use `tf.reshape(x, [-1])`",
    "reshape": "use `tf.reshape(x, shape)`",
    "size": "use `tf.size(x)`",
    "squeeze": "use `tf.squeeze(x)`",
    "std": "use `tf.math.reduce_std(x)`",
    "sum": "use `tf.reduce_sum(x)`",
    "tolist": "use `x.numpy().tolist()`",
    "transpose": "use `tf.transpose(x)`",
    "var": "use `tf.math.reduce_variance(x)`",
}


# Modules whose types are converted to tensors if possible, because their operators do not support tensors.
_CONVERTIBLE = ("builtins", "numpy", "minitape.core.tensor", "minitape.core.variable")


def _of_two(op: str, reflected: str) -> Callable[[Any, Any], Any]:
    """Return the method of an operator. If the other operand cannot become a tensor, its own reflected method may handle the
    operation.
    """

    def method(self: Any, other: Any) -> Any:
        try:
            return PRIMITIVES[op].of_two(self, other)
        except TapeValueError:
            if type(other).__module__ in _CONVERTIBLE or not hasattr(type(other), reflected):
                raise
            return NotImplemented

    return method


class Operators:
    """Python's operators on values of the engine; each one calls an op of the catalog."""

    __slots__ = ()

    # This priority makes NumPy use the operator of the tensor for `array * tensor`, so that the tape records it.
    __array_priority__ = 100

    __add__ = _of_two("AddV2", "__radd__")
    __sub__ = _of_two("Sub", "__rsub__")
    __mul__ = _of_two("Mul", "__rmul__")
    __truediv__ = _of_two("RealDiv", "__rtruediv__")
    __floordiv__ = _of_two("FloorDiv", "__rfloordiv__")
    __mod__ = _of_two("FloorMod", "__rmod__")
    __pow__ = _of_two("Pow", "__rpow__")
    __matmul__ = _of_two("MatMul", "__rmatmul__")

    def __radd__(self, other: Any) -> Any:
        return PRIMITIVES["AddV2"].of_two(other, self)

    def __rsub__(self, other: Any) -> Any:
        return PRIMITIVES["Sub"].of_two(other, self)

    def __rmul__(self, other: Any) -> Any:
        return PRIMITIVES["Mul"].of_two(other, self)

    def __rtruediv__(self, other: Any) -> Any:
        return PRIMITIVES["RealDiv"].of_two(other, self)

    def __rfloordiv__(self, other: Any) -> Any:
        return PRIMITIVES["FloorDiv"].of_two(other, self)

    def __rmod__(self, other: Any) -> Any:
        return PRIMITIVES["FloorMod"].of_two(other, self)

    def __rpow__(self, other: Any) -> Any:
        return PRIMITIVES["Pow"].of_two(other, self)

    def __rmatmul__(self, other: Any) -> Any:
        return PRIMITIVES["MatMul"].of_two(other, self)

    def __neg__(self) -> Any:
        return PRIMITIVES["Neg"](self)

    def __abs__(self) -> Any:
        return SYNTAX["abs"](self)

    def __lt__(self, other: Any) -> Any:
        return PRIMITIVES["Less"](self, other)

    def __le__(self, other: Any) -> Any:
        return PRIMITIVES["LessEqual"](self, other)

    def __gt__(self, other: Any) -> Any:
        return PRIMITIVES["Greater"](self, other)

    def __ge__(self, other: Any) -> Any:
        return PRIMITIVES["GreaterEqual"](self, other)

    def __eq__(self, other: Any) -> Any:
        return False if other is None else _compared("Equal", self, other, if_shapes_differ=False)

    def __ne__(self, other: Any) -> Any:
        return True if other is None else _compared("NotEqual", self, other, if_shapes_differ=True)

    def __and__(self, other: Any) -> Any:
        return _bitwise("And", self, other)

    def __rand__(self, other: Any) -> Any:
        return _bitwise("And", other, self)

    def __or__(self, other: Any) -> Any:
        return _bitwise("Or", self, other)

    def __ror__(self, other: Any) -> Any:
        return _bitwise("Or", other, self)

    def __xor__(self, other: Any) -> Any:
        return _bitwise("Xor", self, other)

    def __invert__(self) -> Any:
        return PRIMITIVES["Invert" if _is_integer(self) else "LogicalNot"](self)

    def __getitem__(self, key: Any) -> Any:
        return SYNTAX["getitem"](self, key)

    def __hash__(self) -> NoReturn:
        name = type(self).__name__
        raise TapeTypeError(
            f"{name} is unhashable, because `==` compares its elements.",
            fix="use `x.ref()` as the key",
        )


def _bitwise(op: str, a: Any, b: Any) -> Any:
    """Compute `&`, `|` or `^`, bitwise for integers and logical for booleans."""
    lead = a if isinstance(a, Operators) else b
    return PRIMITIVES[f"{'Bitwise' if _is_integer(lead) else 'Logical'}{op}"](a, b)


def _is_integer(value: Any) -> bool:
    dtype = value.dtype
    return (
        getattr(dtype, "numpy", dtype).kind in "iu"
    )  # for a Batched value over an array, this is a NumPy dtype


def _compared(op: str, a: Any, b: Any, *, if_shapes_differ: bool) -> Any:
    """Compute `==` or `!=`; values whose shapes do not broadcast are not equal."""
    try:
        return PRIMITIVES[op](a, b)
    except InvalidArgumentError as error:
        if error.code != "MT507":
            raise
        return Tensor(np.bool_(if_shapes_differ))


class TensorLike(Operators):
    """The NumPy and Python interface of a Tensor or Variable. Each value that leaves the engine passes through `hand_out`."""

    __slots__ = ()

    _array: Array

    @property
    def shape(self) -> TensorShape:
        return new_tuple(TensorShape, self._array.shape)

    def set_shape(self, shape: Any) -> None:
        """Check the shape; in TensorFlow's graphs, this method sets what is known about the shape.

        Raises:
            ValueError: the shape is different.
        """
        if not self.shape.is_compatible_with(shape):
            raise TapeValueError(
                f"Tensor's shape {self.shape} is not compatible with supplied shape {TensorShape(shape)}.",
                fix="use `tf.reshape(x, shape)`",
                code="MT507",
            )

    def get_shape(self) -> TensorShape:
        return self.shape

    @property
    def dtype(self) -> dtypes.DType:
        return dtypes.BY_NUMPY[self._array.dtype]

    @property
    def ndim(self) -> int:
        return int(self._array.ndim)

    def _show_to_tapes(self) -> None:
        """Notify the tapes that a variable is used; for a tensor there is nothing to do."""

    def _operand(self) -> Any:
        """Return the object that is passed to ops."""
        return self

    @property
    def device(self) -> str:
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    def numpy(self) -> Any:
        """Return the values as an ndarray, or as a NumPy scalar for rank 0. A tape does not record operations on them."""
        array = self._array
        product = array.copy() if isinstance(array, np.ndarray) and array.ndim else array[()]
        return listeners.hand_out((self,), "numpy", product) if listeners.active else product

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        product = np.array(self._array, dtype, order="C")
        return listeners.hand_out((self,), "__array__", product) if listeners.active else product

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Return the result of a NumPy ufunc as a plain array."""
        product = array[()] if return_scalar else array
        if not listeners.active or context is None:
            return product
        ufunc, inputs = context[0], context[1]
        tensors = tuple(each for each in inputs if isinstance(each, TensorLike))
        return listeners.hand_out(tensors, f"np.{ufunc.__name__}", product)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Call a NumPy function with arrays in place of tensors."""
        tensors: list[TensorLike] = []
        product = func(*_as_arrays(args, tensors), **_as_arrays(kwargs, tensors))
        if not listeners.active:
            return product
        module = func.__module__.replace("numpy", "np") if func.__module__ else "np"
        return listeners.hand_out(tuple(tensors), f"{module}.{func.__name__}", product)

    def _scalar(self, kind: Callable[[Any], Any]) -> Any:
        if self._array.size != 1:
            raise TapeTypeError(
                f"only a tensor of one element can be converted to a Python {kind.__name__}, "
                f"but this one has shape {self.shape}.",
                fix="use `tf.reduce_mean(x)`, or `x.numpy()` for all values",
            )
        product = kind(self._array.reshape(-1)[0])
        return listeners.hand_out((self,), kind.__name__, product) if listeners.active else product

    def __float__(self) -> float:
        return float.__float__(self._scalar(float))

    def __int__(self) -> int:
        return int.__int__(self._scalar(int))

    def __complex__(self) -> complex:
        return complex.__complex__(self._scalar(complex))

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iu":
            raise TapeTypeError(
                f"only integer tensors can be used as an index, not {self.dtype.name}.",
                fix="use `tf.cast(x, tf.int32)`",
            )
        return int.__int__(self._scalar(int))

    def __bool__(self) -> bool:
        if self._array.size != 1:
            raise TapeValueError(
                f"A tensor of shape {self.shape} does not have a single boolean value.",
                fix="use `tf.reduce_any(x)` or `tf.reduce_all(x)`",
            )
        product = bool(self._array.reshape(-1)[0])
        return bool(listeners.hand_out((self,), "bool", product)) if listeners.active else product

    def __len__(self) -> int:
        if not self._array.ndim:
            raise TapeTypeError("Scalar tensor has no `len()`.")
        return int(self._array.shape[0])

    def __iter__(self) -> Iterator[Any]:
        if not self._array.ndim:
            raise TapeTypeError("Cannot iterate over a scalar tensor.")
        return (self[i] for i in range(self._array.shape[0]))

    def __format__(self, spec: str) -> str:
        text = format(self._array if self._array.ndim else self._array[()], spec)
        return str(listeners.hand_out((self,), "format", text)) if listeners.active else text

    def ref(self) -> "Reference":
        """Return a hashable reference to this object, for sets and as a key of dicts."""
        return Reference(self)

    def __getattr__(self, name: str) -> NoReturn:
        if name in _NUMPY_METHODS:
            kind = type(self).__name__
            what = f"'{kind}' object has no attribute '{name}', which is a NumPy method."
            raise MissingAttributeError(name, lambda: MessageParts(what, _NUMPY_METHODS[name]))
        raise missing(type(self), name, partial(dir, self))


def _as_arrays(structure: Any, tensors: list[TensorLike]) -> Any:
    """Return the arguments of a NumPy call with arrays in place of tensors, which are collected."""
    if isinstance(structure, TensorLike):
        tensors.append(structure)
        return structure._array
    if isinstance(structure, tuple | list):
        return type(structure)([_as_arrays(each, tensors) for each in structure])
    if isinstance(structure, dict):
        return {key: _as_arrays(each, tensors) for key, each in structure.items()}
    return structure


class Reference:
    """A hashable reference to a tensor or variable: equal only to a reference to the same object."""

    __slots__ = ("_target",)

    def __init__(self, target: TensorLike) -> None:
        self._target = target

    def deref(self) -> TensorLike:
        return self._target

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and other._target is self._target

    def __hash__(self) -> int:
        return id(self._target)


class Tensor(TensorLike):
    """An immutable array that a tape can record.

    Its `_array` is never changed, and no other tensor ever gets its `_id`.

    Source: https://www.tensorflow.org/api_docs/python/tf/Tensor
    """

    __slots__ = ("__weakref__", "_array", "_id", "_keras_logits", "_keras_mask")

    # Attributes for Keras: the mask of this tensor, and the logits from which probabilities were computed, or None.
    _keras_logits: Any
    _keras_mask: Any

    def __init__(self, array: Array) -> None:
        self._array = array
        self._id = next_id()
        self._keras_logits = self._keras_mask = None

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TapeTypeError(
            "A Tensor cannot be changed: 'Tensor' object does not support item assignment.",
            fix="collect the parts in a list and call `tf.stack`, or call `v[i].assign` on a `tf.Variable`",
        )

    def __repr__(self) -> str:
        return (
            f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={self._shown(repr)}>"
        )

    def __str__(self) -> str:
        return f"tf.Tensor({self._shown(str)}, shape={self.shape}, dtype={self.dtype.name})"

    def _shown(self, show: Callable[[Any], str]) -> str:
        text = show(self._array) if self._array.ndim else scalar_text(self._array, show)
        return f"\n{text}" if "\n" in text else text

    def __bytes__(self) -> bytes:
        """Return the values as bytes in memory order; for an integer scalar, return as many zero bytes, as `bytes(n)` does in
        Python.

        Unlike TensorFlow, `memoryview(tensor)` is not supported, because a trace could not record access to the memory.
        """
        if not self._array.ndim and self._array.dtype.kind in "iu":
            return bytes(int(self))
        if self._array.dtype.kind == "O":
            raise TapeTypeError(
                "A tensor of strings is not stored contiguously in memory.",
                fix="use `x.numpy()`, which returns an array of bytes",
            )
        return bytes(self.numpy().tobytes())

    def __copy__(self) -> "Tensor":
        return self

    def __deepcopy__(self, memo: Any) -> "Tensor":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return SYNTAX["restored"], (self._array,)


def snapshot(array: Array, identity: int) -> Tensor:
    """Return a tensor with an existing id, for the value of a variable at one moment or a value that a tape kept."""
    tensor = Tensor.__new__(Tensor)
    tensor._array = array
    tensor._id = identity
    tensor._keras_logits = tensor._keras_mask = None
    return tensor


def scalar_text(array: Array, show: Callable[[Any], str]) -> str:
    """Return the text of a tensor of rank 0 for its `repr` or `str`."""
    item = array[()]
    if array.dtype.kind == "V" and show is repr:
        return repr(item.item())  # bfloat16 has no short format of its own
    return repr(item) if isinstance(item, str | bytes) else str(item)

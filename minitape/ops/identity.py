"""Identity ops, conversions of dtype, and ops whose result has no gradient.

identity, ReadVariableOp, ensure_shape   the same value
cast                                     the value in a different dtype; integers and booleans end the path
stop_gradient                            the same value, without a gradient
numpy_function                           computed by NumPy, which the tape does not record
py_function                              computed by Python code that calls ops
unique, as_string, to_number             not differentiable
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minitape.core import dtypes, nest
from minitape.core.arguments import function_given, listed
from minitape.core.batched import Batched, raw_dtype
from minitape.core.convert import as_array, as_operand, convert_to_tensor, is_engine_value
from minitape.core.declaration import (
    ANY,
    DIFFERENTIABLE_KINDS,
    NUMERIC_KINDS,
    VARIADIC,
    EveryInput,
    no_gradient,
    not_registered,
)
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.primitive import Primitive
from minitape.core.shapes import TensorShape
from minitape.core.tensor import Tensor
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, TapeTypeError, UnimplementedError
from minitape.ops.rules import leading_axes, leading_axes_of_all

identity: Primitive = Primitive(
    "Identity",
    lambda x: x,
    vjp=(lambda ybar, y, x: ybar,),
    batch=leading_axes,
    rule="x̄ = ȳ",
    dtype_kinds=ANY,
)

read_variable: Primitive = Primitive(
    "ReadVariableOp",
    lambda x: x,
    vjp=(lambda ybar, y, x: ybar,),
    batch=leading_axes,
    rule="x̄ = ȳ",
    dtype_kinds=ANY,
)

stop_gradient: Primitive = Primitive(
    "StopGradient",
    lambda x: x,
    vjp=no_gradient(reason="stop_gradient ends the path here", restarts_at_output=False),
    batch=leading_axes,
    dtype_kinds=ANY,
)

# --- cast ---


def _cast_kernel(x: Array, *, dtype: Any) -> Array:
    if x.dtype.kind == "c" and dtype.kind != "c":
        x = x.real
    return x.astype(dtype)


_cast_from_or_to_whole: Primitive = Primitive(
    "Cast",
    _cast_kernel,
    vjp=no_gradient(
        reason="its input or its result is not a float, and integers and booleans have no derivative"
    ),
    batch=leading_axes,
    dtype_kinds=ANY,
)

# Declared last, so that the registry has this op under the name.
_cast: Primitive = Primitive(
    "Cast",
    _cast_kernel,
    vjp=(lambda ybar, y, x, dtype: _cast(ybar, dtype=raw_dtype(x)),),
    batch=leading_axes,
    rule="x̄ = ȳ in the dtype of x",
    dtype_kinds=ANY,
)


def cast(x: Value, dtype: Any, name: str | None = None) -> Value:
    """Convert values to a different dtype.

    Args:
        x: A tensor of any shape with numbers or bool.
        dtype: The new dtype. A float is truncated to an integer; a number that is not 0 becomes True.
        name: Ignored.

    Returns:
        A tensor with the shape of `x` and dtype `dtype`.

    Raises:
        TypeError: `dtype` is not a dtype.
        UnimplementedError: one of the dtypes is a string.

    Gradient: Between float dtypes, derivatives of any order are supported, including batched ones. A cast to or from integers or
    booleans has no gradient.

    Source: https://www.tensorflow.org/api_docs/python/tf/cast

    >>> cast([1.7, -1.7], "int32").numpy().tolist()
    [1, -1]
    """
    wanted = dtypes.as_dtype(dtype).numpy
    if type(x) is Tensor and x._array.dtype == wanted:
        return x
    value = as_operand(x)
    if isinstance(value, IndexedSlices):
        value = value.to_dense_tensor()
    have = raw_dtype(value)
    if have == wanted and isinstance(value, Tensor):
        return value
    if have.kind == "O" or wanted.kind == "O":
        raise UnimplementedError(
            "`cast` does not convert between strings and numbers.",
            fix="use `tf.strings.to_number(x)` or `tf.strings.as_string(x)`",
            code="MT506",
        )
    smooth = have.kind in DIFFERENTIABLE_KINDS and wanted.kind in DIFFERENTIABLE_KINDS
    return (_cast if smooth else _cast_from_or_to_whole)(value, dtype=wanted)


def identity_for_users(input: Value, name: str | None = None) -> Value:
    """Return the same value as a new tensor.

    Args:
        input: A tensor, or a value that can be converted to a tensor.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/identity
    """
    return identity(as_operand(input))


def stop_gradient_for_users(input: Value, name: str | None = None) -> Value:
    """Return the same value, through which no gradient flows.

    Args:
        input: A tensor, or a value that can be converted to a tensor.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Gradient: There is none, by definition.

    Source: https://www.tensorflow.org/api_docs/python/tf/stop_gradient
    """
    return stop_gradient(as_operand(input))


def _identity_n_vjp(position: int, ybars: Any, ys: Any, *values: Value) -> Value:
    if ybars[position] is not None:
        return ybars[position]
    x = values[position]
    other = next(ybar for ybar in ybars if ybar is not None)
    if type(other) is Batched:
        return Batched(np.zeros((other.stack.shape[0], *x.shape), raw_dtype(x)))
    return np.zeros(tuple(x.shape), raw_dtype(x))


_identity_n: Primitive = Primitive(
    "IdentityN",
    lambda *values: values,
    vjp=EveryInput(_identity_n_vjp),
    batch=leading_axes_of_all,
    rule="each input receives the ȳ of the corresponding output, or zeros if that output is not used",
    dtype_kinds=ANY,
    same_dtype_args=(),
    outputs=VARIADIC,
)


def identity_n(input: Any, name: str | None = None) -> list[Value]:
    """Return the same values as new tensors, computed by one op.

    Args:
        input: A list of values.
        name: Ignored.

    Returns:
        A list of tensors.

    Gradient: Derivatives of any order are supported, including batched ones. If at least one output is used, a value whose output
    is not used receives zeros, not None.

    Source: https://www.tensorflow.org/api_docs/python/tf/identity_n
    """
    return list(_identity_n(*map(as_operand, listed(input, "input"))))


_ensure: Primitive = Primitive(
    "EnsureShape",
    lambda x, *, shape: x,
    vjp=(lambda ybar, y, x, shape: ybar,),
    batch=leading_axes,
    rule="x̄ = ȳ",
    dtype_kinds=ANY,
)


def ensure_shape(x: Value, shape: Any, name: str | None = None) -> Value:
    """Return `x` unchanged, or raise an error if its shape is different.

    Args:
        x: A tensor of any shape and dtype.
        shape: The expected shape; None for any size.
        name: Ignored.

    Returns:
        `x`.

    Raises:
        InvalidArgumentError: the shape is different.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/ensure_shape
    """
    value = as_operand(x)
    have = tuple(value.shape)
    wanted = TensorShape(shape)
    if not wanted.is_compatible_with(have):
        raise InvalidArgumentError(
            f"Shape of tensor {have} is not compatible with expected shape {wanted}.",
            fix="call `print(x.shape)` where the value is created",
            code="MT507",
        )
    return _ensure(value, shape=have)


# --- Python functions ---


def _call_kernel(*arrays: Array, func: Callable[..., Any]) -> tuple[Array, ...]:
    # The function gets a copy, so that it cannot change a tensor by changing its argument.
    outputs = nest.flatten(func(*(np.array(x) for x in arrays)))
    return tuple(as_array(y, None) for y in outputs if y is not None)


_numpy_function: Primitive = Primitive(
    "PyFunc",
    _call_kernel,
    vjp=no_gradient(
        reason="it runs a Python function on NumPy arrays, whose operations the tape does not record"
    ),
    dtype_kinds=ANY,
    same_dtype_args=(),
    outputs=VARIADIC,
)


def _as_numpy_has_it(value: Any) -> Any:
    """Return Python numbers as float64 and int64, which NumPy functions expect."""
    tensor = convert_to_tensor(value)
    is_pythons = not is_engine_value(value) and tensor.dtype in (dtypes.float32, dtypes.int32)
    return convert_to_tensor(np.array(value)) if is_pythons else tensor


def numpy_function(
    func: Any = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Call a Python function on the NumPy arrays of `inp`, and convert its results to tensors.

    Args:
        func: A function that takes arrays and returns an array or a list of arrays. If it is omitted, a decorator is returned.
        inp: The list of arguments of `func`; a Python float becomes float64, as in NumPy.
        Tout: The dtypes of the results in a TensorFlow graph; in minitape the results keep their own dtypes.
        stateful: Ignored.
        name: Ignored.

    Returns:
        A tensor for a single result, a list for several, None for none.

    Raises:
        TypeError: `Tout` is missing.

    Gradient: There is none, because the tape does not record NumPy operations.

    Source: https://www.tensorflow.org/api_docs/python/tf/numpy_function
    """
    if Tout is None:
        raise TapeTypeError("Missing required argument: 'Tout'.", fix="pass `Tout=tf.float32`")
    if func is None:
        return lambda function: lambda *args: numpy_function(function, args, Tout)
    values = [_as_numpy_has_it(value) for value in listed(inp, "inp")]
    # Without arguments there is no tensor input, so the op returns arrays.
    outputs = list(
        map(convert_to_tensor, _numpy_function(*values, func=function_given(func, "func")))
    )
    if not outputs:
        return None
    return outputs[0] if len(outputs) == 1 else outputs


# --- no gradient registered ---


def _unique_kernel(x: Array, *, out_idx: Any) -> tuple[Array, Array, Array]:
    """Return the distinct elements in order of first occurrence, the index of each element among them, and their counts."""
    if x.ndim != 1:
        raise InvalidArgumentError(
            f"`unique` requires a vector, but got a value of rank {x.ndim}.",
            fix="use `tf.reshape(x, [-1])`",
            code="MT507",
        )
    values, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    index = np.argsort(order)
    return values[order], index[inverse].astype(out_idx), counts[order].astype(out_idx)


_unique_with_counts: Primitive = Primitive(
    "UniqueWithCounts",
    _unique_kernel,
    vjp=not_registered(reason="TensorFlow has no rule for `unique`"),
    dtype_kinds=ANY,
    outputs=3,
)

_unique: Primitive = Primitive(
    "Unique",
    lambda x, *, out_idx: _unique_kernel(x, out_idx=out_idx)[:2],
    vjp=not_registered(reason="TensorFlow has no rule for `unique`"),
    dtype_kinds=ANY,
    outputs=2,
)


class Unique(NamedTuple):
    """The distinct elements `y`, and for each element of the input its index `idx` in `y`."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """The same as `Unique`, plus the count of each distinct element."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]  # TensorFlow's name for it, which tuples use for a method


def unique(x: Value, out_idx: Any = dtypes.int32, name: str | None = None) -> Unique:
    """Return the distinct elements of a vector, in order of first occurrence.

    Args:
        x: A tensor of rank 1.
        out_idx: The dtype of the indices.
        name: Ignored.

    Returns:
        A named tuple `(y, idx)`.

    Raises:
        InvalidArgumentError: the rank is not 1.

    Gradient: No gradient is registered, so requesting one raises LookupError.

    Source: https://www.tensorflow.org/api_docs/python/tf/unique
    """
    return Unique(*_unique(as_operand(x), out_idx=dtypes.as_dtype(out_idx).numpy))


def unique_with_counts(
    x: Value, out_idx: Any = dtypes.int32, name: str | None = None
) -> UniqueWithCounts:
    """Return the distinct elements of a vector, in order of first occurrence, and their counts.

    Args:
        x: A tensor of rank 1.
        out_idx: The dtype of the indices and counts.
        name: Ignored.

    Returns:
        A named tuple `(y, idx, count)`.

    Raises:
        InvalidArgumentError: the rank is not 1.

    Gradient: No gradient is registered, so requesting one raises LookupError.

    Source: https://www.tensorflow.org/api_docs/python/tf/unique_with_counts
    """
    return UniqueWithCounts(
        *_unique_with_counts(as_operand(x), out_idx=dtypes.as_dtype(out_idx).numpy)
    )


# --- strings ---


def _text_kernel(x: Array, *, form: str) -> Array:
    def text(item: Any) -> str:
        if isinstance(item, np.bool_):
            return "true" if item else "false"
        if isinstance(item, np.complexfloating):
            return f"({form % item.real},{form % item.imag})"
        return str(form % item)

    texts = np.empty(x.shape, object)
    for index in np.ndindex(x.shape):
        texts[index] = text(x[index]).encode()
    return texts


_as_string: Primitive = Primitive(
    "AsString",
    _text_kernel,
    vjp=no_gradient(reason="a string has no derivative"),
    dtype_kinds=NUMERIC_KINDS + "b",
)


def as_string(
    input: Value,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Value:
    """Convert numbers to strings.

    Args:
        input: Numbers of any shape, or bool.
        precision: The number of digits after the decimal point; 6 by default. Only for floats.
        scientific: Whether to use an exponent, as in 1.5e+00.
        shortest: Whether to use the shorter of the two formats.
        width: The minimum number of characters.
        fill: The padding before a shorter number: "0", " " or "+"; "-" adds spaces after the number.
        name: Ignored.

    Returns:
        Strings, with the shape of `input`.

    Raises:
        InvalidArgumentError: `precision` is given for integers, both `scientific` and `shortest` are True, or `fill` has several
            characters.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/strings/as_string
    """
    x = as_operand(input)
    is_whole = raw_dtype(x).kind in "iub"
    if scientific and shortest:
        raise InvalidArgumentError(
            "Cannot select both scientific and shortest notation.", fix="pass `shortest=True`"
        )
    if is_whole and (precision >= 0 or scientific or shortest):
        raise InvalidArgumentError(
            f"`precision`, `scientific` and `shortest` do not apply to {raw_dtype(x)}.",
            fix="use `tf.strings.as_string(tf.cast(x, tf.float32), precision=2)`",
        )
    if len(fill) > 1 or fill not in "0 +-":
        raise InvalidArgumentError(f"`fill` must be one of '0', ' ', '+' and '-', but is {fill!r}.")
    letter = "d" if is_whole else "e" if scientific else "g" if shortest else "f"
    least = str(width) if width >= 0 else ""
    digits = f".{precision}" if precision >= 0 else ""
    return _as_string(x, form=f"%{fill}{least}{digits}{letter}")


def _number_kernel(x: Array, *, out_type: Any) -> Array:
    numbers = np.empty(x.shape, out_type)
    for index in np.ndindex(x.shape):
        text = x[index].decode() if isinstance(x[index], bytes) else str(x[index])
        try:
            numbers[index] = float(text)
        except ValueError:
            raise InvalidArgumentError(
                f"StringToNumberOp could not correctly convert string: {text}"
            ) from None
    return numbers if numbers.ndim else numbers[()]


_to_number: Primitive = Primitive(
    "StringToNumber",
    _number_kernel,
    vjp=no_gradient(reason="a string has no derivative"),
    dtype_kinds="O",
)


def to_number(input: Value, out_type: Any = dtypes.float32, name: str | None = None) -> Value:
    """Convert strings to numbers.

    Args:
        input: Strings of any shape.
        out_type: float32 by default.
        name: Ignored.

    Returns:
        Numbers, with the shape of `input`.

    Raises:
        InvalidArgumentError: a string is not a number.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/strings/to_number
    """
    return _to_number(as_operand(input), out_type=dtypes.as_dtype(out_type).numpy)

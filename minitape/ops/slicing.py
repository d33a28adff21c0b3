"""Slices values, and adds borders to values.

    strided_slice ↔ its gradient  x[1:3, ..., -1]; a tensor of zeros with values in a slice
    pad                           add a border; the transpose is a slice
    v[i].assign(...)              change a part of a variable; tapes do not record the change

This module also implements `x[key]` for tensors and variables (SYNTAX).

A canonical key has one entry for each axis of x: a `Cut` (start, stop, step), an int, or None for a new axis. Settings are
plain data, which a trace can show.
"""

from typing import Any, NamedTuple

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import listed, word
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_array, as_operand, is_engine_value
from minitape.core.declaration import ANY, EveryInput
from minitape.core.primitive import Primitive
from minitape.core.registry import SYNTAX
from minitape.core.tensor import Tensor, TensorLike, snapshot
from minitape.core.unsupported_arguments import refuse
from minitape.core.values import Array, Ints, Value
from minitape.core.variable import Variable
from minitape.errors import (
    DtypeMismatchError,
    InvalidArgumentError,
    TapeTypeError,
)
from minitape.ops.axes import as_ints
from minitape.ops.identity import identity
from minitape.ops.indexing import _gather, boolean_mask
from minitape.ops.rules import Stacked


class Cut(NamedTuple):
    """A Python slice as plain data."""

    start: int | None
    stop: int | None
    step: int | None


Key = tuple[Cut | int | None, ...]
WHOLE_AXIS = Cut(None, None, None)


def _numpy_key(key: Key) -> tuple[Any, ...]:
    return tuple(slice(*entry) if isinstance(entry, tuple) else entry for entry in key)


# --- slice and its transpose ---


def _slice_kernel(x: Array, *indices: Array, key: Key) -> Array:
    part = x[_numpy_key(key)]
    # A single string has neither dtype nor shape.
    return (
        np.array(part, object) if x.dtype.kind == "O" and not isinstance(part, np.ndarray) else part
    )


def _slice_vjp(position: int, ybar: Value, y: Value, x: Value, *indices: Value, key: Key) -> Value:
    return put_slice(ybar, shape=tuple(x.shape), key=key) if position == 0 else None


def _slice_batch(op: Primitive, stacked: Stacked, x: Value, *indices: Value, key: Key) -> Value:
    return op(x, key=(WHOLE_AXIS, *key))


# Tensors used as indices are also inputs, so that they appear in a trace; the key contains their values.
strided_slice: Primitive = Primitive(
    "StridedSlice",
    _slice_kernel,
    vjp=EveryInput(_slice_vjp),
    batch=_slice_batch,
    rule="x̄ = ȳ at the sliced positions, 0 elsewhere",
    dtype_kinds=ANY,
    same_dtype_args=(0,),
)


def _put_kernel(part: Array, *, shape: Ints, key: Key) -> Array:
    whole = np.zeros(shape, part.dtype)
    whole[_numpy_key(key)] = part
    return whole


def _put_batch(op: Primitive, _: Stacked, part: Value, *, shape: Ints, key: Key) -> Value:
    return op(part, shape=(part.shape[0], *shape), key=(WHOLE_AXIS, *key))


put_slice: Primitive = Primitive(
    "StridedSliceGrad",
    _put_kernel,
    vjp=(lambda ybar, y, part, shape, key: strided_slice(ybar, key=key),),
    batch=_put_batch,
    rule="the slice of ȳ at the same positions",
)


def along(axis: int, start: int | None, stop: int | None) -> Key:
    """Return the key of `start:stop` on one axis and of all elements on the other axes."""
    return (*(WHOLE_AXIS,) * axis, Cut(start, stop, None))


# --- x[key] ---


def canonical_key(key: Any, shape: Ints) -> tuple[Key, tuple[Value, ...]]:
    """Return the key with `...` expanded and tensors read, and the tensors that it contained.

    Args:
        key: The key of `x[key]`.
        shape: The shape of x.

    Raises:
        InvalidArgumentError: an index is out of range.
        TypeError: the key is not valid.
    """
    entries = list(key) if isinstance(key, tuple | list) else [key]  # x[[0, 1]] is x[0, 1]
    tensors: list[Value] = []
    dots = [i for i, entry in enumerate(entries) if entry is Ellipsis]
    taken = sum(entry is not None and entry is not Ellipsis for entry in entries)
    if taken > len(shape):
        raise InvalidArgumentError(
            f"Index out of range using input dim {len(shape)}; input has only {len(shape)} dims",
            fix=f"use at most {len(shape)} indices, because the shape is {shape}",
            code="MT507",
        )
    if len(dots) > 1:
        raise InvalidArgumentError(
            "Multiple ellipses in slice spec not allowed.", fix="use `x[..., i]`"
        )
    if dots:
        entries[dots[0] : dots[0] + 1] = [slice(None)] * (len(shape) - taken)
    canonical: list[Cut | int | None] = []
    axis = 0
    for entry in entries:
        if entry is None:
            canonical.append(None)
        else:
            canonical.append(_canonical_entry(entry, axis, shape[axis], tensors))
            axis += 1
    return tuple(canonical), tuple(tensors)


def _canonical_entry(entry: Any, axis: int, size: int, tensors: list[Value]) -> Cut | int:
    if isinstance(entry, slice):
        parts = (entry.start, entry.stop, entry.step)
        start, stop, step = (None if part is None else _whole(part, tensors) for part in parts)
        if step == 0:
            raise InvalidArgumentError("slice index 0: the step must not be 0.", code="MT507")
        return Cut(start, stop, step)
    number = _whole(entry, tensors)
    if not -size <= number < size:
        raise InvalidArgumentError(
            f"slice index {number} of dimension {axis} out of bounds.",
            fix=f"use an index from {-size} to {size - 1}",
            code="MT507",
        )
    return number


def _whole(entry: Any, tensors: list[Value]) -> int:
    if type(entry) is int:
        return entry
    if isinstance(entry, TensorLike):
        array = entry._array
        if array.dtype.kind in "iu" and array.ndim == 0:
            tensors.append(entry)
            return int(array)
    elif isinstance(entry, np.integer) or (isinstance(entry, np.ndarray) and entry.ndim == 0):
        return int(entry)
    raise TapeTypeError(
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
        f"tf.int32/tf.int64 tensors are valid indices, got {entry!r}",
        fix="use `tf.gather(x, indices)` for several rows, or `tf.boolean_mask(x, mask)` for a mask",
        code="MT507",
    )


def _is_mask(key: Any) -> bool:
    if isinstance(key, Tensor):
        key = key._array
    return isinstance(key, np.ndarray) and key.dtype.kind == "b"


def getitem(x: Value, key: Any) -> Value:
    """Return `x[key]`: a boolean tensor selects rows, other keys are slices.

    Args:
        x: A tensor or variable.
        key: Integers, slices, `...`, None, integer tensors, or a boolean tensor.

    Raises:
        InvalidArgumentError: an index is out of range.
        TypeError: the key is not valid.
    """
    if _is_mask(key):
        return boolean_mask(x, key)
    canonical, tensors = canonical_key(key, tuple(x.shape))
    return strided_slice(x, *tensors, key=canonical)


class PartOfVariable(Tensor):
    """The result of `v[key]`, which is a tensor to which a program can also assign."""

    __slots__ = ("_key", "_variable")

    def __init__(self, part: Tensor, variable: Variable, key: Key) -> None:
        self._array, self._id = part._array, part._id
        self._keras_logits = self._keras_mask = None
        self._variable = variable
        self._key = _numpy_key(key)

    def _read(self) -> Tensor:
        """Return the plain tensor with which an op computes."""
        return snapshot(self._array, self._id)

    def assign(self, value: Any, name: str | None = None) -> Variable:
        """Store `value` in this part of the variable; tapes do not record the assignment.

        Args:
            value: A value in the shape of the part and the dtype of the variable.
            name: Ignored.

        Returns:
            The variable.

        Raises:
            ValueError: the value does not fit the part.
        """
        return self._variable._store_part(self._key, value)


def _getitem_of_variable(variable: Variable, key: Any) -> Value:
    part = getitem(variable, key)
    if _is_mask(key):
        return part
    return PartOfVariable(part, variable, canonical_key(key, tuple(variable.shape))[0])


SYNTAX["getitem"] = getitem
SYNTAX["getitem_of_variable"] = _getitem_of_variable


def slice_for_users(input_: Value, begin: Any, size: Any, name: str | None = None) -> Value:
    """Return the part of `input_` that starts at `begin` and has size `size`.

    Args:
        input_: Any dtype.
        begin: The start on each axis.
        size: The size along each axis; -1 for all elements up to the end.
        name: Ignored.

    Returns:
        A tensor of shape `size`, with the dtype of `input_`.

    Raises:
        InvalidArgumentError: the part is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/slice
    """
    x = as_operand(input_)
    starts, counts = as_ints(begin), as_ints(size)
    if not len(starts) == len(counts) == len(x.shape):
        raise InvalidArgumentError(
            f"`slice` got {len(starts)} starts and {len(counts)} sizes for an input of rank {len(x.shape)}.",
            fix="pass one start and one size for each axis; a size of -1 means up to the end",
            code="MT507",
        )
    key = []
    for length, first, count in zip(x.shape, starts, counts, strict=True):
        stop = length if count == -1 else first + count
        if not 0 <= first <= stop <= length:
            raise InvalidArgumentError(
                f"`slice` got `{first}:{stop}` for an axis of size {length}.", code="MT507"
            )
        key.append(Cut(first, stop, None))
    return strided_slice(x, key=tuple(key))


def strided_slice_for_users(
    input_: Value,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Value:
    """Return `input_[begin[0]:end[0]:strides[0], begin[1]:end[1]:strides[1], ...]`.

    Args:
        input_: Any dtype.
        begin: The start of each entry of the key.
        end: The index at which the slice ends along each axis; the element at this index is excluded.
        strides: The step of each entry; 1 by default.
        begin_mask: If bit i is set, entry i starts at the start of its axis.
        end_mask: If bit i is set, entry i ends at the end of its axis.
        ellipsis_mask: If bit i is set, entry i is `...`.
        new_axis_mask: If bit i is set, entry i is a new axis.
        shrink_axis_mask: If bit i is set, entry i is the index begin[i], and its axis is removed.
        var: Not supported.
        name: Ignored.

    Returns:
        The slice, in the dtype of `input_`.

    Raises:
        InvalidArgumentError: an index is out of range.
        TypeError: `var` is given.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/strided_slice
    """
    refuse("strided_slice", "use `var[...].assign(x)` to change a part of a variable.", var=var)
    starts, stops = as_ints(begin), as_ints(end)
    steps = (1,) * len(starts) if strides is None else as_ints(strides)
    if not len(starts) == len(stops) == len(steps):
        raise InvalidArgumentError(
            f"`begin`, `end` and `strides` must have equal lengths, but have {len(starts)}, {len(stops)} and {len(steps)} "
            "elements.",
            fix="pass one element in each of them for each axis",
            code="MT507",
        )
    entries: list[Any] = []
    for i, (start, stop, step) in enumerate(zip(starts, stops, steps, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            entries.append(Ellipsis)
        elif new_axis_mask & bit:
            entries.append(None)
        elif shrink_axis_mask & bit:
            entries.append(start)
        else:
            first, last = None if begin_mask & bit else start, None if end_mask & bit else stop
            entries.append(slice(first, last, step))
    return getitem(as_operand(input_), tuple(entries))


# --- pad ---


def _pad_kernel(x: Array, *, paddings: tuple[Ints, ...], value: Any) -> Array:
    if x.dtype.kind == "O":
        value = np.array(value, object)  # otherwise NumPy would use its own dtype for bytes
    # A scalar has no axes, and np.pad refuses it.
    return np.pad(x, paddings, constant_values=value) if paddings else x


def _pad_vjp(ybar: Value, y: Value, x: Value, *, paddings: tuple[Ints, ...], value: Any) -> Value:
    inner = zip(paddings, x.shape, strict=True)
    key = tuple(Cut(before, before + size, None) for (before, _), size in inner)
    return strided_slice(ybar, key=key)


def _pad_batch(
    op: Primitive, _: Stacked, x: Value, *, paddings: tuple[Ints, ...], value: Any
) -> Value:
    return op(x, paddings=((0, 0), *paddings), value=value)


_pad: Primitive = Primitive(
    "PadV2",
    _pad_kernel,
    vjp=(_pad_vjp,),
    batch=_pad_batch,
    rule="x̄ = ȳ without the border",
    dtype_kinds=ANY,
)


def _filling(x: Value, constant: Any) -> Any:
    """Return the constant of a border as a Python number or string."""
    if is_engine_value(constant) and raw_dtype(constant) != raw_dtype(x):
        raise DtypeMismatchError(
            f"`pad` got a {raw_dtype(x)} input, but `constant_values` has dtype {raw_dtype(constant)}.",
            fix="pass `constant_values=tf.cast(value, x.dtype)`",
            code="MT506",
        )
    wanted = None if is_engine_value(constant) or raw_dtype(x).kind == "O" else raw_dtype(x)
    number = as_array(constant, None if wanted is None else dtypes.as_dtype(wanted))
    if np.ndim(number):
        raise InvalidArgumentError(
            f"`constant_values` must be a scalar, but is {constant!r}.", code="MT507"
        )
    filling = number.item()
    return b"" if raw_dtype(x).kind == "O" and not filling else filling


def pad(
    tensor: Value,
    paddings: Any,
    mode: str = "CONSTANT",
    constant_values: Any = 0,
    name: str | None = None,
) -> Value:
    """Add a border to `tensor`.

    Args:
        tensor: Any dtype.
        paddings: A tensor of shape [rank, 2]: for each axis, the number of elements before and after.
        mode: "CONSTANT", "REFLECT" (mirrored without repeating the outermost element) or "SYMMETRIC" (mirrored
            with the outermost element repeated).
        constant_values: The scalar that fills a CONSTANT border.
        name: Ignored.

    Returns:
        A larger tensor in the dtype of `tensor`.

    Raises:
        ValueError: `mode` is unknown.
        InvalidArgumentError: `paddings` does not fit the rank, or `constant_values` is a tensor of a different dtype.

    Gradient: Derivatives of any order are supported, including batched ones. A mirrored element receives the sum over its copies.

    Source: https://www.tensorflow.org/api_docs/python/tf/pad
    """
    x = as_operand(tensor)
    borders = tuple(as_ints(each) for each in listed(paddings, "paddings"))
    if len(borders) != len(x.shape):
        raise InvalidArgumentError(
            f"`pad` got `paddings` for {len(borders)} axes, but the input has {len(x.shape)} axes.",
            fix="pass one pair `[before, after]` for each axis",
            code="MT507",
        )
    is_flat = not borders and tuple(getattr(paddings, "shape", (0,))) != (0, 2)
    if is_flat or any(len(border) != 2 for border in borders):
        raise InvalidArgumentError(
            f"`paddings` must be a matrix with 2 columns, but is {borders}.",
            fix="pass one pair `[before, after]` for each axis",
            code="MT507",
        )
    if any(width < 0 for border in borders for width in border):
        raise InvalidArgumentError(
            f"`paddings` must be non-negative, but is {borders}.", code="MT507"
        )
    shouted = mode.upper() if isinstance(mode, str) else mode
    how = word(shouted, "mode", ("CONSTANT", "REFLECT", "SYMMETRIC"))
    if how == "CONSTANT":
        return _pad(x, paddings=borders, value=_filling(x, constant_values))
    nearest = 1 if how == "REFLECT" else 0
    for size, border in zip(x.shape, borders, strict=True):
        if max(border) > size - nearest:
            raise InvalidArgumentError(
                f"A mirrored border of {max(border)} is too large for an axis of size {size}.",
                fix=f"use at most {size - nearest}, or pass `mode='CONSTANT'`",
                code="MT507",
            )
    mirrored = identity(x)
    for axis, border in enumerate(borders):
        positions = np.pad(np.arange(x.shape[axis]), border, mode=how.lower())  # type: ignore[call-overload]  # checked above
        mirrored = _gather(mirrored, positions, axis=axis)
    return mirrored

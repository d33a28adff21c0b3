"""Ops that move elements along an axis.

    reverse                          reverse the order
    reverse_sequence                 reverse the first elements of each row
    roll                             shift elements; elements that are moved beyond the end reappear at the start
    space_to_batch ↔ batch_to_space  split a grid into smaller grids of every n-th element, and interleave them

Each element keeps its value, so its cotangent moves back to its original position.
"""

from typing import Any

import numpy as np

from minitape.core.arguments import listed
from minitape.core.convert import as_operand
from minitape.core.declaration import ANY
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import AxisError, InvalidArgumentError
from minitape.ops.axes import as_ints, canonical_axes, canonical_axis
from minitape.ops.reshaping import _reshape, _transpose
from minitape.ops.rules import Stacked, axes_after_stacking, one_by_one
from minitape.ops.slicing import WHOLE_AXIS, Cut, pad, strided_slice

_reverse: Primitive = Primitive(
    "ReverseV2",
    lambda x, *, axis: np.flip(x, axis),
    vjp=(lambda ybar, y, x, axis: _reverse(ybar, axis=axis),),
    batch=axes_after_stacking,
    rule="x̄ = ȳ reversed",
    dtype_kinds=ANY,
)


def reverse(tensor: Value, axis: Any, name: str | None = None) -> Value:
    """Reverse the elements along given axes.

    Args:
        tensor: Any dtype.
        axis: A list of axes.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `tensor`.

    Raises:
        InvalidArgumentError: an axis is out of range, or `axis` is not a list.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/reverse
    """
    x = as_operand(tensor)
    if np.ndim(axis) != 1:
        raise AxisError(
            f"`reverse` requires a list of axes, but got {axis!r}.", fix=f"pass `[{axis}]`"
        )
    return _reverse(x, axis=canonical_axes(axis, len(x.shape), "reverse"))


def _roll_kernel(x: Array, *, shift: Ints, axis: Ints) -> Array:
    return np.roll(x, shift, axis)


def _roll_vjp(ybar: Value, y: Value, x: Value, *, shift: Ints, axis: Ints) -> Value:
    return _roll(ybar, shift=tuple(-s for s in shift), axis=axis)


_roll: Primitive = Primitive(
    "Roll",
    _roll_kernel,
    vjp=(_roll_vjp,),
    batch=axes_after_stacking,
    rule="x̄ = ȳ rolled in the opposite direction",
    dtype_kinds=ANY,
)


def roll(input: Value, shift: Any, axis: Any, name: str | None = None) -> Value:
    """Shift elements along an axis; elements that are moved beyond the end reappear at the start.

    Args:
        input: A tensor of shape [..., n, ...] and any dtype.
        shift: The number of positions for each axis; a negative number shifts towards the start.
        axis: The axis or axes; a negative axis counts from the last one.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: an axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/roll

    >>> roll(np.array([1, 2, 3, 4]), shift=1, axis=0).numpy().tolist()
    [4, 1, 2, 3]
    """
    x = as_operand(input)
    axes = tuple(canonical_axis(each, len(x.shape), "roll") for each in as_ints(axis))
    shifts = as_ints(shift)
    return _roll(x, shift=shifts * len(axes) if len(shifts) == 1 else shifts, axis=axes)


def _reverse_part_kernel(x: Array, lengths: Array, *, seq_axis: int, batch_axis: int) -> Array:
    rows = np.moveaxis(x, (batch_axis, seq_axis), (0, 1))
    positions = np.arange(rows.shape[1])
    ends = lengths[:, None]
    turned = np.where(positions < ends, ends - 1 - positions, positions)
    moved = rows[np.arange(len(rows))[:, None], turned]
    return np.moveaxis(moved, (0, 1), (batch_axis, seq_axis))


def _reverse_part_batch(
    op: Primitive, stacked: Stacked, x: Value, lengths: Value, *, seq_axis: int, batch_axis: int
) -> Value:
    if stacked == (True, False):
        return op(x, lengths, seq_axis=seq_axis + 1, batch_axis=batch_axis + 1)
    return one_by_one(op, stacked, x, lengths, seq_axis=seq_axis, batch_axis=batch_axis)


_reverse_part: Primitive = Primitive(
    "ReverseSequence",
    _reverse_part_kernel,
    vjp=(
        lambda ybar, y, x, lengths, **axes: _reverse_part(ybar, lengths, **axes),
        None,
    ),
    batch=_reverse_part_batch,
    residuals=("b", ""),
    rule="x̄ = ȳ with the same parts reversed",
    dtype_kinds=ANY,
    same_dtype_args=(0,),
)


def reverse_sequence(
    input: Value,
    seq_lengths: Value,
    seq_axis: Any = None,
    batch_axis: Any = None,
    name: str | None = None,
) -> Value:
    """Reverse the first elements of each row; the other elements keep their positions.

    Args:
        input: Any dtype.
        seq_lengths: The number of elements to reverse in each row, an integer tensor.
        seq_axis: The axis along which to reverse.
        batch_axis: The axis of the rows; 0 by default.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: an axis is out of range, or a length is too large.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps the lengths.

    Source: https://www.tensorflow.org/api_docs/python/tf/reverse_sequence
    """
    x, lengths = as_operand(input), as_operand(seq_lengths)
    rank = len(x.shape)
    along = canonical_axis(0 if seq_axis is None else seq_axis, rank, "reverse_sequence")
    rows = canonical_axis(0 if batch_axis is None else batch_axis, rank, "reverse_sequence")
    longest = int(np.max(np.asarray(lengths), initial=0))
    if along == rows or tuple(lengths.shape) != (x.shape[rows],) or longest > x.shape[along]:
        raise InvalidArgumentError(
            f"`reverse_sequence` got lengths of shape {tuple(lengths.shape)} up to {longest} for axis "
            f"{along} of an input of shape {tuple(x.shape)}, whose sequences are along axis {rows}.",
            fix="pass one length for each row, not greater than the size of the row",
            code="MT507",
        )
    return _reverse_part(x, lengths, seq_axis=along, batch_axis=rows)


def space_to_batch(input: Value, block_shape: Any, paddings: Any, name: str | None = None) -> Value:
    """Split a grid into smaller grids, each of which contains every n-th element, beginning at a different element.

    Args:
        input: A tensor of shape [batch, spatial..., rest...] and any dtype.
        block_shape: The number n for each spatial axis.
        paddings: For each spatial axis, the number of zeros before and after; n must divide the padded size.
        name: Ignored.

    Returns:
        A tensor of shape [batch · product of all n, spatial / n..., rest...].

    Raises:
        InvalidArgumentError: a size is not divisible by its n.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/space_to_batch
    """
    x, blocks = as_operand(input), as_ints(block_shape)
    count = len(blocks)
    behind = len(x.shape) - 1 - count
    borders = [
        (0, 0),
        *(as_ints(each) for each in listed(paddings, "paddings")),
        *((0, 0),) * behind,
    ]
    padded = pad(x, borders)
    batch, *sizes = tuple(padded.shape)
    if any(size % n for size, n in zip(sizes, blocks, strict=False)):
        raise InvalidArgumentError(
            f"`space_to_batch` cannot divide the shape {tuple(sizes[:count])} into blocks of {blocks}.",
            fix="use paddings that make each size a multiple of its block",
            code="MT507",
        )
    pairs = [part for size, n in zip(sizes, blocks, strict=False) for part in (size // n, n)]
    split = _reshape(padded, shape=(batch, *pairs, *sizes[count:]))
    inside = [2 + 2 * i for i in range(count)]
    outside = [1 + 2 * i for i in range(count)]
    rest = range(1 + 2 * count, len(split.shape))
    moved = _transpose(split, perm=(*inside, 0, *outside, *rest))
    positions = [size // n for size, n in zip(sizes, blocks, strict=False)]
    total = batch * int(np.prod(blocks, dtype=np.int64))
    return _reshape(moved, shape=(total, *positions, *sizes[count:]))


def batch_to_space(input: Value, block_shape: Any, crops: Any, name: str | None = None) -> Value:
    """Interleave several small grids into one, then crop its border. This is the inverse of `space_to_batch`.

    Args:
        input: A tensor of shape [batch · product of all n, spatial..., rest...] and any dtype.
        block_shape: The number n for each spatial axis.
        crops: For each spatial axis, the number of elements to remove before and after.
        name: Ignored.

    Returns:
        A tensor of shape [batch, spatial · n - crops..., rest...].

    Raises:
        InvalidArgumentError: the batch size is not divisible by the product of all n.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/batch_to_space
    """
    x, blocks = as_operand(input), as_ints(block_shape)
    count = len(blocks)
    total, *sizes = tuple(x.shape)
    all_blocks = int(np.prod(blocks, dtype=np.int64))
    if total % all_blocks:
        raise InvalidArgumentError(
            f"`batch_to_space` cannot distribute a batch of {total} over blocks of {blocks}.",
            code="MT507",
        )
    split = _reshape(x, shape=(*blocks, total // all_blocks, *sizes))
    woven = [axis for i in range(count) for axis in (count + 1 + i, i)]
    rest = range(2 * count + 1, len(split.shape))
    moved = _transpose(split, perm=(count, *woven, *rest))
    positions = [size * n for size, n in zip(sizes, blocks, strict=False)]
    whole = _reshape(moved, shape=(total // all_blocks, *positions, *sizes[count:]))
    cuts = [as_ints(each) for each in np.asarray(crops)]
    key = [Cut(before, n - after, None) for (before, after), n in zip(cuts, positions, strict=True)]
    return strided_slice(whole, key=(WHOLE_AXIS, *key, *(WHOLE_AXIS,) * (len(sizes) - count)))

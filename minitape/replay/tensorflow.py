"""Ops that TensorFlow declares differently, expressed with minitape's own ops.

A trace of TensorFlow has TensorFlow's names for ops, arguments and attributes. Arguments that configure an op (axes, shapes)
are among the attributes if they were plain Python values. The trace omits attributes with default values, and dtypes, which the
outputs show. Most ops of TensorFlow are primitives of minitape with the same name and arguments, and are not in this module.

    find     an op's name → its `Foreign`
    Foreign  the arguments of an op in TensorFlow's order, and how to compute the op

Source: https://www.tensorflow.org/api_docs/python/tf/raw_ops
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitape.core.dtypes import as_dtype
from minitape.core.registry import PRIMITIVES
from minitape.core.values import Array, Value
from minitape.ops import (
    activations,
    broadcasting,
    convolution,
    creation,
    cumulative,
    diagonals,
    exponential,
    indexing,
    joining,
    losses,
    minmax,
    pooling,
    products,
    ranges,
    reordering,
    reshaping,
    segments,
    shape_queries,
    slicing,
    solvers,
    sorting,
)


@dataclass(frozen=True)
class Foreign:
    """An op as TensorFlow declares it.

    `arguments` are its inputs in order; one with a star takes any number. `compute` takes the values in the order in which it
    names them, and attributes as keywords; `dtype` is the dtype of the first output.
    """

    arguments: tuple[str, ...]
    compute: Callable[..., Any]


_FOREIGN: dict[str, Foreign] = {}


def find(name: str) -> Foreign | None:
    """Return how to compute an op of TensorFlow that minitape declares differently; None if this module does not contain it."""
    return _FOREIGN.get(name)


def bound(
    foreign: Foreign, attrs: dict[str, Any], given: Sequence[Array], dtype: str
) -> Callable[..., Any] | None:
    """Return a function that computes the op from its inputs, with its attributes filled in; None if the attributes do not fit.

    Args:
        foreign: The op.
        attrs: Its attributes, including arguments that were plain Python values.
        given: The inputs that it has in the trace.
        dtype: The dtype of its first output.
    """
    left = [each for each in foreign.arguments if each.removeprefix("*") not in attrs]
    names: list[str] = []
    for each in left:
        length = len(given) - len(left) + 1 if each.startswith("*") else 1
        names += [each] * length
    if len(names) != len(given):
        return None
    parameters = inspect.signature(foreign.compute).parameters
    settings = {name: value for name, value in attrs.items() if value is not None}
    if "dtype" in parameters:
        settings["dtype"] = as_dtype(dtype).numpy
    keywords = {name for name, each in parameters.items() if each.kind is each.KEYWORD_ONLY}
    settings |= {
        name: array.tolist() for name, array in zip(names, given, strict=True) if name in keywords
    }
    values = [position for position, name in enumerate(names) if name not in keywords]
    try:
        inspect.signature(foreign.compute).bind(*values, **settings)
    except TypeError:
        return None
    return lambda *inputs: foreign.compute(*(inputs[i] for i in values), **settings)


def _declare(name: str, arguments: str, compute: Callable[..., Any]) -> None:
    _FOREIGN[name] = Foreign(tuple(arguments.split()), compute)


# --- under another name ---

_declare("Add", "x y", PRIMITIVES["AddV2"])
_declare("Div", "x y", PRIMITIVES["RealDiv"])
_declare("Inv", "x", PRIMITIVES["Reciprocal"])
_declare("BiasAdd", "value bias", PRIMITIVES["AddV2"])
_declare("Equal", "x y", lambda x, y, *, incompatible_shape_error=True: PRIMITIVES["Equal"](x, y))
_declare(
    "NotEqual", "x y", lambda x, y, *, incompatible_shape_error=True: PRIMITIVES["NotEqual"](x, y)
)
_declare("Select", "condition t e", indexing.where)
_declare(
    "LeakyRelu", "features", lambda features, *, alpha=0.2: activations.leaky_relu(features, alpha)
)
_declare("Bitcast", "input", lambda input, *, dtype: PRIMITIVES["Bitcast"](input, dtype=dtype))
_declare("Cast", "x", lambda x, *, dtype, Truncate=False: PRIMITIVES["Cast"](x, dtype=dtype))


# --- along axes ---


def _reduction(reduce: Callable[..., Value]) -> Callable[..., Value]:
    def reduced(input: Value, *, reduction_indices: Any, keep_dims: bool = False) -> Value:
        return reduce(input, axis=reduction_indices, keepdims=keep_dims)

    return reduced


for _name, _reduce in {
    "Sum": broadcasting.reduce_sum,
    "Mean": broadcasting.reduce_mean,
    "Prod": cumulative.reduce_prod,
    "Max": minmax.reduce_max,
    "Min": minmax.reduce_min,
    "All": minmax.reduce_all,
    "Any": minmax.reduce_any,
}.items():
    _declare(_name, "input reduction_indices", _reduction(_reduce))


def _arg_max(input: Value, *, dimension: int, dtype: Any) -> Value:
    return minmax.argmax(input, dimension, dtype)


def _arg_min(input: Value, *, dimension: int, dtype: Any) -> Value:
    return minmax.argmin(input, dimension, dtype)


def _cumsum(x: Value, *, axis: int, exclusive: bool = False, reverse: bool = False) -> Value:
    return cumulative.cumsum(x, axis, exclusive, reverse)


def _cumprod(x: Value, *, axis: int, exclusive: bool = False, reverse: bool = False) -> Value:
    return cumulative.cumprod(x, axis, exclusive, reverse)


def _top_k(input: Value, *, k: int, sorted: bool = True) -> Any:
    return tuple(sorting.top_k(input, k, sorted))


_declare("ArgMax", "input dimension", _arg_max)
_declare("ArgMin", "input dimension", _arg_min)
_declare("Cumsum", "x axis", _cumsum)
_declare("Cumprod", "x axis", _cumprod)
_declare("TopKV2", "input k", _top_k)
_declare("ReverseV2", "tensor axis", lambda tensor, *, axis: reordering.reverse(tensor, axis))
_declare(
    "Roll", "input shift axis", lambda input, *, shift, axis: reordering.roll(input, shift, axis)
)


# --- shapes ---

_declare("Reshape", "tensor shape", lambda tensor, *, shape: reshaping.reshape(tensor, shape))
_declare("Transpose", "x perm", lambda x, *, perm: reshaping.transpose(x, perm))
_declare("ExpandDims", "input dim", lambda input, *, dim: reshaping.expand_dims(input, dim))
_declare(
    "Squeeze",
    "input",
    lambda input, *, squeeze_dims=(): reshaping.squeeze(input, list(squeeze_dims) or None),
)
_declare(
    "BroadcastTo", "input shape", lambda input, *, shape: broadcasting.broadcast_to(input, shape)
)
_declare("Tile", "input multiples", lambda input, *, multiples: joining.tile(input, multiples))
_declare("EnsureShape", "input", lambda input, *, shape: PRIMITIVES["Identity"](input))
_declare("Shape", "input", lambda input, *, dtype: shape_queries.shape(input, dtype))
_declare("Size", "input", lambda input, *, dtype: shape_queries.size(input, dtype))


def _pad(input: Value, *, paddings: Any, constant_values: Any = 0) -> Value:
    return slicing.pad(input, paddings, constant_values=constant_values)


_declare("Pad", "input paddings", _pad)
_declare("PadV2", "input paddings constant_values", _pad)


# --- joining, slicing, indexing ---


def _unpack(value: Value, *, axis: int = 0) -> Any:
    return tuple(joining.unstack(value, axis=axis))


def _split(value: Value, *, split_dim: int, num_split: int) -> Any:
    return tuple(joining.split(value, num_split, split_dim))


def _split_v(value: Value, *, size_splits: Any, split_dim: int, num_split: int = 0) -> Any:
    return tuple(joining.split(value, size_splits, split_dim))


def _gather(params: Value, indices: Value, *, axis: int = 0, batch_dims: int = 0) -> Value:
    return indexing.gather(params, indices, axis=axis, batch_dims=batch_dims)


def _slice(input: Value, *, begin: Sequence[int], size: Sequence[int]) -> Value:
    ends = [None if n == -1 else start + n for start, n in zip(begin, size, strict=True)]
    return slicing.getitem(input, tuple(map(slice, begin, ends)))


def _key(
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> tuple[Any, ...]:
    """Return the index of a slice: each mask has one bit per entry, which marks the kind of the entry or an omitted end."""
    key: list[Any] = []
    for i, (start, stop, step) in enumerate(zip(begin, end, strides, strict=True)):
        if ellipsis_mask >> i & 1:
            key.append(Ellipsis)
        elif new_axis_mask >> i & 1:
            key.append(None)
        elif shrink_axis_mask >> i & 1:
            key.append(start)
        else:
            key.append(
                slice(
                    None if begin_mask >> i & 1 else start,
                    None if end_mask >> i & 1 else stop,
                    step,
                )
            )
    return tuple(key)


def _strided_slice(
    input: Value, *, begin: Sequence[int], end: Sequence[int], strides: Sequence[int], **masks: int
) -> Value:
    return slicing.getitem(input, _key(begin, end, strides, **masks))


def _put_back(
    dy: Value,
    *,
    shape: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    **masks: int,
) -> Value:
    """Return the gradient of a linear slice, which puts the cotangent back in its position."""
    key, _ = slicing.canonical_key(_key(begin, end, strides, **masks), tuple(shape))
    return slicing.put_slice(dy, shape=tuple(shape), key=key)


_declare(
    "Pack", "*values", lambda *values, axis=0: PRIMITIVES["Pack"](*values, axis=_axis(values, axis))
)
_declare("ConcatV2", "*values axis", lambda *values, axis: joining.concat(list(values), axis))
_declare("Unpack", "value", _unpack)
_declare("Split", "split_dim value", _split)
_declare("SplitV", "value size_splits split_dim", _split_v)
_declare("GatherV2", "params indices axis", _gather)
_declare("ResourceGather", "params indices", _gather)
_declare("Slice", "input begin size", _slice)
_declare("StridedSlice", "input begin end strides", _strided_slice)
_declare("StridedSliceGrad", "shape begin end strides dy", _put_back)
_declare(
    "ScatterNd",
    "indices updates shape",
    lambda indices, updates, *, shape: PRIMITIVES["ScatterNd"](
        indices, updates, shape=tuple(shape)
    ),
)
_declare(
    "SegmentSum",
    "data segment_ids",
    lambda data, segment_ids: segments.segment_sum(data, segment_ids),
)
_declare(
    "UnsortedSegmentSum",
    "data segment_ids num_segments",
    lambda data, segment_ids, *, num_segments: segments.unsorted_segment_sum(
        data, segment_ids, num_segments
    ),
)


def _axis(values: Sequence[Value], axis: int) -> int:
    """Return the position of a new axis, counted from the first."""
    return axis if axis >= 0 else axis + len(values[0].shape) + 1


# --- creation ---


def _one_hot(
    indices: Value, *, depth: int, on_value: Any = 1, off_value: Any = 0, axis: int = -1, dtype: Any
) -> Value:
    on, off = (np.asarray(each, dtype) for each in (on_value, off_value))
    return creation.one_hot(indices, depth, on, off, axis, dtype)


_declare("Fill", "dims value", lambda value, *, dims: creation.fill(dims, value))
_declare("OneHot", "indices depth on_value off_value", _one_hot)
_declare(
    "Range",
    "start limit delta",
    lambda *, start, limit, delta, dtype: ranges.range(start, limit, delta, dtype),
)


# --- products ---


def _mat_mul(
    a: Value, b: Value, *, transpose_a: bool = False, transpose_b: bool = False, **_: bool
) -> Value:
    """`grad_a` and `grad_b` only mark an op of a backward pass."""
    return products.matmul(a, b, transpose_a, transpose_b)


def _batch_mat_mul(
    x: Value, y: Value, *, adj_x: bool = False, adj_y: bool = False, **_: bool
) -> Value:
    return products.matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y)


_declare("MatMul", "a b", _mat_mul)
_declare("BatchMatMul", "x y", _batch_mat_mul)
_declare("BatchMatMulV2", "x y", _batch_mat_mul)
_declare(
    "MatrixBandPart",
    "input num_lower num_upper",
    lambda input, *, num_lower, num_upper: diagonals.band_part(input, num_lower, num_upper),
)
_declare(
    "MatrixDiagV3",
    "diagonal k num_rows num_cols padding_value",
    lambda diagonal, *, k, num_rows, num_cols, padding_value, align="RIGHT_LEFT": diagonals.diag(
        diagonal,
        k=k,
        num_rows=num_rows,
        num_cols=num_cols,
        padding_value=padding_value,
        align=align,
    ),
)
_declare(
    "MatrixDiagPartV3",
    "input k padding_value",
    lambda input, *, k, padding_value, align="RIGHT_LEFT": diagonals.diag_part(
        input, k=k, padding_value=padding_value, align=align
    ),
)
_declare(
    "MatrixTriangularSolve",
    "matrix rhs",
    lambda matrix, rhs, *, lower=True, adjoint=False: solvers.triangular_solve(
        matrix, rhs, lower, adjoint
    ),
)


# --- pictures ---


def _conv2d(
    input: Value, filter: Value, *, strides: Any, padding: Any, dilations: Any = (1, 1, 1, 1)
) -> Value:
    return convolution.conv2d(input, filter, strides, padding, dilations=dilations)


_declare("Conv2D", "input filter", _conv2d)
_declare(
    "Conv2DBackpropInput",
    "input_sizes filter out_backprop",
    lambda filter, out_backprop, *, input_sizes, strides, padding: convolution.conv2d_transpose(
        out_backprop, filter, input_sizes, strides, padding
    ),
)
_declare(
    "MaxPool",
    "input",
    lambda input, *, ksize, strides, padding: pooling.max_pool2d(input, ksize, strides, padding),
)
_declare(
    "AvgPool",
    "value",
    lambda value, *, ksize, strides, padding: pooling.avg_pool2d(value, ksize, strides, padding),
)


# --- losses, which also return the values that their rules need ---


def _softmax_cross_entropy(features: Value, labels: Value) -> Any:
    loss = losses.softmax_cross_entropy_with_logits(labels, features)
    return loss, activations.softmax(features) - labels


def _sparse_softmax_cross_entropy(features: Value, labels: Value) -> Any:
    loss = losses.sparse_softmax_cross_entropy_with_logits(labels, features)
    ones = creation.one_hot(labels, features.shape[-1], dtype=features.dtype)
    return loss, activations.softmax(features) - ones


_declare("SoftmaxCrossEntropyWithLogits", "features labels", _softmax_cross_entropy)
_declare("SparseSoftmaxCrossEntropyWithLogits", "features labels", _sparse_softmax_cross_entropy)


# --- rules that are ops ---

_declare("SigmoidGrad", "y dy", lambda y, dy: dy * y * (1.0 - y))
_declare("TanhGrad", "y dy", lambda y, dy: dy * (1.0 - y * y))
_declare("SqrtGrad", "y dy", lambda y, dy: dy * 0.5 / y)
_declare("RsqrtGrad", "y dy", lambda y, dy: dy * -0.5 * y * y * y)
_declare("ReciprocalGrad", "y dy", lambda y, dy: -dy * y * y)
_declare(
    "SoftplusGrad",
    "gradients features",
    lambda gradients, features: gradients * exponential.sigmoid(features),
)

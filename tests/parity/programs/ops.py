"""The catalogue, op by op: value, gradient, second gradient and jacobian, in float64.

Each row is an op and its inputs, away from kinks (those are on the page `kinks`). All four answers
of a row are one case, because they come from one taped call.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from programs.case import Case, Program

Op = Callable[..., Any]

X = [0.5, -1.25, 2.0]
Y = [1.5, 0.75, -0.5]
POSITIVE = [0.5, 1.25, 2.0]
INSIDE = [0.5, -0.25, 0.125]
MATRIX = [[0.5, -1.25, 2.0], [1.5, 0.75, -0.5]]
OTHER = [[1.0, -0.5], [0.25, 2.0], [-1.5, 0.75]]
SQUARE = [[2.0, 0.5], [-0.25, 1.5]]
ROW = [[0.5, -1.25, 2.0]]
CUBE = [[[0.5, 1.0], [-1.25, 2.0]], [[1.5, 0.75], [-0.5, 0.25]]]


def _weighted_sum(tf: Any, np: Any, y: Any) -> Any:
    """A scalar in which each element has a weight of its own, so that no mix-up goes unseen."""
    size = int(np.prod(y.shape))
    weights = np.arange(1.0, size + 1).reshape(y.shape) / size
    return tf.reduce_sum(y * tf.constant(weights))


def _answers(op: Op, inputs: tuple[Any, ...]) -> Program:
    def program(tf: Any, np: Any) -> Any:
        xs = [tf.constant(values, tf.float64) for values in inputs]
        with tf.GradientTape() as outer:
            outer.watch(xs)
            with tf.GradientTape(persistent=True) as inner:
                inner.watch(xs)
                y = op(tf, *xs)
                loss = _weighted_sum(tf, np, y)
            first = inner.gradient(loss, xs)
            slope = sum(_weighted_sum(tf, np, each) for each in first if each is not None)
        return {
            "value": y,
            "gradient": first,
            "second": outer.gradient(slope, xs),
            "jacobian": inner.jacobian(y, xs),
        }

    return program


def _rows(ops: Mapping[str, tuple[Any, ...]]) -> tuple[Case, ...]:
    return tuple(Case(name, _answers(op, inputs)) for name, (op, *inputs) in ops.items())


ARITHMETIC = {
    "add": (lambda tf, a, b: tf.add(a, b), X, Y),
    "add_broadcast": (lambda tf, a, b: a + b, MATRIX, X),
    "subtract": (lambda tf, a, b: tf.subtract(a, b), X, Y),
    "multiply": (lambda tf, a, b: tf.multiply(a, b), X, Y),
    "multiply_broadcast": (lambda tf, a, b: a * b, MATRIX, [[2.0], [3.0]]),
    "divide": (lambda tf, a, b: tf.divide(a, b), X, Y),
    "divide_broadcast": (lambda tf, a, b: a / b, ROW, [[2.0], [3.0]]),
    "negative": (lambda tf, x: tf.negative(x), X),
    "pow": (lambda tf, a, b: tf.pow(a, b), POSITIVE, Y),
    "pow_of_a_number": (lambda tf, x: x**3, X),
    "square": (lambda tf, x: tf.square(x), X),
    "sqrt": (lambda tf, x: tf.sqrt(x), POSITIVE),
    "rsqrt": (lambda tf, x: tf.math.rsqrt(x), POSITIVE),
    "abs": (lambda tf, x: tf.abs(x), X),
    "sign": (lambda tf, x: tf.sign(x), X),
    "squared_difference": (lambda tf, a, b: tf.math.squared_difference(a, b), X, Y),
    "divide_no_nan": (lambda tf, a, b: tf.math.divide_no_nan(a, b), X, Y),
    "maximum": (lambda tf, a, b: tf.maximum(a, b), X, Y),
    "minimum": (lambda tf, a, b: tf.minimum(a, b), X, Y),
    "floormod": (lambda tf, a, b: a % b, [5.5, -2.25], [2.0, 1.5]),
    "add_n": (lambda tf, a, b: tf.add_n([a, b, a * b]), X, Y),
    "clip_by_value": (lambda tf, x: tf.clip_by_value(x, -1.0, 1.0), X),
    "clip_by_norm": (lambda tf, x: tf.clip_by_norm(x, 1.0), X),
}

ELEMENTWISE = {
    "exp": (lambda tf, x: tf.exp(x), X),
    "log": (lambda tf, x: tf.math.log(x), POSITIVE),
    "expm1": (lambda tf, x: tf.math.expm1(x), X),
    "log1p": (lambda tf, x: tf.math.log1p(x), POSITIVE),
    "sigmoid": (lambda tf, x: tf.sigmoid(x), X),
    "log_sigmoid": (lambda tf, x: tf.math.log_sigmoid(x), X),
    "tanh": (lambda tf, x: tf.tanh(x), X),
    "softplus": (lambda tf, x: tf.nn.softplus(x), X),
    "sin": (lambda tf, x: tf.sin(x), X),
    "cos": (lambda tf, x: tf.cos(x), X),
    "tan": (lambda tf, x: tf.tan(x), X),
    "asin": (lambda tf, x: tf.asin(x), INSIDE),
    "acos": (lambda tf, x: tf.acos(x), INSIDE),
    "atan": (lambda tf, x: tf.atan(x), X),
    "sinh": (lambda tf, x: tf.sinh(x), X),
    "cosh": (lambda tf, x: tf.cosh(x), X),
    "atan2": (lambda tf, a, b: tf.math.atan2(a, b), X, Y),
    "relu": (lambda tf, x: tf.nn.relu(x), X),
    "relu6": (lambda tf, x: tf.nn.relu6(x), [0.5, -1.0, 7.0]),
    "leaky_relu": (lambda tf, x: tf.nn.leaky_relu(x, alpha=0.1), X),
    "elu": (lambda tf, x: tf.nn.elu(x), X),
    "selu": (lambda tf, x: tf.nn.selu(x), X),
    "gelu": (lambda tf, x: tf.nn.gelu(x), X),
    "gelu_approximate": (lambda tf, x: tf.nn.gelu(x, approximate=True), X),
    "silu": (lambda tf, x: tf.nn.silu(x), X),
    "softmax": (lambda tf, x: tf.nn.softmax(x), MATRIX),
    "softmax_along_the_first_axis": (lambda tf, x: tf.nn.softmax(x, axis=0), MATRIX),
    "log_softmax": (lambda tf, x: tf.nn.log_softmax(x), MATRIX),
}

REDUCTIONS = {
    "reduce_sum": (lambda tf, x: tf.reduce_sum(x), MATRIX),
    "reduce_sum_of_an_axis": (lambda tf, x: tf.reduce_sum(x, axis=0), MATRIX),
    "reduce_sum_keepdims": (lambda tf, x: tf.reduce_sum(x, axis=-1, keepdims=True), MATRIX),
    "reduce_sum_of_two_axes": (lambda tf, x: tf.reduce_sum(x, axis=[0, 2]), CUBE),
    "reduce_mean": (lambda tf, x: tf.reduce_mean(x), MATRIX),
    "reduce_mean_of_an_axis": (lambda tf, x: tf.reduce_mean(x, axis=1), MATRIX),
    "reduce_prod": (lambda tf, x: tf.reduce_prod(x, axis=1), MATRIX),
    "reduce_max": (lambda tf, x: tf.reduce_max(x, axis=1), MATRIX),
    "reduce_min": (lambda tf, x: tf.reduce_min(x, axis=0), MATRIX),
    "reduce_logsumexp": (lambda tf, x: tf.reduce_logsumexp(x, axis=1), MATRIX),
    "reduce_variance": (lambda tf, x: tf.math.reduce_variance(x, axis=0), MATRIX),
    "reduce_std": (lambda tf, x: tf.math.reduce_std(x), MATRIX),
    "norm": (lambda tf, x: tf.norm(x), X),
    "norm_of_order_one": (lambda tf, x: tf.norm(x, ord=1), X),
    "l2_normalize": (lambda tf, x: tf.math.l2_normalize(x), X),
    "moments_mean": (lambda tf, x: tf.nn.moments(x, [0])[0], MATRIX),
    "moments_variance": (lambda tf, x: tf.nn.moments(x, [0])[1], MATRIX),
    "cumsum": (lambda tf, x: tf.cumsum(x, axis=1), MATRIX),
    "cumsum_exclusive_reverse": (lambda tf, x: tf.cumsum(x, exclusive=True, reverse=True), X),
    "sort": (lambda tf, x: tf.sort(x), X),
    "sort_descending": (lambda tf, x: tf.sort(x, direction="DESCENDING"), X),
    "top_k": (lambda tf, x: tf.math.top_k(x, k=2)[0], MATRIX),
}

SHAPES = {
    "reshape": (lambda tf, x: tf.reshape(x, [3, -1]), MATRIX),
    "transpose": (lambda tf, x: tf.transpose(x), MATRIX),
    "transpose_by_permutation": (lambda tf, x: tf.transpose(x, perm=[1, 2, 0]), CUBE),
    "expand_dims": (lambda tf, x: tf.expand_dims(x, axis=-1), X),
    "squeeze": (lambda tf, x: tf.squeeze(x), ROW),
    "broadcast_to": (lambda tf, x: tf.broadcast_to(x, [2, 3]), X),
    "tile": (lambda tf, x: tf.tile(x, [2, 1]), ROW),
    "reverse": (lambda tf, x: tf.reverse(x, axis=[1]), MATRIX),
    "roll": (lambda tf, x: tf.roll(x, shift=1, axis=0), X),
    "concat": (lambda tf, a, b: tf.concat([a, b], axis=0), MATRIX, ROW),
    "stack": (lambda tf, a, b: tf.stack([a, b], axis=1), X, Y),
    "unstack": (lambda tf, x: tf.unstack(x)[1], MATRIX),
    "unstack_all": (lambda tf, x: tf.add_n(tf.unstack(x, axis=1)), MATRIX),
    "split": (lambda tf, x: tf.split(x, 3, axis=1)[2], MATRIX),
    "split_by_sizes": (lambda tf, x: tf.split(x, [1, 2], axis=1)[1], MATRIX),
    "pad": (lambda tf, x: tf.pad(x, [[1, 0], [0, 2]]), MATRIX),
    "identity": (lambda tf, x: tf.identity(x), X),
    "cast": (lambda tf, x: tf.cast(tf.cast(x, tf.float32), tf.float64), X),
    "ones_like_times": (lambda tf, x: tf.ones_like(x) * x, X),
}

PICKING = {
    "one_element": (lambda tf, x: x[1], X),
    "slice": (lambda tf, x: x[1:], X),
    "slice_reversed": (lambda tf, x: x[::-1], X),
    "slice_of_a_column": (lambda tf, x: x[:, 0], MATRIX),
    "slice_strided": (lambda tf, x: x[:, ::2], MATRIX),
    "slice_with_a_new_axis": (lambda tf, x: x[:, tf.newaxis, 1], MATRIX),
    "slice_with_an_ellipsis": (lambda tf, x: x[..., 1], CUBE),
    "gather": (lambda tf, x: tf.gather(x * 1.0, [2, 0, 2]), X),
    "gather_of_columns": (lambda tf, x: tf.gather(x, [2, 0], axis=1), MATRIX),
    "gather_nd": (lambda tf, x: tf.gather_nd(x * 1.0, [[0, 1], [1, 2], [0, 1]]), MATRIX),
    "boolean_mask": (lambda tf, x: tf.boolean_mask(x * 1.0, [True, False, True]), X),
    "where": (lambda tf, a, b: tf.where([True, False, True], a, b), X, Y),
    "where_by_value": (lambda tf, a, b: tf.where(a > b, a * b, a), X, Y),
    "where_broadcast": (lambda tf, a, b: tf.where([[True], [False]], a, b), ROW, MATRIX),
}

PRODUCTS = {
    "matmul": (lambda tf, a, b: tf.matmul(a, b), MATRIX, OTHER),
    "matmul_transpose_a": (lambda tf, a, b: tf.matmul(a, b, transpose_a=True), OTHER, OTHER),
    "matmul_transpose_b": (lambda tf, a, b: tf.matmul(a, b, transpose_b=True), MATRIX, MATRIX),
    "matmul_of_batches": (lambda tf, a, b: tf.matmul(a, b), CUBE, CUBE),
    "matmul_broadcast": (lambda tf, a, b: a @ b, CUBE, SQUARE),
    "matvec": (lambda tf, a, b: tf.linalg.matvec(a, b), MATRIX, X),
    "tensordot": (lambda tf, a, b: tf.tensordot(a, b, axes=1), X, Y),
    "tensordot_over_two_axes": (
        lambda tf, a, b: tf.tensordot(a, b, axes=[[0, 1], [1, 0]]),
        SQUARE,
        SQUARE,
    ),
    "einsum_of_matrices": (lambda tf, a, b: tf.einsum("ij,jk->ik", a, b), MATRIX, OTHER),
    "einsum_outer": (lambda tf, a, b: tf.einsum("i,j->ij", a, b), X, Y),
    "einsum_of_batches": (lambda tf, a, b: tf.einsum("bij,bj->bi", a, b), CUBE, SQUARE),
    "trace": (lambda tf, x: tf.linalg.trace(x), SQUARE),
    "diag": (lambda tf, x: tf.linalg.diag(x), X),
    "diag_part": (lambda tf, x: tf.linalg.diag_part(x), SQUARE),
}

LOSSES = {
    "sigmoid_cross_entropy": (
        lambda tf, x: tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.sigmoid(x[::-1]), logits=x),
        X,
    ),
    "softmax_cross_entropy": (
        lambda tf, x: tf.nn.softmax_cross_entropy_with_logits(
            labels=tf.constant([[0.25, 0.5, 0.25], [0.0, 0.0, 1.0]], tf.float64), logits=x
        ),
        MATRIX,
    ),
    "sparse_softmax_cross_entropy": (
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[2, 0], logits=x),
        MATRIX,
    ),
    "l2_loss": (lambda tf, x: tf.nn.l2_loss(x), MATRIX),
    "mean_squared_error": (lambda tf, a, b: tf.reduce_mean((a - b) ** 2), X, Y),
}

MORE_ARITHMETIC = {
    "reciprocal": (lambda tf, x: tf.math.reciprocal(x), X),
    "reciprocal_no_nan": (lambda tf, x: tf.math.reciprocal_no_nan(x), X),
    "multiply_no_nan": (lambda tf, a, b: tf.math.multiply_no_nan(a, b), X, Y),
    "xlogy": (lambda tf, a, b: tf.math.xlogy(a, b), X, POSITIVE),
    "xlog1py": (lambda tf, a, b: tf.math.xlog1py(a, b), X, POSITIVE),
    "xdivy": (lambda tf, a, b: tf.math.xdivy(a, b), X, Y),
    "xdivy_broadcast": (lambda tf, a, b: tf.math.xdivy(a, b), MATRIX, [[2.0], [3.0]]),
    "lgamma": (lambda tf, x: tf.math.lgamma(x), X),
    "digamma": (lambda tf, x: tf.math.digamma(x), X),
    "polygamma": (lambda tf, x: tf.math.polygamma(tf.constant(2.0, x.dtype), x), POSITIVE),
    "zeta": (lambda tf, x: tf.math.zeta(tf.constant(2.5, x.dtype), x), POSITIVE),
    "lbeta": (lambda tf, x: tf.math.lbeta(x), POSITIVE),
    "erfinv": (lambda tf, x: tf.math.erfinv(x), INSIDE),
    "erfcinv": (lambda tf, x: tf.math.erfcinv(x), [0.5, 1.25, 0.125]),
    "ndtri": (lambda tf, x: tf.math.ndtri(x), [0.5, 0.25, 0.9375]),
    "erf": (lambda tf, x: tf.math.erf(x), X),
    "erfc": (lambda tf, x: tf.math.erfc(x), X),
    "asinh": (lambda tf, x: tf.asinh(x), X),
    "acosh": (lambda tf, x: tf.acosh(x), [1.5, 1.25, 3.0]),
    "atanh": (lambda tf, x: tf.atanh(x), INSIDE),
    "polyval": (lambda tf, x: tf.math.polyval([x, x * x, x + 1.0], x), X),
    "scalar_mul": (lambda tf, x: tf.math.scalar_mul(2.5, x), X),
    "nextafter": (lambda tf, a, b: tf.math.nextafter(a, b), X, Y),
    "clip_by_global_norm": (lambda tf, a, b: tf.clip_by_global_norm([a, b], 1.5)[0][1], X, Y),
    "global_norm": (lambda tf, a, b: tf.linalg.global_norm([a, None, b]), X, Y),
    "saturate_cast": (
        lambda tf, x: tf.cast(tf.saturate_cast(x, tf.float32), tf.float64),
        [0.5, 1e300, -1.25],
    ),
}

MORE_REDUCTIONS = {
    "reduce_euclidean_norm": (lambda tf, x: tf.math.reduce_euclidean_norm(x, axis=1), MATRIX),
    "cumulative_logsumexp": (lambda tf, x: tf.math.cumulative_logsumexp(x, axis=1), MATRIX),
    "cumulative_logsumexp_reverse": (
        lambda tf, x: tf.math.cumulative_logsumexp(x, reverse=True),
        X,
    ),
    "cumprod": (lambda tf, x: tf.math.cumprod(x, axis=1), MATRIX),
    "cumprod_exclusive_reverse": (
        lambda tf, x: tf.math.cumprod(x, exclusive=True, reverse=True),
        X,
    ),
    "segment_sum": (lambda tf, x: tf.math.segment_sum(x, [0, 0, 2]), X),
    "segment_mean": (lambda tf, x: tf.math.segment_mean(x, [0, 0, 2]), X),
    "segment_prod": (lambda tf, x: tf.math.segment_prod(x, [0, 0, 2]), X),
    "segment_max": (lambda tf, x: tf.math.segment_max(x, [0, 0, 2]), X),
    "segment_min": (lambda tf, x: tf.math.segment_min(x, [0, 0, 2]), X),
    "unsorted_segment_sum": (lambda tf, x: tf.math.unsorted_segment_sum(x, [1, -1, 1], 3), OTHER),
    "unsorted_segment_sum_of_a_matrix": (
        lambda tf, x: tf.math.unsorted_segment_sum(x, [[1, 0, 1], [2, 2, 0]], 3),
        MATRIX,
    ),
    "unsorted_segment_mean": (lambda tf, x: tf.math.unsorted_segment_mean(x, [2, 0, 2], 4), OTHER),
    "unsorted_segment_sqrt_n": (
        lambda tf, x: tf.math.unsorted_segment_sqrt_n(x, [2, 0, 2], 4),
        OTHER,
    ),
    "unsorted_segment_max": (lambda tf, x: tf.math.unsorted_segment_max(x, [1, 0, 1], 2), OTHER),
    "unsorted_segment_min": (lambda tf, x: tf.math.unsorted_segment_min(x, [1, 0, 1], 2), OTHER),
    "unsorted_segment_prod": (lambda tf, x: tf.math.unsorted_segment_prod(x, [1, 0, 1], 3), OTHER),
    "norm_of_order_two_of_a_matrix": (lambda tf, x: tf.norm(x, ord=2, axis=[0, 1]), MATRIX),
    "norm_of_order_three": (lambda tf, x: tf.norm(x, ord=3), X),
    "norm_of_order_inf": (lambda tf, x: tf.norm(x, ord=np.inf), X),
    "normalize": (lambda tf, x: tf.linalg.normalize(x)[0], X),
}

MORE_SHAPES = {
    "reverse_sequence": (lambda tf, x: tf.reverse_sequence(x, [3, 2], seq_axis=1), MATRIX),
    "space_to_batch": (
        lambda tf, x: tf.space_to_batch(x, [2, 3], [[1, 1], [0, 3]]),
        [[[0.5, -1.25, 2.0], [1.5, 0.75, -0.5]]],
    ),
    "batch_to_space": (lambda tf, x: tf.batch_to_space(x, [2], [[1, 0]]), MATRIX),
    "pad_reflect": (lambda tf, x: tf.pad(x, [[0, 1], [2, 1]], mode="REFLECT"), MATRIX),
    "pad_symmetric": (lambda tf, x: tf.pad(x, [[1, 0], [3, 1]], mode="SYMMETRIC"), MATRIX),
    "repeat": (lambda tf, x: tf.repeat(x, [2, 0, 1], axis=0) * 1.0, OTHER),
    "meshgrid": (lambda tf, a, b: tf.meshgrid(a, b)[1], X, [1.0, 2.0]),
    "linspace": (lambda tf, a, b: tf.linspace(a, b, 4), X, Y),
    "linspace_of_none": (lambda tf, a, b: tf.linspace(a, b, 0), X, Y),
    "fill": (lambda tf, x: tf.fill([2, 2], x), 1.5),
    "identity_n": (lambda tf, a, b: tf.identity_n([a, b])[1], X, Y),
    "split_with_a_rest": (lambda tf, x: tf.split(x, [1, -1], axis=1)[1], MATRIX),
    "unstack_along_the_last_axis": (lambda tf, x: tf.unstack(x, axis=-1)[0], CUBE),
}

MORE_PICKING = {
    "strided_slice": (
        lambda tf, x: tf.strided_slice(x, [0, 2], [2, 0], [1, -1], begin_mask=1),
        MATRIX,
    ),
    "strided_slice_masks": (
        lambda tf, x: tf.strided_slice(
            x, [0, 0, 1], [0, 0, 2], ellipsis_mask=1, new_axis_mask=2, shrink_axis_mask=4
        ),
        MATRIX,
    ),
    "slice_with_an_axis_in_the_middle": (lambda tf, x: x[1, tf.newaxis, ..., ::-1], CUBE),
    "gather_in_batches": (
        lambda tf, x: tf.gather(x, [[2, 0], [1, 1]], batch_dims=1, axis=1),
        MATRIX,
    ),
    "gather_nd_in_batches": (lambda tf, x: tf.gather_nd(x, [[2], [1]], batch_dims=1), MATRIX),
    "gather_nd_rows": (lambda tf, x: tf.gather_nd(x * 1.0, [[1], [0], [1]]), MATRIX),
    "scatter_nd": (lambda tf, x: tf.scatter_nd([[2], [0], [2]], x, [4]), X),
    "tensor_scatter_update": (
        lambda tf, a, b: tf.tensor_scatter_nd_update(a, [[0, 1], [1, 2]], b),
        MATRIX,
        [7.0, 8.0],
    ),
    "tensor_scatter_add": (
        lambda tf, a, b: tf.tensor_scatter_nd_add(a, [[2], [0], [2]], b),
        X,
        Y,
    ),
    "tensor_scatter_sub": (
        lambda tf, a, b: tf.tensor_scatter_nd_sub(a, [[2], [0], [2]], b),
        X,
        Y,
    ),
    "tensor_scatter_max": (
        lambda tf, a, b: tf.tensor_scatter_nd_max(a, [[2], [0], [2]], b),
        X,
        Y,
    ),
    "tensor_scatter_min": (
        lambda tf, a, b: tf.tensor_scatter_nd_min(a, [[2], [0], [2]], b),
        X,
        Y,
    ),
    "boolean_mask_along_an_axis": (
        lambda tf, x: tf.boolean_mask(x * 1.0, [True, False, True], axis=1),
        MATRIX,
    ),
    "dynamic_partition": (
        lambda tf, x: tf.concat(tf.dynamic_partition(x, [1, 0, 1], 2), axis=0),
        OTHER,
    ),
    "dynamic_stitch": (lambda tf, a, b: tf.dynamic_stitch([[3, 0, 1], [4, 2, 5]], [a, b]), X, Y),
}

MORE_PRODUCTS = {
    "tensordot_of_nothing": (lambda tf, a, b: tf.tensordot(a, b, axes=0), X, Y),
    "einsum_with_an_ellipsis": (lambda tf, a, b: tf.einsum("...ij,jk->...ik", a, b), CUBE, SQUARE),
    "einsum_of_three": (lambda tf, a, b: tf.einsum("ij,jk,ik->", a, b, a @ b), SQUARE, SQUARE),
    "matmul_adjoint": (lambda tf, a, b: tf.matmul(a, b, adjoint_a=True), OTHER, OTHER),
    "matvec_transpose": (lambda tf, a, b: tf.linalg.matvec(a, b, transpose_a=True), OTHER, X),
    "cross": (lambda tf, a, b: tf.linalg.cross(a, b), X, Y),
    "matrix_transpose": (lambda tf, x: tf.linalg.matrix_transpose(x), CUBE),
    "diag_above": (lambda tf, x: tf.linalg.diag(x, k=1), X),
    "diag_of_many": (lambda tf, x: tf.linalg.diag(x, k=(-1, 0), num_rows=4), MATRIX),
    "diag_part_of_many": (
        lambda tf, x: tf.linalg.diag_part(x, k=(-1, 2), padding_value=-1.0),
        MATRIX,
    ),
    "diag_part_aligned": (
        lambda tf, x: tf.linalg.diag_part(x, k=(-1, 1), align="LEFT_RIGHT"),
        MATRIX,
    ),
    "set_diag": (lambda tf, a, b: tf.linalg.set_diag(a, b), SQUARE, [7.0, 8.0]),
    "set_diag_above": (lambda tf, a, b: tf.linalg.set_diag(a, b, k=1), MATRIX, [7.0, 8.0]),
    "band_part": (lambda tf, x: tf.linalg.band_part(x, 0, 1), MATRIX),
    "tensor_diag": (lambda tf, x: tf.linalg.tensor_diag(x), SQUARE),
    "tensor_diag_part": (lambda tf, x: tf.linalg.tensor_diag_part(x), [CUBE, CUBE]),
}

DEFINITE = [[4.0, 1.0, 0.5], [1.0, 3.0, -0.25], [0.5, -0.25, 2.0]]

FACTORISING = {
    "inv": (lambda tf, x: tf.linalg.inv(x), SQUARE),
    "inv_adjoint": (lambda tf, x: tf.linalg.inv(x, adjoint=True), [SQUARE]),
    "det": (lambda tf, x: tf.linalg.det(x), [SQUARE, [[1.0, 2.0], [3.0, 4.0]]]),
    "slogdet": (lambda tf, x: tf.linalg.slogdet(x)[1], SQUARE),
    "logdet": (lambda tf, x: tf.linalg.logdet(x), DEFINITE),
    "solve": (lambda tf, a, b: tf.linalg.solve(a, b), SQUARE, MATRIX),
    "solve_adjoint": (lambda tf, a, b: tf.linalg.solve(a, b, adjoint=True), SQUARE, MATRIX),
    "triangular_solve": (lambda tf, a, b: tf.linalg.triangular_solve(a, b), SQUARE, MATRIX),
    "triangular_solve_upper": (
        lambda tf, a, b: tf.linalg.triangular_solve(a, b, lower=False),
        SQUARE,
        MATRIX,
    ),
    "cholesky": (lambda tf, x: tf.linalg.cholesky(x), DEFINITE),
    "cholesky_solve": (
        lambda tf, a, b: tf.linalg.cholesky_solve(tf.linalg.cholesky(a), b),
        DEFINITE,
        OTHER,
    ),
    "eigvalsh": (lambda tf, x: tf.linalg.eigvalsh(x), DEFINITE),
    "eigh_projections": (lambda tf, x: tf.linalg.eigh(x)[1] ** 2, DEFINITE),
    "svd_values": (lambda tf, x: tf.linalg.svd(x, compute_uv=False), MATRIX),
    "qr_product": (lambda tf, x: tf.linalg.qr(x).r ** 2, OTHER),
    "qr_directions": (lambda tf, x: tf.linalg.qr(x).q ** 2, DEFINITE),
    "lstsq": (lambda tf, a, b: tf.linalg.lstsq(a, b), OTHER, DEFINITE),
    "lstsq_of_a_wide_matrix": (
        lambda tf, a, b: tf.linalg.lstsq(a, b, l2_regularizer=0.5),
        MATRIX,
        SQUARE,
    ),
    "pinv": (lambda tf, x: tf.linalg.pinv(x), OTHER),
    "expm": (lambda tf, x: tf.linalg.expm(x), SQUARE),
}

COMPLEX = {
    "complex_and_its_parts": (
        lambda tf, a, b: tf.math.real(tf.complex(a, b)) * tf.math.imag(tf.complex(a, b)),
        X,
        Y,
    ),
    "complex_abs": (lambda tf, a, b: tf.abs(tf.complex(a, b)), X, Y),
    "angle": (lambda tf, a, b: tf.math.angle(tf.complex(a, b)), X, Y),
    "complex_product": (lambda tf, a, b: tf.math.imag(tf.complex(a, b) * tf.complex(b, a)), X, Y),
    "complex_quotient": (lambda tf, a, b: tf.math.real(tf.complex(a, b) / tf.complex(b, a)), X, Y),
    "complex_conj": (lambda tf, a, b: tf.math.imag(tf.math.conj(tf.complex(a, b))), X, Y),
    "complex_exp": (lambda tf, a, b: tf.math.real(tf.exp(tf.complex(a, b))), X, Y),
    "complex_log": (lambda tf, a, b: tf.math.imag(tf.math.log(tf.complex(a, b))), X, Y),
    "complex_square": (lambda tf, a, b: tf.math.imag(tf.square(tf.complex(a, b))), X, Y),
    "complex_sum": (lambda tf, a, b: tf.abs(tf.reduce_sum(tf.complex(a, b))), X, Y),
    "complex_matmul": (
        lambda tf, a, b: tf.abs(tf.matmul(tf.complex(a, b), tf.complex(b, a), adjoint_b=True)),
        SQUARE,
        SQUARE,
    ),
}

TABLE = (
    *_rows(MORE_ARITHMETIC),
    *_rows(MORE_REDUCTIONS),
    *_rows(MORE_SHAPES),
    *_rows(MORE_PICKING),
    *_rows(MORE_PRODUCTS),
    *_rows(FACTORISING),
    *_rows(COMPLEX),
    *_rows(ARITHMETIC),
    *_rows(ELEMENTWISE),
    *_rows(REDUCTIONS),
    *_rows(SHAPES),
    *_rows(PICKING),
    *_rows(PRODUCTS),
    *_rows(LOSSES),
)


def softmax_cross_entropy_by_its_labels(tf: Any, np: Any) -> Any:
    """Value and gradient; TensorFlow's second order forgets that softmax(x) - labels depends on labels."""
    labels = tf.constant([[0.25, 0.5, 0.25], [0.0, 0.0, 1.0]], tf.float64)
    logits = tf.constant(MATRIX, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch([labels, logits])
        y = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return y, tape.gradient(y, [labels, logits])


def einsum_with_a_letter_twice(tf: Any, np: Any) -> Any:
    """Value and gradient; TensorFlow cannot vectorise a jacobian of it."""
    answers = []
    for equation, values in (
        ("ii->i", SQUARE),
        ("ii", SQUARE),
        ("bii->b", CUBE),
        ("aab->ba", CUBE),
    ):
        x = tf.constant(values, tf.float64)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.einsum(equation, x)
            loss = _weighted_sum(tf, np, y)
        answers.append((y, tape.gradient(loss, x)))
    return answers

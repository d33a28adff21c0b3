"""Empty inputs, axes from the end, numbers at the edge of their dtype, values in an unusual coat."""

from collections.abc import Callable
from typing import Any

from programs.case import Case, Program, differs, table

Op = Callable[..., Any]

LARGEST = {
    "kind": "Tensor",
    "dtype": "int64",
    "shape": [2],
    "value": [9223371487098961920, -9223372036854775808],
}
SATURATED = {"kind": "Tensor", "dtype": "int32", "shape": [2], "value": [2147483647, 3]}


def _all_orders(op: Op, *inputs: Any, dtype: str = "float64") -> Program:
    """Value, gradient, second gradient, tangent."""

    def program(tf: Any, np: Any) -> Any:
        xs = [tf.constant(each, dtype) for each in inputs]
        with tf.GradientTape() as outer:
            outer.watch(xs)
            with tf.GradientTape() as inner:
                inner.watch(xs)
                y = op(tf, *xs)
                loss = _weighted(tf, np, y)
            first = [tf.convert_to_tensor(each) for each in inner.gradient(loss, xs)]
            slope = [_weighted(tf, np, each) for each in first if each is not None]
        tangents = [
            tf.constant(np.linspace(0.5, 1.5, x.numpy().size).reshape(x.shape), dtype) for x in xs
        ]
        with tf.autodiff.ForwardAccumulator(xs, tangents) as accumulator:
            y = op(tf, *xs)
        return y, first, outer.gradient(slope, xs), accumulator.jvp(y)

    return program


def _weighted(tf: Any, np: Any, y: Any) -> Any:
    total = 0.0
    for part in tf.nest.flatten(y):
        if part.dtype.is_floating:
            weights = np.arange(1.0, part.numpy().size + 1).reshape(part.shape)
            total += tf.reduce_sum(part * part * tf.constant(weights, part.dtype))
    return total


def _tangent_of(op: Op) -> Program:
    """Whether there is a tangent of what cannot be differentiated."""

    def program(tf: Any, np: Any) -> Any:
        x = tf.constant([1.5, -0.5, 2.5])
        with tf.autodiff.ForwardAccumulator(x, tf.ones([3])) as accumulator:
            y = op(tf, x)
        return y, accumulator.jvp(y)

    return program


def _recorded(tf: Any, block: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with block():
            y = x * x
        z = y * x
    return tape.gradient(z, x)


def _slices(tf: Any, dtype: Any = None) -> Any:
    return tf.IndexedSlices(
        tf.constant([[3.0, 4.0], [-6.0, 8.0]]),
        tf.constant([2, 0], dtype or tf.int64),
        tf.constant([4, 2], dtype or tf.int64),
    )


ORDERS = {
    "weighted_moments": _all_orders(
        lambda tf, x, w: tf.nn.weighted_moments(x, [0], w), [1.0, 2.5, 4.0], [1.0, 2.0, 0.5]
    ),
    "weighted_moments_of_rows": _all_orders(
        lambda tf, x, w: tf.nn.weighted_moments(x, [1], w, keepdims=True),
        [[1.0, 2.5, 4.0], [0.5, -1.0, 2.0]],
        [[1.0], [0.5]],
    ),
    "weighted_moments_without_weight": _all_orders(
        lambda tf, x, w: tf.nn.weighted_moments(x, [0], w), [1.0, 2.5, 4.0], [0.0, 0.0, 0.0]
    ),
    "moments": _all_orders(lambda tf, x: tf.nn.moments(x, [0]), [1.0, 2.5, 4.0]),
    "moments_shifted": _all_orders(lambda tf, x: tf.nn.moments(x, [0], shift=2.0), [1.0, 2.5, 4.0]),
    "moments_of_no_axis": _all_orders(lambda tf, x: tf.nn.moments(x, []), [1.0, 2.5, 4.0]),
    "einsum_trace": _all_orders(lambda tf, x: tf.einsum("aa->", x), [[1.0, 2.0], [3.0, 4.0]]),
    "einsum_diagonal": _all_orders(lambda tf, x: tf.einsum("aa->a", x), [[1.0, 2.0], [3.0, 4.0]]),
    "einsum_three_times": _all_orders(
        lambda tf, x: tf.einsum("aaa->", x), [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]
    ),
    "einsum_onto_a_diagonal": _all_orders(lambda tf, x: tf.einsum("a->aa", x), [1.0, 2.0]),
    "einsum_onto_a_cube": _all_orders(lambda tf, x: tf.einsum("a->aaa", x), [1.0, 2.0]),
    "einsum_repeated_in_both": _all_orders(
        lambda tf, x, y: tf.einsum("aab,bc->ac", x, y),
        [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]],
        [[1.0, 0.5], [0.25, 2.0]],
    ),
    "einsum_repeated_in_out": _all_orders(
        lambda tf, x, y: tf.einsum("ab,b->aba", x, y), [[1.0, 2.0], [3.0, 4.0]], [0.5, 2.0]
    ),
    "einsum_of_batches": _all_orders(
        lambda tf, x: tf.einsum("...ii->...i", x), [[[1.0, 2.0], [3.0, 4.0]]]
    ),
    "einsum_implied": _all_orders(
        lambda tf, x, y: tf.einsum("ij,jk", x, y), [[1.0, 2.0]], [[1.0], [3.0]]
    ),
    "transpose_from_the_end": _all_orders(
        lambda tf, x: tf.transpose(x, [-1, 0]), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    ),
    "expand_dims_by_a_list": _all_orders(lambda tf, x: tf.expand_dims(x, [0]), [1.0, 2.0]),
    "gather_batches_from_the_end": _all_orders(
        lambda tf, x: tf.gather(x, [[1, 0], [0, 0]], batch_dims=-1), [[1.0, 2.0], [3.0, 4.0]]
    ),
    "gather_axis_from_the_end": _all_orders(
        lambda tf, x: tf.gather(x, [1, 0], axis=-1), [[1.0, 2.0], [3.0, 4.0]]
    ),
    "gather_both_from_the_end": _all_orders(
        lambda tf, x: tf.gather(x, [[1], [0]], axis=-1, batch_dims=-1),
        [[1.0, 2.0], [3.0, 4.0]],
    ),
    "gather_batches_far_from_the_end": _all_orders(
        lambda tf, x: tf.gather(x, [[[1], [0]]], batch_dims=-3), [[1.0, 2.0], [3.0, 4.0]]
    ),
    "reduce_logsumexp": _all_orders(lambda tf, x: tf.reduce_logsumexp(x), [1.0, 2.0, 0.5]),
    "reduce_logsumexp_of_infinity": _all_orders(
        lambda tf, x: tf.reduce_logsumexp(x, 1), [[1.0, 2.0], [0.5, 0.25]]
    ),
    "qr_full": _all_orders(
        lambda tf, x: tf.abs(tf.linalg.qr(x, full_matrices=True)[1]), [[2.0, 1.0], [0.5, 3.0]]
    ),
    "svd_full": _all_orders(
        lambda tf, x: tf.linalg.svd(x, full_matrices=True)[0], [[2.0, 1.0], [0.5, 3.0]]
    ),
    "det": _all_orders(lambda tf, x: tf.linalg.det(x), [[2.0, 1.0], [0.5, 3.0]]),
    "embedding_lookup": _all_orders(
        lambda tf, x: tf.convert_to_tensor(tf.nn.embedding_lookup(x, [1, 0, 1])),
        [[1.0, 2.0], [3.0, 4.0]],
    ),
    "embedding_lookup_max_norm": _all_orders(
        lambda tf, x: tf.nn.embedding_lookup(x, [1, 0, 1], max_norm=2.0),
        [[1.0, 0.5], [3.0, 4.0]],
    ),
    "where_broadcast": _all_orders(
        lambda tf, x: tf.where([[True], [False]], x, 2.0 * x), [1.0, 2.0, 3.0]
    ),
    "clip_by_norm_axes": _all_orders(
        lambda tf, x: tf.clip_by_norm(x, 2.0, axes=[0]), [[1.0, 2.0], [3.0, 0.5]]
    ),
    "l2_normalize_dim": _all_orders(
        lambda tf, x: tf.math.l2_normalize(x, dim=1), [[1.0, 2.0], [3.0, 0.5]]
    ),
    "top_k_not_sorted": _all_orders(
        lambda tf, x: tf.sort(tf.math.top_k(x, 2, sorted=False)[0]), [1.0, 3.0, 2.0]
    ),
    "sort_stable": _all_orders(
        lambda tf, x: tf.gather(x, tf.argsort(x, stable=True, direction="DESCENDING")),
        [1.0, 3.0, 2.0, 3.0],
    ),
    "pinv_validated": _all_orders(
        lambda tf, x: tf.linalg.pinv(x, validate_args=True), [[2.0, 1.0], [0.5, 3.0], [1.0, 0.0]]
    ),
    "lstsq_slow": _all_orders(
        lambda tf, a, b: tf.linalg.lstsq(a, b, fast=True),
        [[2.0, 1.0], [0.5, 3.0], [1.0, 0.0]],
        [[1.0], [2.0], [3.0]],
    ),
}

TANGENTS = {
    "is_finite": _tangent_of(lambda tf, x: tf.math.is_finite(x)),
    "is_nan": _tangent_of(lambda tf, x: tf.math.is_nan(x)),
    "is_inf": _tangent_of(lambda tf, x: tf.math.is_inf(x)),
    "comparison": _tangent_of(lambda tf, x: x > 0.0),
    "equality": _tangent_of(lambda tf, x: tf.equal(x, 1.5)),
    "argmax": _tangent_of(lambda tf, x: tf.argmax(x)),
    "argsort": _tangent_of(lambda tf, x: tf.argsort(x)),
    "cast_to_int": _tangent_of(lambda tf, x: tf.cast(x, tf.int32)),
    "cast_to_bool": _tangent_of(lambda tf, x: tf.cast(x, tf.bool)),
    "shape": _tangent_of(lambda tf, x: tf.shape(x)),
    "size": _tangent_of(lambda tf, x: tf.size(x)),
    "rank": _tangent_of(lambda tf, x: tf.rank(x)),
    "count_nonzero": _tangent_of(lambda tf, x: tf.math.count_nonzero(x)),
    "floor": _tangent_of(lambda tf, x: tf.floor(x)),
    "round": _tangent_of(lambda tf, x: tf.round(x)),
    "ceil": _tangent_of(lambda tf, x: tf.math.ceil(x)),
    "sign": _tangent_of(lambda tf, x: tf.sign(x)),
    "zeros_like": _tangent_of(lambda tf, x: tf.zeros_like(x)),
    "ones_like": _tangent_of(lambda tf, x: tf.ones_like(x)),
    "searchsorted": _tangent_of(lambda tf, x: tf.searchsorted([0.0, 1.0, 2.0], x)),
    "bucketed": _tangent_of(lambda tf, x: tf.histogram_fixed_width(x, [0.0, 3.0], 3)),
    "where_indices": _tangent_of(lambda tf, x: tf.where(x > 0.0)),
    "unique": _tangent_of(lambda tf, x: tf.unique(x)[1]),
    "top_k_indices": _tangent_of(lambda tf, x: tf.math.top_k(x, 2)[1]),
    "logical": _tangent_of(lambda tf, x: tf.logical_and(x > 0.0, x < 2.0)),
    "reduce_all": _tangent_of(lambda tf, x: tf.reduce_all(x > 0.0)),
    "in_top_k": _tangent_of(lambda tf, x: tf.math.in_top_k([0], [x], 1)),
    "as_string": _tangent_of(lambda tf, x: tf.strings.as_string(x)),
    "bitcast": _tangent_of(lambda tf, x: tf.bitcast(x, tf.int32)),
    "nextafter": _tangent_of(lambda tf, x: tf.math.nextafter(x, [3.0, 3.0, 3.0])),
    "floordiv": _tangent_of(lambda tf, x: x // 2.0),
    "mod": _tangent_of(lambda tf, x: x % 2.0),
    "stop_gradient": _tangent_of(lambda tf, x: tf.stop_gradient(x)),
    "reduce_logsumexp_of_values": _tangent_of(lambda tf, x: tf.reduce_logsumexp(x)),
    "check_numerics": _tangent_of(lambda tf, x: tf.debugging.check_numerics(x, "m")),
    "clip_by_value": _tangent_of(lambda tf, x: tf.clip_by_value(x, 0.0, 2.0)),
    "saturate_cast": _tangent_of(lambda tf, x: tf.saturate_cast(x, tf.float16)),
    "segment_max": _tangent_of(lambda tf, x: tf.math.segment_max(x, [0, 0, 1])),
    "dynamic_partition": _tangent_of(lambda tf, x: tf.dynamic_partition(x, [0, 1, 0], 2)),
    "dropout_of_nothing": _tangent_of(lambda tf, x: tf.nn.dropout(x, 0.0)),
}

EMPTY = {
    "constant_of_no_ints": lambda tf, np: tf.constant([], tf.int32),
    "constant_of_no_bools": lambda tf, np: tf.constant([], tf.bool),
    "constant_of_no_strings": lambda tf, np: tf.constant([], tf.string),
    "constant_of_no_complex": lambda tf, np: tf.constant([], tf.complex64),
    "constant_of_two_empty_rows": lambda tf, np: tf.constant([[], []], tf.int64),
    "constant_of_nothing_in_a_shape": lambda tf, np: tf.constant([], shape=[3, 0]),
    "constant_of_no_ints_in_a_shape": lambda tf, np: tf.constant([], tf.int32, shape=[0, 2]),
    "constant_of_an_empty_array": lambda tf, np: tf.constant(np.zeros([0, 2], np.int64)),
    "convert_nothing": lambda tf, np: tf.convert_to_tensor([], tf.int32),
    "reshape_of_nothing": lambda tf, np: tf.reshape(tf.zeros([0, 3]), [0, -1, 3]),
    "reshape_of_nothing_to_one_unknown": lambda tf, np: tf.reshape(tf.zeros([0, 3]), [-1, 3]),
    "reshape_of_nothing_flat": lambda tf, np: tf.reshape(tf.zeros([0, 3]), [-1]),
    "reshape_by_a_scalar": lambda tf, np: tf.reshape(tf.zeros([2, 2]), -1),
    "reduce_all_of_nothing": lambda tf, np: tf.reduce_all([]),
    "reduce_any_of_nothing": lambda tf, np: tf.reduce_any([]),
    "reduce_all_of_no_bools": lambda tf, np: tf.reduce_all(tf.zeros([0], tf.bool)),
    "reduce_sum_of_nothing": lambda tf, np: tf.reduce_sum([]),
    "reduce_mean_of_nothing": lambda tf, np: tf.reduce_mean(tf.zeros([0])),
    "reduce_max_of_nothing": lambda tf, np: tf.reduce_max(tf.zeros([0])),
    "reduce_min_of_no_ints": lambda tf, np: tf.reduce_min(tf.zeros([0], tf.int32)),
    "reduce_max_of_no_rows": lambda tf, np: tf.reduce_max(tf.zeros([0, 2]), 0),
    "reduce_prod_of_nothing": lambda tf, np: tf.reduce_prod(tf.zeros([0])),
    "reduce_logsumexp_of_nothing": lambda tf, np: tf.reduce_logsumexp(tf.zeros([0])),
    "argmax_of_nothing": lambda tf, np: tf.argmax(tf.zeros([0])),
    "bincount_of_nothing": lambda tf, np: tf.math.bincount([]),
    "bincount_of_no_ints": lambda tf, np: tf.math.bincount(tf.zeros([0], tf.int32)),
    "concat_of_nothing_and_something": lambda tf, np: tf.concat([tf.zeros([0]), tf.ones([2])], 0),
    "stack_of_empties": lambda tf, np: tf.stack([tf.zeros([0]), tf.zeros([0])]),
    "unstack_of_nothing": lambda tf, np: tf.unstack(tf.zeros([0, 2])),
    "gather_nothing": lambda tf, np: tf.gather(tf.ones([2]), tf.zeros([0], tf.int32)),
    "gather_by_an_empty_list": lambda tf, np: tf.gather(tf.ones([2]), []),
    "boolean_mask_of_none": lambda tf, np: tf.boolean_mask(tf.ones([2]), [False, False]),
    "where_of_none": lambda tf, np: tf.where(tf.constant([False, False])),
    "matmul_of_nothing": lambda tf, np: tf.matmul(tf.zeros([2, 0]), tf.zeros([0, 3])),
    "matmul_of_no_rows": lambda tf, np: tf.matmul(tf.zeros([0, 2]), tf.zeros([2, 3])),
    "sort_of_nothing": lambda tf, np: tf.sort(tf.zeros([0])),
    "top_k_of_none": lambda tf, np: tf.math.top_k(tf.ones([2]), 0),
    "unique_of_nothing": lambda tf, np: tf.unique(tf.zeros([0])),
    "cumsum_of_nothing": lambda tf, np: tf.cumsum(tf.zeros([0])),
    "split_of_nothing": lambda tf, np: tf.split(tf.zeros([0]), 2),
    "tile_no_times": lambda tf, np: tf.tile(tf.ones([2]), [0]),
    "repeat_no_times": lambda tf, np: tf.repeat(tf.ones([2]), 0),
    "range_of_nothing": lambda tf, np: tf.range(0),
    "softmax_of_nothing": lambda tf, np: tf.nn.softmax(tf.zeros([0])),
    "segment_sum_of_nothing": lambda tf, np: tf.math.segment_sum(
        tf.zeros([0]), tf.zeros([0], tf.int32)
    ),
    "one_hot_of_nothing": lambda tf, np: tf.one_hot([], 3),
    "norm_of_nothing": lambda tf, np: tf.norm(tf.zeros([0])),
    "det_of_nothing": lambda tf, np: tf.linalg.det(tf.zeros([0, 0])),
    "eye_of_nothing": lambda tf, np: tf.eye(0),
    "moments_of_nothing": lambda tf, np: tf.nn.moments(tf.zeros([0]), [0]),
    "gradient_of_nothing": lambda tf, np: _gradient(tf, tf.zeros([0]), lambda x: tf.reduce_sum(x)),
    "gradient_of_no_rows": lambda tf, np: _gradient(
        tf, tf.zeros([0, 2]), lambda x: tf.reduce_max(x, 1)
    ),
}


def _gradient(tf: Any, x: Any, f: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y, tape.gradient(y, x)


class Reflected:
    """Knows what to do when a tensor does not."""

    def __radd__(self, other: Any) -> str:
        return "radd"

    def __rmul__(self, other: Any) -> str:
        return "rmul"

    def __rmatmul__(self, other: Any) -> str:
        return "rmatmul"

    def __rsub__(self, other: Any) -> str:
        return "rsub"

    def __rtruediv__(self, other: Any) -> str:
        return "rtruediv"


NUMBERS = {
    "where_of_arrays": lambda tf, np: tf.where(
        np.array([True, False]), np.array([1.0, 2.0]), np.array([3.0, 4.0])
    ),
    "where_of_lists": lambda tf, np: tf.where([True, False], [1.0, 2.0], [3.0, 4.0]),
    "where_of_numbers": lambda tf, np: tf.where(True, 1.0, 2.0),
    "where_of_an_int_and_a_float": lambda tf, np: tf.where([True, False], 1, 2.5),
    "where_of_an_array_condition": lambda tf, np: tf.where(np.array([[True, False], [True, True]])),
    "where_beside_nan": lambda tf, np: tf.where(np.array([True]), tf.constant([1.0]), np.nan),
    "where_of_one": lambda tf, np: tf.where([True], [1.0]),
    "saturate_cast_up": lambda tf, np: tf.saturate_cast(1e30, tf.int32),
    "saturate_cast_down": lambda tf, np: tf.saturate_cast(tf.constant([-1e30, 0.5, 1e9]), tf.int32),
    "saturate_cast_to_int64": differs(
        "TensorFlow's limit is rounded up to one that int64 does not hold", gives=LARGEST
    )(lambda tf, np: tf.saturate_cast(tf.constant([1e30, -1e30]), tf.int64)),
    "saturate_cast_double_to_int32": lambda tf, np: tf.saturate_cast(
        tf.constant([1e30, -1e30, 7.9], tf.float64), tf.int32
    ),
    "saturate_cast_to_bytes": lambda tf, np: tf.saturate_cast(tf.constant([300, -1, 7]), tf.uint8),
    "saturate_cast_of_bytes": lambda tf, np: tf.saturate_cast(
        tf.constant([200, 3], tf.uint8), tf.int8
    ),
    "saturate_cast_unsigned_to_signed": differs("TensorFlow has no kernel for it", gives=SATURATED)(
        lambda tf, np: tf.saturate_cast(tf.constant([2**32 - 1, 3], tf.uint32), tf.int32)
    ),
    "saturate_cast_negative_to_unsigned": lambda tf, np: tf.saturate_cast(
        tf.constant([-5, 3], tf.int32), tf.uint32
    ),
    "saturate_cast_to_half": lambda tf, np: tf.saturate_cast(tf.constant([1e6, -1e6]), tf.float16),
    "saturate_cast_of_nan": lambda tf, np: tf.saturate_cast(
        tf.constant([float("inf"), -float("inf")]), tf.int32
    ),
    "saturate_cast_to_its_own": lambda tf, np: tf.saturate_cast(tf.constant([1.5]), tf.float32),
    "range_of_floats": lambda tf, np: tf.range(0.0, 1.0, 0.01),
    "range_of_tenths": lambda tf, np: tf.range(0.0, 1.0, 0.1),
    "range_of_doubles": lambda tf, np: tf.range(0.0, 1.0, 0.1, dtype=tf.float64),
    "range_down": lambda tf, np: tf.range(1.0, 0.0, -0.1),
    "range_of_mixed": lambda tf, np: tf.range(0, 1, 0.25),
    "range_of_a_tensor": lambda tf, np: tf.range(tf.constant(3, tf.int64)),
    "range_of_large_steps": lambda tf, np: tf.range(1.0, 18.0, 3.3),
    "range_of_halves": lambda tf, np: tf.range(3.0, dtype=tf.float16),
    "range_of_thirds": lambda tf, np: tf.range(0.0, 10.0, 1.0 / 3.0),
    "range_of_an_int32_tensor_and_an_int64": lambda tf, np: tf.range(
        tf.constant(0), tf.constant(3, tf.int64)
    ),
    "linspace_of_floats": lambda tf, np: tf.linspace(0.0, 1.0, 7),
    "linspace_of_vectors": lambda tf, np: tf.linspace([0.0, 5.0], [1.0, 3.0], 3, axis=-1),
    "truncatediv_of_large_ints": lambda tf, np: tf.truncatediv(
        tf.constant([2**53 + 1, -(2**53) - 1, 2**62 + 1], tf.int64), tf.constant(1, tf.int64)
    ),
    "truncatediv_of_negatives": lambda tf, np: tf.truncatediv(
        tf.constant([-7, 7, -7, 7]), tf.constant([2, -2, -2, 2])
    ),
    "truncatemod_of_large_ints": lambda tf, np: tf.truncatemod(
        tf.constant([2**53 + 1, -(2**62) - 1], tf.int64), tf.constant(10, tf.int64)
    ),
    "floordiv_of_large_ints": lambda tf, np: tf.constant([2**62 + 1, -(2**62) - 1], tf.int64) // 3,
    "mod_of_large_ints": lambda tf, np: tf.constant([2**62 + 1, -(2**62) - 1], tf.int64) % 10,
    "pow_of_large_ints": lambda tf, np: tf.constant([3, 7], tf.int64) ** 39,
    "reduce_mean_of_ints": lambda tf, np: tf.reduce_mean(tf.constant([1, 2, 4])),
    "reduce_mean_of_negative_ints": lambda tf, np: tf.reduce_mean(tf.constant([-1, -2, -4])),
    "reduce_mean_of_large_ints": lambda tf, np: tf.reduce_mean(
        tf.constant([2**53 + 1, 2**53 + 1], tf.int64)
    ),
    "reduce_prod_of_large_ints": lambda tf, np: tf.reduce_prod(
        tf.constant([2**31 + 1, 2**31 - 1], tf.int64)
    ),
    "reduce_sum_of_bytes": lambda tf, np: tf.reduce_sum(tf.constant([200, 100], tf.uint8)),
    "abs_of_large_ints": lambda tf, np: tf.abs(tf.constant([-(2**53) - 1], tf.int64)),
    "square_of_large_ints": lambda tf, np: tf.square(tf.constant([2**27 + 1], tf.int64)),
    "sign_of_large_ints": lambda tf, np: tf.sign(tf.constant([-(2**53) - 1, 0, 3], tf.int64)),
    "squared_difference_of_large_ints": lambda tf, np: tf.math.squared_difference(
        tf.constant([2**30 + 1], tf.int64), tf.constant([0], tf.int64)
    ),
    "maximum_of_large_ints": lambda tf, np: tf.maximum(
        tf.constant([2**53 + 1], tf.int64), tf.constant([2**53], tf.int64)
    ),
    "clip_of_large_ints": lambda tf, np: tf.clip_by_value(
        tf.constant([2**53 + 1], tf.int64), 0, 2**60
    ),
    "cumsum_of_large_ints": lambda tf, np: tf.cumsum(tf.constant([2**53, 1], tf.int64)),
    "cumprod_of_large_ints": lambda tf, np: tf.math.cumprod(
        tf.constant([2**31 + 1, 2**22], tf.int64)
    ),
    "sort_of_large_ints": lambda tf, np: tf.sort(
        tf.constant([2**53 + 1, 2**53], tf.int64), direction="DESCENDING"
    ),
    "top_k_of_large_ints": lambda tf, np: tf.math.top_k(
        tf.constant([2**53, 2**53 + 1], tf.int64), 1
    ),
    "argsort_of_smallest_ints": lambda tf, np: tf.argsort(
        tf.constant([-(2**31), 5, 2**31 - 1]), direction="DESCENDING"
    ),
    "argsort_of_bytes": lambda tf, np: tf.argsort(
        tf.constant([0, 255, 7], tf.uint8), direction="DESCENDING"
    ),
    "scatter_of_large_ints": lambda tf, np: tf.scatter_nd(
        [[0], [0]], tf.constant([2**53, 1], tf.int64), [2]
    ),
    "segment_mean_of_ints": lambda tf, np: tf.math.segment_mean(tf.constant([1, 2, 4]), [0, 0, 1]),
    "unsorted_segment_mean_of_ints": lambda tf, np: tf.math.unsorted_segment_mean(
        tf.constant([1.0, 2.0, 4.0]), [0, 0, 2], 3
    ),
    "matmul_of_large_ints": lambda tf, np: tf.matmul(
        tf.constant([[2**53 + 1]], tf.int64), tf.constant([[1]], tf.int64)
    ),
    "tensordot_of_large_ints": lambda tf, np: tf.tensordot(
        tf.constant([2**53 + 1], tf.int64), tf.constant([1], tf.int64), 1
    ),
    "cast_of_large_floats": lambda tf, np: tf.cast(tf.constant([1.9, -1.9]), tf.int32),
    "cast_between_ints": lambda tf, np: tf.cast(tf.constant([300, -1]), tf.uint8),
    "round_of_halves": lambda tf, np: tf.round(tf.constant([0.5, 1.5, -2.5])),
    "divide_of_ints": lambda tf, np: tf.constant([1, 2]) / tf.constant([2, 3]),
    "divide_of_bytes": lambda tf, np: tf.constant([1, 2], tf.uint8) / tf.constant([2, 3], tf.uint8),
    "divide_of_int64": lambda tf, np: tf.constant([1, 2], tf.int64) / 3,
    "floordiv_of_negatives": lambda tf, np: tf.constant([-7, 7]) // tf.constant([2, -2]),
    "floordiv_of_floats": lambda tf, np: tf.constant([-7.5, 7.0, 1e9]) // 2.0,
    "mod_of_negative_floats": lambda tf, np: tf.constant([-7.5, 7.0]) % tf.constant([2.0, -2.0]),
    "divide_ints_by_zero": lambda tf, np: tf.constant([1, 2]) // tf.constant([0, 1]),
    "mod_ints_by_zero": lambda tf, np: tf.constant([1, 2]) % tf.constant([0, 1]),
    "truncatediv_by_zero": differs(
        "an argument is wrong, nothing inside is", raises="InvalidArgumentError"
    )(lambda tf, np: tf.truncatediv(tf.constant([1]), tf.constant([0]))),
    "pow_of_ints_by_a_negative": lambda tf, np: tf.constant([2]) ** tf.constant([-1]),
    "det_of_nan": lambda tf, np: tf.linalg.det([[float("nan"), 1.0], [1.0, 2.0]]),
    "det_of_infinity": lambda tf, np: tf.linalg.det([[float("inf"), 1.0], [1.0, 2.0]]),
    "det_of_singular": lambda tf, np: tf.linalg.det([[1.0, 1.0], [1.0, 1.0]]),
    "det_of_batches": lambda tf, np: tf.linalg.det(
        [[[float("nan"), 1.0], [1.0, 2.0]], [[1.0, 0.0], [0.0, 2.0]]]
    ),
    "slogdet_of_singular": lambda tf, np: tf.linalg.slogdet(tf.ones([2, 2])),
    "inv_of_nan": lambda tf, np: tf.linalg.inv([[float("nan"), 1.0], [1.0, 2.0]]),
    "bincount": lambda tf, np: tf.math.bincount([1, 3, 1]),
    "bincount_flat": lambda tf, np: tf.math.bincount([[1, 3], [1, 0]], axis=0),
    "bincount_rows": lambda tf, np: tf.math.bincount([[1, 3], [1, 0]], axis=-1),
    "bincount_by_another_axis": lambda tf, np: tf.math.bincount([[1, 3], [1, 0]], axis=1),
    "bincount_binary": lambda tf, np: tf.math.bincount([1, 3, 1], binary_output=True),
    "bincount_of_negatives": lambda tf, np: tf.math.bincount([1, -3]),
    "bincount_bounded": lambda tf, np: tf.math.bincount([1, 3, 1], minlength=6, maxlength=2),
    "bincount_weighted": lambda tf, np: tf.math.bincount([1, 3, 1], weights=[0.5, 1.0, 2.0]),
    "embedding_lookup_of_a_list": lambda tf, np: tf.nn.embedding_lookup(
        [tf.constant([[1.0, 2.0], [3.0, 4.0]])], [1, 0]
    ),
    "embedding_lookup_by_name": lambda tf, np: tf.nn.embedding_lookup(
        params=tf.constant([[1.0], [3.0]]), ids=tf.constant([1])
    ),
    "embedding_lookup_of_parts": lambda tf, np: tf.nn.embedding_lookup(
        [tf.constant([[1.0], [3.0]]), tf.constant([[2.0], [4.0]])], [0, 1, 2, 3]
    ),
    "gather_validated": lambda tf, np: tf.gather(tf.ones([2]), [0], validate_indices=True),
    "convert_a_mixed_list": lambda tf, np: tf.convert_to_tensor(
        [tf.constant(1.0), 2.5], dtype=tf.float32
    ),
    "convert_a_mixed_list_to_another_dtype": lambda tf, np: tf.convert_to_tensor(
        [tf.constant(1.5), 2.1], dtype=tf.float64
    ),
    "convert_to_the_hinted_dtype": lambda tf, np: tf.convert_to_tensor(1, dtype_hint=tf.float64),
    "constant_of_a_list_of_tensors": lambda tf, np: tf.constant([tf.constant(1.0), 2.5]),
    "constant_of_a_tensor_in_another_dtype": lambda tf, np: tf.constant(
        tf.constant(1.5), tf.float64
    ),
    "constant_of_string_arrays": lambda tf, np: tf.constant(np.array(["a", "bc"])),
    "constant_of_bytes_arrays": lambda tf, np: tf.constant(np.array([b"a", b"bc"])),
    "constant_of_object_strings": lambda tf, np: tf.constant(np.array(["a", "bc"], object)),
    "convert_string_arrays": lambda tf, np: tf.convert_to_tensor(np.array([["a"], ["é"]])),
    "strings_to_numpy": lambda tf, np: tf.constant(["a", "b"]).numpy().tolist() == [b"a", b"b"],
    "string_scalar_to_numpy": lambda tf, np: tf.constant("a").numpy() == b"a",
    "string_scalar_shape": lambda tf, np: tf.constant("a").shape,
    "gather_of_strings": lambda tf, np: tf.gather(tf.constant(["a", "b"]), [1, 0]),
    "concat_of_strings": lambda tf, np: tf.concat([tf.constant(["a"]), tf.constant(["b"])], 0),
    "reshape_of_strings": lambda tf, np: tf.reshape(tf.constant(["a", "b"]), [2, 1]),
    "equal_of_strings": lambda tf, np: tf.equal(tf.constant(["a", "b"]), "a"),
    "index_of_strings": lambda tf, np: tf.constant(["a", "b"])[0],
    "fill_of_strings": lambda tf, np: tf.fill([2], "a"),
    "as_string_of_floats": lambda tf, np: tf.strings.as_string(tf.constant([1.5, 1e10])),
    "as_string_scientific": lambda tf, np: tf.strings.as_string(tf.constant(1.5), scientific=True),
    "as_string_shortest": lambda tf, np: tf.strings.as_string(tf.constant(1.5), shortest=True),
    "as_string_filled": lambda tf, np: tf.strings.as_string(tf.constant(7), width=3, fill="0"),
    "as_string_precise": lambda tf, np: tf.strings.as_string(tf.constant(1.25), precision=1),
    "add_reflected": lambda tf, np: tf.constant(1.0) + Reflected(),
    "multiply_reflected": lambda tf, np: tf.constant(1.0) * Reflected(),
    "subtract_reflected": lambda tf, np: tf.constant(1.0) - Reflected(),
    "divide_reflected": lambda tf, np: tf.constant(1.0) / Reflected(),
    "matmul_reflected": lambda tf, np: tf.constant([[1.0]]) @ Reflected(),
    "variable_add_reflected": lambda tf, np: tf.Variable(1.0) + Reflected(),
    "compare_with_an_object": lambda tf, np: tf.constant(1.0) == object(),
    "compare_with_a_string": lambda tf, np: tf.constant(1.0) == "a",
    "sigmoid_of_extremes": lambda tf, np: tf.sigmoid(tf.constant([-1e4, 0.0, 1e4])),
    "softplus_of_extremes": lambda tf, np: tf.nn.softplus(tf.constant([-1e4, 0.0, 1e4])),
    "reduce_logsumexp_of_minus_infinity": lambda tf, np: tf.reduce_logsumexp(
        tf.constant([-float("inf"), -float("inf")])
    ),
    "reduce_logsumexp_of_plus_infinity": lambda tf, np: tf.reduce_logsumexp(
        tf.constant([float("inf"), 1.0])
    ),
    "divide_no_nan_of_ints": lambda tf, np: tf.math.divide_no_nan([1, 2], [0, 4]),
    "divide_no_nan_of_floats": lambda tf, np: tf.math.divide_no_nan([1.0, 2.0], [0.0, 4.0]),
    "moments_of_halves": lambda tf, np: tf.nn.moments(tf.constant([1.0, 2.5], tf.float16), [0]),
    "moments_of_ints": lambda tf, np: tf.nn.moments(tf.constant([1, 2]), [0]),
    "cumsum_of_bytes": lambda tf, np: tf.cumsum(tf.constant([200, 100], tf.uint8)),
    "fill_layout": lambda tf, np: tf.fill([2], 1.0, layout=None),
    "zeros_by_a_number": lambda tf, np: tf.zeros(3),
    "zeros_by_a_tensor": lambda tf, np: tf.zeros(tf.constant([2, 1])),
    "zeros_by_a_list_of_tensors": lambda tf, np: tf.zeros([tf.constant(2), 1]),
    "reshape_by_a_list_of_tensors": lambda tf, np: tf.reshape(tf.ones([4]), [tf.constant(2), -1]),
    "broadcast_to_a_shape": lambda tf, np: tf.broadcast_to([1.0], tf.TensorShape([2])),
    "clip_by_norm_of_slices": lambda tf, np: tf.clip_by_norm(_slices(tf), 2.0),
    "clip_by_value_of_slices": lambda tf, np: tf.clip_by_value(_slices(tf), -5.0, 3.5),
    "scalar_mul_of_slices": lambda tf, np: tf.scalar_mul(2.0, _slices(tf)),
    "clip_by_norm_of_int32_slices": lambda tf, np: tf.clip_by_norm(_slices(tf, tf.int32), 2.0),
    "clip_by_global_norm_of_slices": lambda tf, np: tf.clip_by_global_norm(
        [_slices(tf), tf.constant([3.0])], 2.0
    ),
    "clip_by_global_norm_with_none": lambda tf, np: tf.clip_by_global_norm(
        [tf.constant([3.0, 4.0]), None], 2.0
    ),
    "clip_by_global_norm_of_two_dtypes": lambda tf, np: tf.clip_by_global_norm(
        [tf.constant([3.0]), tf.constant([4.0], tf.float64)], 2.0
    ),
    "clip_by_global_norm_of_a_tensor": lambda tf, np: tf.clip_by_global_norm(tf.ones([2]), 2.0),
    "clip_by_global_norm_given": lambda tf, np: tf.clip_by_global_norm(
        [tf.constant([3.0, 4.0])], 2.0, use_norm=tf.constant(10.0)
    ),
    "clip_by_global_norm_of_nan": lambda tf, np: tf.clip_by_global_norm(
        [tf.constant([float("inf"), 4.0])], 2.0
    ),
    "global_norm_of_slices": lambda tf, np: tf.linalg.global_norm([_slices(tf)]),
    "negative_of_slices": lambda tf, np: -_slices(tf),
    "slices_shape": lambda tf, np: _slices(tf).shape,
    "slices_without_a_shape": lambda tf, np: (
        tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])).dense_shape
    ),
    "slices_dense": lambda tf, np: tf.convert_to_tensor(_slices(tf)),
    "slices_dtype": lambda tf, np: _slices(tf).dtype,
    "add_n_of_slices": lambda tf, np: tf.convert_to_tensor(tf.add_n([_slices(tf), _slices(tf)])),
}

VARIABLES = {
    "variable_of_a_loose_shape": lambda tf, np: tf.Variable(
        [1.0, 2.0], shape=tf.TensorShape([None])
    ).shape.as_list(),
    "variable_of_a_loose_shape_assigned": lambda tf, np: _loose(tf).assign([1.0, 2.0, 3.0]),
    "variable_of_an_unknown_shape": lambda tf, np: tf.Variable(
        [1.0], shape=tf.TensorShape(None)
    ).assign([[2.0]]),
    "variable_of_a_loose_shape_differentiated": lambda tf, np: _of_a_loose(tf),
    "variable_of_its_own_shape": lambda tf, np: tf.Variable([1.0, 2.0], shape=[2]),
    "variable_options": lambda tf, np: tf.Variable(
        1.0,
        validate_shape=True,
        caching_device=None,
        name="v",
        constraint=None,
        synchronization=tf.VariableSynchronization.AUTO,
        aggregation=tf.VariableAggregation.NONE,
    ),
    "variable_constraint": lambda tf, np: tf.Variable(1.0, constraint=lambda x: x + 1.0).constraint(
        2.0
    ),
    "assign_without_reading": lambda tf, np: tf.Variable(1.0).assign(2.0, read_value=False),
    "assign_add_without_reading": lambda tf, np: tf.Variable(1.0).assign_add(2.0, read_value=False),
    "assign_sub_without_reading": lambda tf, np: tf.Variable(1.0).assign_sub(2.0, read_value=False),
    "assign_reading": lambda tf, np: tf.Variable(1.0).assign(2.0),
    "assign_an_int": lambda tf, np: tf.Variable(1.0).assign(2),
    "assign_a_numpy_int": lambda tf, np: tf.Variable(1.0).assign(np.int64(2)),
    "assign_a_numpy_double": lambda tf, np: tf.Variable(1.0).assign(np.array(2.5)),
    "variable_in_a_name_scope": lambda tf, np: _scoped(tf),
    "variable_in_nested_name_scopes": lambda tf, np: _scoped_twice(tf),
    "module_names": lambda tf, np: _module(tf).v.name,
    "module_scope_name": lambda tf, np: _module(tf).name_scope.name,
    "module_variables_in_scope": lambda tf, np: [each.name for each in _module(tf).variables],
    "module_bad_name": lambda tf, np: tf.Module(name="no good"),
}


def _loose(tf: Any) -> Any:
    return tf.Variable([1.0, 2.0], shape=tf.TensorShape([None]))


def _of_a_loose(tf: Any) -> Any:
    v = _loose(tf)
    v.assign([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v * v)
    return tape.gradient(y, v)


def _scoped(tf: Any) -> Any:
    with tf.name_scope("a"):
        return tf.Variable(1.0, name="v").name


def _scoped_twice(tf: Any) -> Any:
    with tf.name_scope("a") as outer, tf.name_scope("b") as inner:
        return outer, inner, tf.Variable(1.0, name="v").name


def _module(tf: Any) -> Any:
    class MyModule(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            with self.name_scope:
                self.v = tf.Variable(1.0, name="v")

        @tf.Module.with_name_scope
        def build(self) -> Any:
            self.w = tf.Variable(1.0, name="w")
            return self

    return MyModule().build()


SHAPES = {
    "shape_of_nothing_known": lambda tf, np: str(tf.TensorShape(None)),
    "shape_of_nothing_known_rank": lambda tf, np: tf.TensorShape(None).rank,
    "shape_of_nothing_known_as_list": lambda tf, np: tf.TensorShape(None).as_list(),
    "shape_of_nothing_known_is_defined": lambda tf, np: tf.TensorShape(None).is_fully_defined(),
    "shape_partly_known": lambda tf, np: str(tf.TensorShape([None, 3])),
    "shape_repr": lambda tf, np: repr(tf.TensorShape([None, 3])),
    "shape_elements": lambda tf, np: tf.TensorShape([2, 3]).num_elements(),
    "shape_elements_unknown": lambda tf, np: tf.TensorShape([None, 3]).num_elements(),
    "shape_equals_a_number": lambda tf, np: tf.TensorShape([3]) == 3,
    "shape_equals_a_list": lambda tf, np: tf.TensorShape([3]) == [3],
    "shape_equals_a_tuple": lambda tf, np: tf.TensorShape([3]) == (3,),
    "shape_equals_another": lambda tf, np: tf.TensorShape([3]) == tf.TensorShape([3]),
    "shape_equals_unknown": lambda tf, np: tf.TensorShape([None]) == tf.TensorShape([None]),
    "shape_equals_nothing": lambda tf, np: tf.TensorShape([3]) == None,  # noqa: E711
    "shape_equals_a_string": lambda tf, np: tf.TensorShape([3]) == "a",
    "shape_of_a_number": lambda tf, np: tf.TensorShape(3),
    "shape_by_keyword": lambda tf, np: tf.TensorShape(dims=[3]),
    "shape_of_a_shape": lambda tf, np: tf.TensorShape(tf.TensorShape([3])),
    "shape_is_compatible": lambda tf, np: tf.TensorShape([None, 3]).is_compatible_with([2, 3]),
    "shape_is_not_compatible": lambda tf, np: tf.TensorShape([None, 3]).is_compatible_with([2, 4]),
    "shape_is_compatible_with_unknown": lambda tf, np: tf.TensorShape([3]).is_compatible_with(
        tf.TensorShape(None)
    ),
    "shape_assert_compatible": lambda tf, np: tf.TensorShape([3]).assert_is_compatible_with([4]),
    "shape_merge": lambda tf, np: tf.TensorShape([None, 3]).merge_with([2, None]),
    "shape_merge_of_others": lambda tf, np: tf.TensorShape([2, 3]).merge_with([2, 4]),
    "shape_concatenate": lambda tf, np: tf.TensorShape([2]).concatenate([3, 4]),
    "shape_plus": lambda tf, np: tf.TensorShape([2]) + [3],  # noqa: RUF005  # + is what is asked about
    "shape_plus_on_the_right": lambda tf, np: [2] + tf.TensorShape([3]),  # noqa: RUF005  # the same
    "shape_slice": lambda tf, np: tf.TensorShape([2, 3, 4])[1:],
    "shape_item": lambda tf, np: tf.TensorShape([2, 3, 4])[-1],
    "shape_length": lambda tf, np: len(tf.TensorShape([2, 3, 4])),
    "shape_length_unknown": lambda tf, np: len(tf.TensorShape(None)),
    "shape_bool": lambda tf, np: [bool(tf.TensorShape([])), bool(tf.TensorShape(None))],
    "shape_iterate": lambda tf, np: list(tf.TensorShape([2, 3])),
    "shape_iterate_unknown": lambda tf, np: list(tf.TensorShape(None)),
    "shape_with_rank": lambda tf, np: tf.TensorShape([2, 3]).with_rank(2),
    "shape_with_another_rank": lambda tf, np: tf.TensorShape([2, 3]).with_rank(3),
    "shape_with_rank_at_least": lambda tf, np: tf.TensorShape([2, 3]).with_rank_at_least(3),
    "shape_ndims": lambda tf, np: tf.TensorShape([2, 3]).ndims,
    "shape_dims": lambda tf, np: tf.TensorShape(None).dims,
    "shape_hash": lambda tf, np: {tf.TensorShape([2]): 1}[tf.TensorShape([2])],
    "shape_assert_same_rank": lambda tf, np: tf.TensorShape([2]).assert_same_rank([2, 3]),
    "shape_assert_has_rank": lambda tf, np: tf.TensorShape([2]).assert_has_rank(2),
    "shape_assert_defined": lambda tf, np: tf.TensorShape([None]).assert_is_fully_defined(),
    "shape_most_specific": lambda tf, np: tf.TensorShape([2, 3]).most_specific_compatible_shape(
        [2, 4]
    ),
    "shape_is_subtype": lambda tf, np: tf.TensorShape([2, 3]).is_subtype_of(
        tf.TensorShape([None, 3])
    ),
    "tensor_set_shape": lambda tf, np: tf.ones([2]).set_shape([3]),
    "tensor_set_its_shape": lambda tf, np: tf.ones([2]).set_shape([None]),
    "dtype_is_unsigned": lambda tf, np: [tf.uint8.is_unsigned, tf.int8.is_unsigned],
    "dtype_base": lambda tf, np: tf.float32.base_dtype,
    "dtype_is_numpy_compatible": lambda tf, np: [
        tf.float32.is_numpy_compatible,
        tf.string.is_numpy_compatible,
    ],
    "dtype_is_bool": lambda tf, np: [tf.bool.is_bool, tf.int32.is_bool],
    "dtype_is_compatible": lambda tf, np: [
        tf.float32.is_compatible_with(tf.float32),
        tf.float32.is_compatible_with("int32"),
    ],
    "dtype_limits": lambda tf, np: [tf.int32.limits, tf.uint8.limits, tf.float32.limits],
    "dtype_min_of_bool": lambda tf, np: tf.bool.min,
    "dtype_min_of_complex": lambda tf, np: tf.complex64.min,
    "dtype_size": lambda tf, np: [tf.float64.size, tf.string.size, tf.bool.size],
    "dtype_as_enum": lambda tf, np: [tf.float32.as_datatype_enum, tf.int64.as_datatype_enum],
    "dtype_equals": lambda tf, np: [
        tf.float32 == "float32",
        tf.float32 == np.float32,
        tf.float32 == None,  # noqa: E711
        tf.float32 == 3,
    ],
    "dtype_by_python_type": lambda tf, np: [
        tf.as_dtype(float),
        tf.as_dtype(int),
        tf.as_dtype(bool),
    ],
    "dtype_by_keyword": lambda tf, np: tf.as_dtype(type_value="int8"),
    "dtype_of_a_tensors_dtype": lambda tf, np: tf.as_dtype(np.dtype("f4")),
}

TAPES = {
    "init_scope_inside_a_tape": lambda tf, np: _recorded(tf, tf.init_scope),
    "name_scope_inside_a_tape": lambda tf, np: _recorded(tf, lambda: tf.name_scope("n")),
    "init_scope_inside_an_accumulator": lambda tf, np: _pushed_through_init_scope(tf),
    "gradient_of_a_string": differs(
        "TensorFlow logs; a warning names the line", warns=("UserWarning",)
    )(lambda tf, np: _gradient_of_a_string(tf)),
    "batch_jacobian_of_a_spent_tape": lambda tf, np: _spent(tf, "batch_jacobian"),
    "jacobian_of_a_spent_tape": lambda tf, np: _spent(tf, "jacobian"),
    "gradient_of_a_spent_tape": lambda tf, np: _spent(tf, "gradient"),
    "watch_an_array": lambda tf, np: _watch_an_array(tf, np),
    "watch_an_array_before_it_is_open": lambda tf, np: tf.GradientTape().watch(np.ones([2])),
    "watch_before_it_is_open": lambda tf, np: tf.GradientTape().watch(tf.ones([2])),
    "watch_a_string": lambda tf, np: _watched(tf, "a"),
    "watch_none": lambda tf, np: _watched(tf, None),
    "watch_a_number": lambda tf, np: _watched(tf, 1.0),
    "compute_gradient": lambda tf, np: tf.test.compute_gradient(
        lambda x: x * x, [tf.constant([3.0, 1.0], tf.float64)]
    ),
    "compute_gradient_of_complex": lambda tf, np: tf.test.compute_gradient(
        lambda x: x * x, [tf.constant([3.0 + 1.0j, 1.0 - 2.0j], tf.complex128)]
    ),
    "compute_gradient_from_complex_to_real": lambda tf, np: tf.test.compute_gradient(
        lambda x: tf.math.real(x * tf.math.conj(x)), [tf.constant([3.0 + 1.0j], tf.complex128)]
    ),
    "compute_gradient_from_real_to_complex": lambda tf, np: tf.test.compute_gradient(
        lambda x: tf.complex(x, 2.0 * x), [tf.constant([3.0], tf.float64)]
    ),
    "compute_gradient_by_a_step": lambda tf, np: tf.test.compute_gradient(
        lambda x: x * x, [tf.constant([3.0], tf.float64)], delta=0.5
    ),
    "compute_gradient_of_two": lambda tf, np: tf.test.compute_gradient(
        lambda x, y: x * y, [tf.constant([3.0], tf.float64), tf.constant([2.0], tf.float64)]
    ),
    "gradients_inside_a_function": differs(
        "there are no graphs: a GradientTape answers the same question", raises="RuntimeError"
    )(lambda tf, np: _gradients_inside(tf)),
    "function_with_a_signature": lambda tf, np: tf.function(
        lambda x: x + 1.0, input_signature=[tf.TensorSpec([None], tf.float32)]
    )(tf.constant([1.0])),
    "function_signature_converts": lambda tf, np: tf.function(
        lambda x: x, input_signature=[tf.TensorSpec([None], tf.float32)]
    )([1.0, 2.0]),
    "function_signature_of_another_dtype": lambda tf, np: tf.function(
        lambda x: x, input_signature=[tf.TensorSpec([None], tf.float32)]
    )(tf.constant([1])),
    "function_signature_of_another_shape": lambda tf, np: tf.function(
        lambda x: x, input_signature=[tf.TensorSpec([None], tf.float32)]
    )(tf.ones([2, 2])),
    "function_signature_of_another_count": lambda tf, np: tf.function(
        lambda x: x, input_signature=[tf.TensorSpec([None], tf.float32)]
    )(tf.ones([2]), tf.ones([2])),
    "function_options": lambda tf, np: tf.function(
        lambda x: x + 1.0, autograph=False, jit_compile=False, reduce_retracing=True
    )(tf.constant(1.0)),
    "function_gives_tensors": lambda tf, np: tf.function(lambda x: x)(1.0),
    "function_of_a_number": lambda tf, np: tf.function(lambda: 1.0)(),
    "gradient_of_none": lambda tf, np: tf.GradientTape().gradient(None, []),
    "spec_of_a_tensor": lambda tf, np: str(tf.TensorSpec.from_tensor(tf.ones([2]))),
    "spec_is_compatible": lambda tf, np: tf.TensorSpec([None], tf.float32).is_compatible_with(
        tf.ones([2])
    ),
    "spec_shape": lambda tf, np: tf.TensorSpec([None, 2]).shape.as_list(),
    "spec_equals": lambda tf, np: tf.TensorSpec([2]) == tf.TensorSpec([2]),
}


def _pushed_through_init_scope(tf: Any) -> Any:
    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        with tf.init_scope():
            y = x * x
        z = y * x
    return accumulator.jvp(z)


def _gradient_of_a_string(tf: Any) -> Any:
    x = tf.constant("a")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.identity(x)
    return tape.gradient(y, x)


def _spent(tf: Any, ask: str) -> Any:
    x = tf.constant([[3.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    return getattr(tape, ask)(y, x)


def _watch_an_array(tf: Any, np: Any) -> Any:
    with tf.GradientTape() as tape:
        return tape.watch(np.ones([2], np.float32))


def _watched(tf: Any, thing: Any) -> Any:
    with tf.GradientTape() as tape:
        return tape.watch(thing)


def _gradients_inside(tf: Any) -> Any:
    @tf.function
    def slope(x: Any) -> Any:
        return tf.gradients(x * x, x)

    return slope(tf.constant(3.0))


ALONE = EMPTY | NUMBERS | VARIABLES | SHAPES | TAPES
TABLE = (
    *(Case(name, program) for name, program in ORDERS.items()),
    *(Case(f"tangent_of_{name}", program) for name, program in TANGENTS.items()),
    *table(ALONE),
)

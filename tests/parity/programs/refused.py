"""What TensorFlow refuses, and as which exception: dtypes that do not go together, ranks and counts that do not fit."""

from typing import Any

from programs.case import differs, table


def _pair(tf: Any, first: str, second: str) -> Any:
    return tf.constant([1, 2], first), tf.constant([1, 2], second)


def _beside(op: str, first: str = "float32", second: str = "float64") -> Any:
    """An op of two tensors that are not of one dtype."""

    def program(tf: Any, np: Any) -> Any:
        function = tf
        for part in op.split("."):
            function = getattr(function, part)
        return function(*_pair(tf, first, second))

    return program


def _Careless(tf: Any) -> Any:  # noqa: N802  # it makes a class
    class Careless(tf.Module):
        def __init__(self) -> None:
            self.v = tf.Variable(1.0)

    return Careless


WRAPS = "TensorFlow takes the number without its upper bits, and says nothing; here a warning names the line"

OF_TWO = (
    *("add", "subtract", "multiply", "divide", "maximum", "minimum", "pow", "atan2", "equal"),
    *("less", "truediv", "realdiv", "truncatediv", "math.floordiv", "math.mod", "math.xlogy"),
    *("math.xdivy", "math.xlog1py", "math.divide_no_nan"),
    *("math.squared_difference", "math.nextafter", "math.zeta", "math.polygamma"),
    *("not_equal", "greater"),
)

DTYPES = {f"{op.replace('.', '_')}_of_two_dtypes": _beside(op) for op in OF_TWO}

INTEGERS = {
    "matmul_of_int8": lambda tf, np: tf.matmul(tf.ones([2, 2], tf.int8), tf.ones([2, 2], tf.int8)),
    "matmul_of_uint8": differs(
        "no kernel is a wrong dtype here: there are no other devices", raises="InvalidArgumentError"
    )(lambda tf, np: tf.matmul(tf.ones([2, 2], tf.uint8), tf.ones([2, 2], tf.uint8))),
    "matmul_of_int16": lambda tf, np: tf.matmul(
        tf.ones([2, 2], tf.int16), tf.ones([2, 2], tf.int16)
    ),
    "matmul_of_int32": lambda tf, np: tf.matmul(
        tf.ones([2, 2], tf.int32), tf.ones([2, 2], tf.int32)
    ),
    "matmul_of_int64": lambda tf, np: tf.matmul(
        tf.ones([2, 2], tf.int64), tf.ones([2, 2], tf.int64)
    ),
    "matmul_of_bool": lambda tf, np: tf.matmul(tf.ones([2, 2], tf.bool), tf.ones([2, 2], tf.bool)),
    "matmul_of_two_dtypes": lambda tf, np: tf.matmul(tf.ones([2, 2]), tf.ones([2, 2], tf.float64)),
    "matmul_of_int8_to_int32": lambda tf, np: tf.matmul(
        tf.ones([2, 2], tf.int8), tf.ones([2, 2], tf.int8), output_type=tf.int32
    ),
    "matmul_sparse_flag": lambda tf, np: tf.matmul(
        tf.ones([2, 2]), tf.ones([2, 2]), a_is_sparse=True
    ),
    "exp_of_ints": lambda tf, np: tf.exp(tf.constant([1, 2])),
    "sqrt_of_ints": lambda tf, np: tf.sqrt(tf.constant([1, 2])),
    "sin_of_ints": lambda tf, np: tf.sin(tf.constant([1, 2])),
    "sigmoid_of_ints": lambda tf, np: tf.sigmoid(tf.constant([1, 2])),
    "log_of_ints": lambda tf, np: tf.math.log(tf.constant([1, 2])),
    "softmax_of_ints": lambda tf, np: tf.nn.softmax(tf.constant([1, 2])),
    "relu_of_ints": lambda tf, np: tf.nn.relu(tf.constant([-1, 2])),
    "elu_of_ints": lambda tf, np: tf.nn.elu(tf.constant([-1, 2])),
    "softplus_of_ints": lambda tf, np: tf.nn.softplus(tf.constant([-1, 2])),
    "abs_of_uints": lambda tf, np: tf.abs(tf.constant([1, 2], tf.uint8)),
    "negative_of_uints": lambda tf, np: tf.negative(tf.constant([1, 2], tf.uint8)),
    "add_of_bools": lambda tf, np: tf.add(tf.constant([True]), tf.constant([True])),
    "multiply_of_bools": lambda tf, np: tf.multiply(tf.constant([True]), tf.constant([True])),
    "less_of_bools": lambda tf, np: tf.less(tf.constant([True]), tf.constant([True])),
    "reduce_sum_of_bools": lambda tf, np: tf.reduce_sum(tf.constant([True])),
    "reduce_mean_of_bools": lambda tf, np: tf.reduce_mean(tf.constant([True])),
    "reduce_max_of_bools": lambda tf, np: tf.reduce_max(tf.constant([True])),
    "reduce_all_of_ints": lambda tf, np: tf.reduce_all(tf.constant([1])),
    "reduce_logsumexp_of_ints": lambda tf, np: tf.reduce_logsumexp(tf.constant([1])),
    "reduce_std_of_ints": lambda tf, np: tf.math.reduce_std(tf.constant([1, 2])),
    "reduce_euclidean_norm_of_ints": lambda tf, np: tf.math.reduce_euclidean_norm(
        tf.constant([3, 4])
    ),
    "logical_and_of_ints": lambda tf, np: tf.logical_and(tf.constant([1]), tf.constant([1])),
    "logical_not_of_ints": lambda tf, np: tf.logical_not(tf.constant([1])),
    "where_of_two_dtypes": lambda tf, np: tf.where(
        tf.constant([True]), tf.constant([1.0]), tf.constant([1])
    ),
    "where_of_a_float_condition": lambda tf, np: tf.where(
        tf.constant([1.0]), tf.constant([1.0]), tf.constant([2.0])
    ),
    "concat_of_two_dtypes": lambda tf, np: tf.concat([tf.ones([2]), tf.ones([2], tf.int32)], 0),
    "stack_of_two_dtypes": lambda tf, np: tf.stack([tf.ones([2]), tf.ones([2], tf.int32)]),
    "add_n_of_two_dtypes": lambda tf, np: tf.add_n([tf.ones([2]), tf.ones([2], tf.float64)]),
    "add_n_of_two_shapes": lambda tf, np: tf.add_n([tf.ones([2]), tf.ones([3])]),
    "add_n_of_nothing": lambda tf, np: tf.add_n([]),
    "add_n_of_a_tensor": differs("a tensor is no list of tensors", raises="ValueError")(
        lambda tf, np: tf.add_n(tf.ones([2]))
    ),
    "clip_of_two_dtypes": lambda tf, np: tf.clip_by_value(
        tf.ones([2]), tf.constant(0.0, tf.float64), tf.constant(1.0, tf.float64)
    ),
    "pad_with_another_dtype": lambda tf, np: tf.pad(
        tf.ones([2]), [[1, 1]], constant_values=tf.constant(1)
    ),
    "one_hot_of_two_dtypes": lambda tf, np: tf.one_hot([0, 1], 2, on_value=1.0, off_value=0),
    "one_hot_of_another_dtype": lambda tf, np: tf.one_hot([0, 1], 2, on_value=5.0, dtype=tf.int32),
    "one_hot_of_one_value_of_a_dtype": lambda tf, np: tf.one_hot(
        [0, 1], 2, on_value=tf.constant(5.0, tf.float64)
    ),
    "one_hot_of_floats": lambda tf, np: tf.one_hot([0.0, 1.0], 2),
    "gather_by_floats": lambda tf, np: tf.gather(tf.ones([2]), [0.0]),
    "gather_nd_by_floats": lambda tf, np: tf.gather_nd(tf.ones([2]), [[0.0]]),
    "boolean_mask_of_ints": lambda tf, np: tf.boolean_mask(tf.ones([2]), tf.constant([0, 1])),
    "reshape_by_floats": lambda tf, np: tf.reshape(tf.ones([2]), [2.0]),
    "tile_by_floats": lambda tf, np: tf.tile(tf.ones([2]), [2.0]),
    "fill_by_floats": lambda tf, np: tf.fill([2.0], 1.0),
    "l2_normalize_of_ints": lambda tf, np: tf.math.l2_normalize(tf.constant([3, 4])),
    "bitwise_and_of_floats": lambda tf, np: tf.bitwise.bitwise_and(
        tf.constant([1.0]), tf.constant([1.0])
    ),
    "real_of_ints": lambda tf, np: tf.math.real(tf.constant([1])),
    "complex_of_two_dtypes": lambda tf, np: tf.complex(
        tf.constant(1.0), tf.constant(1.0, tf.float64)
    ),
    "cumsum_of_bools": lambda tf, np: tf.cumsum(tf.constant([True])),
    "floor_of_ints": lambda tf, np: tf.floor(tf.constant([1, 2])),
    "round_of_ints": lambda tf, np: tf.round(tf.constant([1, 2])),
    "is_nan_of_ints": lambda tf, np: tf.math.is_nan(tf.constant([1])),
    "is_finite_of_ints": lambda tf, np: tf.math.is_finite(tf.constant([1])),
    "argmax_of_bools": lambda tf, np: tf.argmax(tf.constant([True, False])),
    "argmax_into_floats": lambda tf, np: tf.argmax(tf.constant([1.0]), output_type=tf.float32),
    "sort_of_strings": lambda tf, np: tf.sort(tf.constant(["b", "a"])),
    "range_of_strings": differs(
        "an assertion inside TensorFlow says nothing to a user", raises="TypeError"
    )(lambda tf, np: tf.range("a")),
    "linspace_of_ints": lambda tf, np: tf.linspace(0, 10, 5),
    "det_of_ints": lambda tf, np: tf.linalg.det(tf.constant([[1, 0], [0, 1]])),
    "reduce_max_of_strings": lambda tf, np: tf.reduce_max(tf.constant(["a"])),
    "add_of_strings": lambda tf, np: tf.add(tf.constant(["a"]), tf.constant(["b"])),
    "multiply_of_strings": lambda tf, np: tf.constant("a") * tf.constant("b"),
    "cast_of_strings": lambda tf, np: tf.cast(tf.constant("1"), tf.float32),
    "cast_to_strings": lambda tf, np: tf.cast(tf.constant(1.0), tf.string),
    "sigmoid_cross_entropy_of_two_dtypes": lambda tf, np: tf.nn.sigmoid_cross_entropy_with_logits(
        tf.ones([2]), tf.ones([2], tf.float64)
    ),
    "scalar_mul_of_a_vector": lambda tf, np: tf.scalar_mul(tf.ones([2]), tf.ones([2])),
    "searchsorted_of_two_dtypes": lambda tf, np: tf.searchsorted(
        tf.constant([1.0, 2.0]), tf.constant([1.0], tf.float64)
    ),
    "tensor_scatter_of_two_dtypes": lambda tf, np: tf.tensor_scatter_nd_add(
        tf.ones([2]), [[0]], tf.constant([1], tf.int32)
    ),
    "batch_normalization_of_two_dtypes": lambda tf, np: tf.nn.batch_normalization(
        tf.ones([2]), tf.zeros([2], tf.float64), tf.ones([2], tf.float64), None, None, 0.1
    ),
    "bias_add_of_two_dtypes": lambda tf, np: tf.nn.bias_add(
        tf.ones([1, 2]), tf.ones([2], tf.float64)
    ),
    "assign_another_dtype": lambda tf, np: tf.Variable(1.0).assign(tf.constant(1, tf.int32)),
    "assign_add_another_dtype": lambda tf, np: tf.Variable(1.0).assign_add(
        tf.constant(1.0, tf.float64)
    ),
}

SHAPES = {
    "clip_by_a_higher_rank": lambda tf, np: tf.clip_by_value(tf.ones([2]), tf.zeros([3, 2]), 1.0),
    "clip_by_another_shape": lambda tf, np: tf.clip_by_value(tf.ones([2]), tf.zeros([3]), 1.0),
    "pad_by_a_list": lambda tf, np: tf.pad(tf.ones([2]), [1, 1]),
    "pad_by_too_many": lambda tf, np: tf.pad(tf.ones([2]), [[1, 1], [1, 1]]),
    "pad_by_triples": lambda tf, np: tf.pad(tf.ones([2]), [[1, 1, 1]]),
    "pad_by_less_than_nothing": lambda tf, np: tf.pad(tf.ones([2]), [[-1, 1]]),
    "pad_reflect_too_far": lambda tf, np: tf.pad(tf.ones([2]), [[2, 0]], "REFLECT"),
    "pad_in_another_way": lambda tf, np: tf.pad(tf.ones([2]), [[1, 0]], "EDGE"),
    "scatter_nd_of_another_rank": lambda tf, np: tf.scatter_nd([[0]], tf.ones([2]), [3]),
    "scatter_nd_of_too_deep_indices": lambda tf, np: tf.scatter_nd([[0, 0]], tf.ones([1]), [3]),
    "scatter_nd_outside": lambda tf, np: tf.scatter_nd([[5]], tf.ones([1]), [3]),
    "scatter_nd_of_scalars": lambda tf, np: tf.scatter_nd(0, 1.0, [3]),
    "tensor_scatter_outside": lambda tf, np: tf.tensor_scatter_nd_update(
        tf.ones([2]), [[5]], [1.0]
    ),
    "tensor_scatter_of_another_rank": lambda tf, np: tf.tensor_scatter_nd_update(
        tf.ones([2]), [[0]], [[1.0]]
    ),
    "gather_outside": lambda tf, np: tf.gather(tf.ones([2]), [2]),
    "gather_before": lambda tf, np: tf.gather(tf.ones([2]), [-1]),
    "gather_by_a_far_axis": lambda tf, np: tf.gather(tf.ones([2]), [0], axis=1),
    "gather_of_a_scalar": lambda tf, np: tf.gather(tf.constant(1.0), 0),
    "gather_by_too_many_batch_dims": lambda tf, np: tf.gather(
        tf.ones([2, 2]), [[0], [1]], batch_dims=3
    ),
    "gather_by_batches_of_other_sizes": lambda tf, np: tf.gather(
        tf.ones([2, 2]), [[0], [1], [0]], batch_dims=1
    ),
    "gather_nd_outside": lambda tf, np: tf.gather_nd(tf.ones([2]), [[2]]),
    "gather_nd_too_deep": lambda tf, np: tf.gather_nd(tf.ones([2]), [[0, 0]]),
    "embedding_lookup_outside": lambda tf, np: tf.nn.embedding_lookup(tf.ones([2, 2]), [3]),
    "split_in_unequal_parts": lambda tf, np: tf.split(tf.ones([5]), 2),
    "split_by_sizes_that_do_not_add_up": lambda tf, np: tf.split(tf.ones([5]), [1, 2]),
    "split_by_sizes_of_another_number": lambda tf, np: tf.split(tf.ones([5]), [2, 3], num=3),
    "split_in_parts_of_another_number": lambda tf, np: tf.split(tf.ones([4]), 2, num=3),
    "split_in_no_parts": lambda tf, np: tf.split(tf.ones([4]), 0),
    "split_by_a_far_axis": lambda tf, np: tf.split(tf.ones([4]), 2, axis=1),
    "stack_by_a_far_axis": lambda tf, np: tf.stack([tf.ones([2])], axis=3),
    "stack_by_an_axis_too_negative": lambda tf, np: tf.stack([tf.ones([2])], axis=-3),
    "stack_of_nothing": lambda tf, np: tf.stack([]),
    "stack_of_two_shapes": lambda tf, np: tf.stack([tf.ones([2]), tf.ones([3])]),
    "unstack_by_a_far_axis": lambda tf, np: tf.unstack(tf.ones([2]), axis=1),
    "unstack_by_an_axis_too_negative": lambda tf, np: tf.unstack(tf.ones([2]), axis=-2),
    "unstack_of_another_number": lambda tf, np: tf.unstack(tf.ones([2]), num=3),
    "unstack_of_a_scalar": lambda tf, np: tf.unstack(tf.constant(1.0)),
    "concat_by_a_far_axis": lambda tf, np: tf.concat([tf.ones([2]), tf.ones([2])], 1),
    "concat_of_scalars": lambda tf, np: tf.concat([tf.constant(1.0)] * 2, 0),
    "concat_of_two_shapes": lambda tf, np: tf.concat([tf.ones([2, 2]), tf.ones([2, 3])], 0),
    "concat_of_nothing": lambda tf, np: tf.concat([], 0),
    "reshape_that_does_not_fit": lambda tf, np: tf.reshape(tf.ones([4]), [3]),
    "reshape_of_two_unknowns": lambda tf, np: tf.reshape(tf.ones([4]), [-1, -1]),
    "reshape_that_does_not_divide": lambda tf, np: tf.reshape(tf.ones([4]), [-1, 3]),
    "reshape_by_a_negative": lambda tf, np: tf.reshape(tf.ones([4]), [-2, 2]),
    "squeeze_of_a_long_axis": lambda tf, np: tf.squeeze(tf.ones([2]), 0),
    "squeeze_by_a_far_axis": lambda tf, np: tf.squeeze(tf.ones([1]), 3),
    "expand_dims_by_a_far_axis": lambda tf, np: tf.expand_dims(tf.ones([1]), 3),
    "expand_dims_by_two_axes": lambda tf, np: tf.expand_dims(tf.ones([1]), [0, 1]),
    "transpose_by_too_few": lambda tf, np: tf.transpose(tf.ones([2, 2]), [0]),
    "transpose_by_one_twice": lambda tf, np: tf.transpose(tf.ones([2, 2]), [0, 0]),
    "transpose_by_a_far_axis": lambda tf, np: tf.transpose(tf.ones([2, 2]), [0, 2]),
    "reduce_sum_by_a_far_axis": lambda tf, np: tf.reduce_sum(tf.ones([2]), 1),
    "reduce_sum_by_one_twice": lambda tf, np: tf.reduce_sum(tf.ones([2, 2]), [0, 0]),
    "reduce_max_by_a_far_axis": lambda tf, np: tf.reduce_max(tf.ones([2]), 1),
    "argmax_by_a_far_axis": lambda tf, np: tf.argmax(tf.ones([2]), 1),
    "cumsum_by_a_far_axis": lambda tf, np: tf.cumsum(tf.ones([2]), 1),
    "softmax_by_a_far_axis": lambda tf, np: tf.nn.softmax(tf.ones([2]), 1),
    "softmax_of_a_scalar": lambda tf, np: tf.nn.softmax(tf.constant(1.0)),
    "sort_by_a_far_axis": lambda tf, np: tf.sort(tf.ones([2]), 1),
    "sort_in_another_direction": lambda tf, np: tf.sort(tf.ones([2]), direction="UP"),
    "top_k_of_too_many": lambda tf, np: tf.math.top_k(tf.ones([2]), 3),
    "top_k_of_a_scalar": lambda tf, np: tf.math.top_k(tf.constant(1.0), 1),
    "roll_by_a_far_axis": lambda tf, np: tf.roll(tf.ones([2]), 1, 1),
    "reverse_by_a_far_axis": lambda tf, np: tf.reverse(tf.ones([2]), [1]),
    "reverse_by_a_number": lambda tf, np: tf.reverse(tf.ones([2]), 0),
    "tile_by_too_few": lambda tf, np: tf.tile(tf.ones([2, 2]), [2]),
    "tile_by_less_than_nothing": lambda tf, np: tf.tile(tf.ones([2]), [-1]),
    "broadcast_to_another_shape": lambda tf, np: tf.broadcast_to(tf.ones([2]), [3]),
    "broadcast_to_fewer_axes": lambda tf, np: tf.broadcast_to(tf.ones([2, 2]), [2]),
    "add_of_other_shapes": lambda tf, np: tf.ones([2]) + tf.ones([3]),
    "matmul_of_vectors": lambda tf, np: tf.matmul(tf.ones([2]), tf.ones([2])),
    "matmul_of_other_sizes": lambda tf, np: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3])),
    "matmul_of_other_batches": lambda tf, np: tf.matmul(tf.ones([2, 2, 2]), tf.ones([3, 2, 2])),
    "matmul_transposed_and_adjoint": lambda tf, np: tf.matmul(
        tf.ones([2, 2]), tf.ones([2, 2]), transpose_a=True, adjoint_a=True
    ),
    "matvec_of_a_vector": lambda tf, np: tf.linalg.matvec(tf.ones([2]), tf.ones([2])),
    "cross_of_pairs": differs(
        "a wrong shape is a wrong argument here as elsewhere", raises="InvalidArgumentError"
    )(lambda tf, np: tf.linalg.cross(tf.ones([2]), tf.ones([2]))),
    "det_of_an_oblong": lambda tf, np: tf.linalg.det(tf.ones([2, 3])),
    "inv_of_an_oblong": lambda tf, np: tf.linalg.inv(tf.ones([2, 3])),
    "inv_of_a_singular": lambda tf, np: tf.linalg.inv(tf.ones([2, 2])),
    "solve_of_other_sizes": lambda tf, np: tf.linalg.solve(tf.eye(2), tf.ones([3, 1])),
    "solve_of_a_vector": lambda tf, np: tf.linalg.solve(tf.eye(2), tf.ones([2])),
    "cholesky_of_an_oblong": lambda tf, np: tf.linalg.cholesky(tf.ones([2, 3])),
    "cholesky_of_no_positive": lambda tf, np: tf.linalg.cholesky(-tf.eye(2)),
    "cholesky_of_nan": lambda tf, np: tf.linalg.cholesky(np.full([2, 2], np.nan, np.float32)),
    "trace_of_a_vector": lambda tf, np: tf.linalg.trace(tf.ones([2])),
    "diag_part_of_a_vector": lambda tf, np: tf.linalg.diag_part(tf.ones([2])),
    "eye_of_less_than_nothing": lambda tf, np: tf.eye(-1),
    "einsum_of_too_few": lambda tf, np: tf.einsum("ij,jk->ik", tf.ones([2, 2])),
    "einsum_of_other_sizes": lambda tf, np: tf.einsum(
        "ij,jk->ik", tf.ones([2, 2]), tf.ones([3, 2])
    ),
    "einsum_of_another_rank": lambda tf, np: tf.einsum("ij->i", tf.ones([2])),
    "einsum_of_nonsense": lambda tf, np: tf.einsum("i!->", tf.ones([2])),
    "einsum_with_a_misspelt_keyword": lambda tf, np: tf.einsum("i->", tf.ones([2]), optimise=True),
    "einsum_with_optimize": lambda tf, np: tf.einsum("i->", tf.ones([2]), optimize="greedy"),
    "max_pool_of_a_matrix": lambda tf, np: tf.nn.max_pool(tf.ones([2, 2]), 1, 1, "SAME"),
    "max_pool_of_rank_6": lambda tf, np: tf.nn.max_pool(tf.ones([1] * 6), 1, 1, "SAME"),
    "avg_pool_of_a_matrix": lambda tf, np: tf.nn.avg_pool(tf.ones([2, 2]), 1, 1, "SAME"),
    "avg_pool_of_rank_6": lambda tf, np: tf.nn.avg_pool(tf.ones([1] * 6), 1, 1, "SAME"),
    "max_pool2d_of_a_matrix": lambda tf, np: tf.nn.max_pool2d(tf.ones([2, 2]), 1, 1, "SAME"),
    "max_pool_in_another_way": lambda tf, np: tf.nn.max_pool2d(tf.ones([1, 2, 2, 1]), 1, 1, "FULL"),
    "conv2d_of_a_matrix": lambda tf, np: tf.nn.conv2d(
        tf.ones([2, 2]), tf.ones([1, 1, 1, 1]), 1, "SAME"
    ),
    "conv2d_of_other_channels": lambda tf, np: tf.nn.conv2d(
        tf.ones([1, 2, 2, 2]), tf.ones([1, 1, 3, 1]), 1, "SAME"
    ),
    "conv2d_in_another_way": lambda tf, np: tf.nn.conv2d(
        tf.ones([1, 2, 2, 1]), tf.ones([1, 1, 1, 1]), 1, "FULL"
    ),
    "bias_add_of_another_size": lambda tf, np: tf.nn.bias_add(tf.ones([1, 2]), tf.ones([3])),
    "softmax_cross_entropy_of_other_shapes": lambda tf, np: tf.nn.softmax_cross_entropy_with_logits(
        tf.ones([2, 2]), tf.ones([2, 3])
    ),
    "sigmoid_cross_entropy_of_other_shapes": lambda tf, np: tf.nn.sigmoid_cross_entropy_with_logits(
        tf.ones([2]), tf.ones([3])
    ),
    "sparse_cross_entropy_of_other_shapes": lambda tf, np: (
        tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1, 0], tf.ones([2, 3]))
    ),
    "sparse_cross_entropy_of_another_rank": lambda tf, np: (
        tf.nn.sparse_softmax_cross_entropy_with_logits([[0, 1]], tf.ones([2, 3]))
    ),
    "boolean_mask_of_another_shape": lambda tf, np: tf.boolean_mask(tf.ones([2]), [True]),
    "boolean_mask_by_a_scalar": lambda tf, np: tf.boolean_mask(tf.ones([2]), True),
    "segment_sum_of_another_length": lambda tf, np: tf.math.segment_sum(tf.ones([3]), [0, 1]),
    "segment_sum_not_sorted": lambda tf, np: tf.math.segment_sum(tf.ones([2]), [1, 0]),
    "unsorted_segment_outside": lambda tf, np: tf.math.unsorted_segment_sum(
        tf.ones([2]), [0, 5], 2
    ),
    "slice_outside": lambda tf, np: tf.slice(tf.ones([2]), [1], [2]),
    "slice_of_too_few": lambda tf, np: tf.slice(tf.ones([2, 2]), [1], [1]),
    "index_outside": lambda tf, np: tf.ones([2])[2],
    "index_too_deep": lambda tf, np: tf.ones([2])[0, 0],
    "index_of_two_ellipses": lambda tf, np: tf.ones([2, 2])[..., :, ...],
    "index_by_a_float": lambda tf, np: tf.ones([2])[0.5],
    "index_by_a_string": lambda tf, np: tf.ones([2])["a"],
    "index_by_a_list": lambda tf, np: tf.ones([2])[[0, 1]],
    "index_by_step_zero": lambda tf, np: tf.ones([2])[::0],
    "ensure_another_shape": lambda tf, np: tf.ensure_shape(tf.ones([2]), [3]),
    "fill_of_less_than_nothing": lambda tf, np: tf.fill([-1], 1.0),
    "fill_with_a_vector": lambda tf, np: tf.fill([2], [1.0, 2.0]),
    "range_by_nothing": lambda tf, np: tf.range(0, 3, 0),
    "range_the_wrong_way": lambda tf, np: tf.range(3, 0, 1),
    "linspace_of_none": lambda tf, np: tf.linspace(0.0, 1.0, 0),
    "repeat_of_other_counts": lambda tf, np: tf.repeat([1, 2], [1, 2, 3], axis=0),
    "meshgrid_with_a_misspelt_keyword": lambda tf, np: tf.meshgrid([1], [2], index="ij"),
    "meshgrid_in_another_way": lambda tf, np: tf.meshgrid([1], [2], indexing="ji"),
    "batch_to_space_that_does_not_fit": lambda tf, np: tf.batch_to_space(
        tf.ones([3, 1, 1, 1]), [2, 2], [[0, 0], [0, 0]]
    ),
    "dropout_of_a_rate_above_one": lambda tf, np: tf.nn.dropout(tf.ones([2]), 1.5),
    "dynamic_partition_outside": lambda tf, np: tf.dynamic_partition(tf.ones([2]), [0, 3], 2),
    "confusion_matrix_outside": lambda tf, np: tf.math.confusion_matrix([0, 3], [0, 1], 2),
    "unravel_index_outside": lambda tf, np: tf.unravel_index([9], [2, 2]),
    "sequence_mask_of_floats": lambda tf, np: tf.sequence_mask([1.0]),
    "histogram_of_a_bad_range": lambda tf, np: tf.histogram_fixed_width([1.0], [2.0, 1.0]),
    "polyval_of_no_list": lambda tf, np: tf.math.polyval(tf.ones([2]), 1.0),
    "tensordot_of_other_sizes": lambda tf, np: tf.tensordot(tf.ones([2, 3]), tf.ones([2, 3]), 1),
    "norm_of_another_order": lambda tf, np: tf.norm(tf.ones([2]), ord="l2"),
    "norm_of_a_negative_order": lambda tf, np: tf.norm(tf.ones([2]), ord=-1),
}

VALUES = {
    "variable_of_another_shape": lambda tf, np: tf.Variable(tf.zeros([3]), shape=[4]),
    "variable_of_a_string_shape": lambda tf, np: tf.Variable(1.0, shape="a"),
    "variable_of_nothing": lambda tf, np: tf.Variable(),
    "variable_of_none": lambda tf, np: tf.Variable(None),
    "variable_with_a_misspelt_keyword": differs(
        "TensorFlow loses it, and with it what was meant", raises="TypeError"
    )(lambda tf, np: tf.Variable(1.0, trainble=False)),
    "assign_of_a_string": lambda tf, np: tf.Variable(1.0).assign("a"),
    "assign_of_none": lambda tf, np: tf.Variable(1.0).assign(None),
    "assign_of_another_shape": lambda tf, np: tf.Variable([1.0, 2.0]).assign([1.0]),
    "assign_of_a_list": lambda tf, np: tf.Variable([1.0, 2.0]).assign([[1.0], 2.0]),
    "assign_add_of_a_string": lambda tf, np: tf.Variable(1.0).assign_add("a"),
    "assign_add_of_another_shape": lambda tf, np: tf.Variable([1.0, 2.0]).assign_add([1.0]),
    "assign_a_float_to_an_int": lambda tf, np: tf.Variable(1).assign(1.5),
    "scatter_of_no_slices": lambda tf, np: tf.Variable([1.0, 2.0]).scatter_add([1.0]),
    "scatter_outside": lambda tf, np: tf.Variable([1.0, 2.0]).scatter_add(
        tf.IndexedSlices(tf.constant([1.0]), tf.constant([5]))
    ),
    "constant_of_too_many": lambda tf, np: tf.constant([1.0, 2.0], shape=[3]),
    "constant_of_a_number_in_a_large_shape": lambda tf, np: tf.constant(1.0, shape=[3]),
    "constant_of_one_in_a_list_in_a_large_shape": lambda tf, np: tf.constant([1.0], shape=[3]),
    "constant_beyond_its_dtype": differs(WRAPS, warns=("UserWarning",))(
        lambda tf, np: tf.constant(300, tf.uint8)
    ),
    "constant_below_its_dtype": differs(WRAPS, warns=("UserWarning",))(
        lambda tf, np: tf.constant(-1, tf.uint8)
    ),
    "constant_of_a_huge_int": lambda tf, np: tf.constant(2**63),
    "constant_of_a_huge_int_as_int32": differs(WRAPS, warns=("UserWarning",))(
        lambda tf, np: tf.constant(2**40, tf.int32)
    ),
    "constant_of_a_huge_float": lambda tf, np: tf.constant(1e39),
    "constant_of_a_huge_float_as_half": lambda tf, np: tf.constant(1e6, tf.float16),
    "constant_of_mixed_kinds": lambda tf, np: tf.constant([1, "a"]),
    "constant_of_a_string_as_float": lambda tf, np: tf.constant("a", tf.float32),
    "constant_of_a_float_as_string": lambda tf, np: tf.constant(1.0, tf.string),
    "constant_of_a_float_as_bool": lambda tf, np: tf.constant(1.0, tf.bool),
    "constant_of_an_int_as_bool": lambda tf, np: tf.constant(1, tf.bool),
    "constant_of_a_bool_as_float": lambda tf, np: tf.constant(True, tf.float32),
    "constant_of_bools_and_ints": lambda tf, np: tf.constant([True, 1]),
    "constant_of_ints_and_bools": lambda tf, np: tf.constant([1, True]),
    "constant_of_a_complex_as_float": lambda tf, np: tf.constant(1j, tf.float32),
    "constant_of_no_dtype": lambda tf, np: tf.constant(1.0, "float99"),
    "constant_of_an_object": lambda tf, np: tf.constant(object()),
    "constant_of_a_dict": lambda tf, np: tf.constant({"a": 1.0}),
    "constant_of_a_function": lambda tf, np: tf.constant(lambda: 1.0),
    "constant_of_an_object_array": lambda tf, np: tf.constant(np.array([1, None])),
    "add_of_an_object": lambda tf, np: tf.ones([2]) + object(),
    "add_of_none": lambda tf, np: tf.ones([2]) + None,
    "add_of_a_string": lambda tf, np: tf.ones([2]) + "a",
    "add_of_a_dict": lambda tf, np: tf.ones([2]) + {},
    "add_of_a_ragged_list": lambda tf, np: tf.ones([2]) + [[1.0], [1.0, 2.0]],  # noqa: RUF005  # a sum, no list
    "add_of_a_float_to_ints": lambda tf, np: tf.constant([1]) + 1.5,
    "add_of_a_huge_int": differs(WRAPS, warns=("UserWarning",))(
        lambda tf, np: tf.constant([1]) + 2**40
    ),
    "add_of_a_huge_int_to_bytes": differs(WRAPS, warns=("UserWarning",))(
        lambda tf, np: tf.constant([1], tf.uint8) + 300
    ),
    "less_than_a_string": lambda tf, np: tf.ones([2]) < "a",
    "matmul_with_a_number": lambda tf, np: tf.ones([2, 2]) @ 2.0,
    "exp_of_none": lambda tf, np: tf.exp(None),
    "exp_of_a_string": lambda tf, np: tf.exp("a"),
    "exp_of_a_misspelt_keyword": lambda tf, np: tf.exp(y=1.0),
    "exp_of_two": lambda tf, np: tf.exp(1.0, "name", 2.0),
    "exp_of_nothing": lambda tf, np: tf.exp(),
    "add_of_one": lambda tf, np: tf.add(1.0),
    "add_twice_given": lambda tf, np: tf.add(1.0, 2.0, x=1.0),
    "reduce_sum_of_none": lambda tf, np: tf.reduce_sum(None),
    "reduce_sum_by_a_string": lambda tf, np: tf.reduce_sum(tf.ones([2]), "a"),
    "reduce_sum_by_a_float": lambda tf, np: tf.reduce_sum(tf.ones([2]), 0.5),
    "cast_to_no_dtype": lambda tf, np: tf.cast(1.0, "float99"),
    "convert_none": lambda tf, np: tf.convert_to_tensor(None),
    "convert_a_float_to_int": lambda tf, np: tf.convert_to_tensor(1.5, tf.int32),
    "convert_a_tensor_to_another_dtype": lambda tf, np: tf.convert_to_tensor(
        tf.constant(1.0), tf.float64
    ),
    "iterate_over_a_scalar": lambda tf, np: list(tf.constant(1.0)),
    "length_of_a_scalar": lambda tf, np: len(tf.constant(1.0)),
    "bool_of_a_vector": lambda tf, np: bool(tf.ones([2])),
    "float_of_a_vector": lambda tf, np: float(tf.ones([2])),
    "int_of_a_vector": lambda tf, np: int(tf.ones([2])),
    "index_by_a_tensor_of_floats": differs("the wrong type", raises="TypeError")(
        lambda tf, np: [1, 2][tf.constant(1.0)]
    ),
    "range_of_a_tensor_of_floats": differs("the wrong type", raises="TypeError")(
        lambda tf, np: range(tf.constant(1.0))
    ),
    "py_function_that_raises": lambda tf, np: tf.py_function(
        lambda x: {}["missing"], [tf.constant(1.0)], tf.float32
    ),
    "py_function_that_divides_by_zero": lambda tf, np: tf.py_function(
        lambda x: 1 / 0, [tf.constant(1.0)], tf.float32
    ),
    "numpy_function_that_raises": lambda tf, np: tf.numpy_function(
        lambda x: {}["missing"], [tf.constant(1.0)], tf.float32
    ),
    "numpy_function_of_another_dtype": lambda tf, np: tf.numpy_function(
        lambda x: np.float64(1.0), [tf.constant(1.0)], tf.float32
    ),
    "a_tape_with_a_misspelt_keyword": lambda tf, np: tf.GradientTape(persist=True),
    "gradient_with_a_misspelt_keyword": lambda tf, np: tf.GradientTape().gradient(
        None, None, outputgradients=None
    ),
    "check_numerics_of_nan": lambda tf, np: tf.debugging.check_numerics(
        tf.constant(float("nan")), "m"
    ),
    "assert_equal_of_others": lambda tf, np: tf.debugging.assert_equal(1, 2),
    "assert_equal_summarized": lambda tf, np: tf.debugging.assert_equal(
        [1, 2], [1, 3], message="m", summarize=1
    ),
    "assert_less_of_others": lambda tf, np: tf.debugging.assert_less(2, 1),
    "shape_of_negatives": lambda tf, np: tf.TensorShape([-1]),
    "shape_of_strings": lambda tf, np: tf.TensorShape(["a"]),
    "zeros_of_a_string": lambda tf, np: tf.zeros("a"),
    "zeros_of_none": lambda tf, np: tf.zeros([None]),
    "ones_in_strings": lambda tf, np: tf.ones([2], tf.string),
    "zeros_in_strings": lambda tf, np: tf.zeros([2], tf.string),
    "is_tensor_of_nothing": lambda tf, np: tf.is_tensor(),
    "saturate_cast_of_a_string": lambda tf, np: tf.saturate_cast(tf.constant("a"), tf.int32),
    "module_without_init": lambda tf, np: _Careless(tf)().variables,
    "jvp_of_a_string": lambda tf, np: tf.autodiff.ForwardAccumulator("a", "b"),
    "gradients": lambda tf, np: tf.gradients(tf.constant(1.0), tf.constant(1.0)),
    "function_with_a_misspelt_keyword": lambda tf, np: tf.function(lambda: 1, inputs=None),
}


TABLE = table(DTYPES | INTEGERS | SHAPES | VALUES)

"""Where a slope is a choice, where there is none, and where NaN and infinity come from."""

from collections.abc import Callable, Mapping
from typing import Any

from programs.case import Case, Program, differs

Op = Callable[[Any, Any], Any]
INTEGERS_ARE_SAID_ALOUD = "TensorFlow is silent or logs; a warning names the line"


def _gradient(op: Op, values: Any) -> Program:
    def program(tf: Any, np: Any) -> Any:
        x = tf.constant(values)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = op(tf, x)
        return y, tape.gradient(y, x)

    return program


def _rows(ops: Mapping[str, tuple[Op, Any]]) -> tuple[Case, ...]:
    return tuple(Case(name, _gradient(op, values)) for name, (op, values) in ops.items())


def _rows_that_warn(ops: Mapping[str, tuple[Op, Any]]) -> tuple[Case, ...]:
    mark = differs(INTEGERS_ARE_SAID_ALOUD, warns=("UserWarning",))
    return tuple(mark(case) for case in _rows(ops))


AT_A_KINK = {
    "relu": (lambda tf, x: tf.nn.relu(x), [-1.0, 0.0, 1.0]),
    "relu6": (lambda tf, x: tf.nn.relu6(x), [0.0, 6.0, 3.0]),
    "leaky_relu": (lambda tf, x: tf.nn.leaky_relu(x), [-1.0, 0.0, 1.0]),
    "elu": (lambda tf, x: tf.nn.elu(x), [-1.0, 0.0, 1.0]),
    "selu": (lambda tf, x: tf.nn.selu(x), [-1.0, 0.0, 1.0]),
    "gelu": (lambda tf, x: tf.nn.gelu(x), [0.0, 1.0]),
    "abs": (lambda tf, x: tf.abs(x), [-1.0, 0.0, 1.0]),
    "softsign": (lambda tf, x: tf.nn.softsign(x), [-1.0, 0.0, 1.0]),
    "sign": (lambda tf, x: tf.sign(x), [0.0, 2.0]),
    "reduce_max_of_a_tie": (lambda tf, x: tf.reduce_max(x), [1.0, 2.0, 2.0]),
    "reduce_min_of_a_tie": (lambda tf, x: tf.reduce_min(x), [1.0, 1.0, 2.0]),
    "maximum_first": (lambda tf, x: tf.maximum(x, 2.0), [1.0, 2.0, 3.0]),
    "maximum_second": (lambda tf, x: tf.maximum(2.0, x), [1.0, 2.0, 3.0]),
    "minimum_first": (lambda tf, x: tf.minimum(x, 2.0), [1.0, 2.0, 3.0]),
    "minimum_second": (lambda tf, x: tf.minimum(2.0, x), [1.0, 2.0, 3.0]),
    "clip_by_value": (lambda tf, x: tf.clip_by_value(x, -1.0, 1.0), [-2.0, -1.0, 0.0, 1.0, 2.0]),
    "clip_by_norm_of_a_long_vector": (lambda tf, x: tf.clip_by_norm(x, 1.0), [3.0, 4.0]),
    "clip_by_norm_of_a_short_vector": (lambda tf, x: tf.clip_by_norm(x, 10.0), [3.0, 4.0]),
    "sort_of_a_tie": (lambda tf, x: tf.sort(x) * [1.0, 2.0, 3.0], [3.0, 1.0, 3.0]),
    "top_k_of_a_tie": (lambda tf, x: tf.math.top_k(x, 1)[0], [3.0, 1.0, 3.0]),
    "modulo": (lambda tf, x: x % 2.0, [3.0, 4.0]),
    "modulo_by_x": (lambda tf, x: 5.0 % x, [3.0]),
    "segment_max_of_a_tie": (
        lambda tf, x: tf.math.segment_max(x, [0, 0, 2]),
        [1.0, 1.0, 3.0],
    ),
    "unsorted_segment_min_of_a_tie": (
        lambda tf, x: tf.math.unsorted_segment_min(x, [0, 0, -1, 2], 4),
        [1.0, 1.0, 3.0, 2.0],
    ),
    "tensor_scatter_max_of_a_tie": (
        lambda tf, x: tf.tensor_scatter_nd_max(x, [[0], [0], [2]], [1.0, 0.0, 5.0]),
        [1.0, 2.0, 3.0],
    ),
    "truncated_modulo_is_not_registered": (lambda tf, x: tf.truncatemod(x, 2.0), [-5.0]),
    "dynamic_stitch_with_a_replaced_row": (
        lambda tf, x: tf.dynamic_stitch([[0, 2], [1, 0]], [x, x * 2.0]),
        [1.0, 2.0],
    ),
    "atan2_at_one": (lambda tf, x: tf.math.atan2(x, 1.0), [0.0]),
}

AT_THE_EDGE = {
    "reciprocal_at_zero": (lambda tf, x: tf.math.reciprocal(x), [0.0, 2.0]),
    "reciprocal_no_nan_at_zero": (lambda tf, x: tf.math.reciprocal_no_nan(x), [0.0, 2.0]),
    "xlogy_at_zero": (lambda tf, x: tf.math.xlogy(x, [0.0, 2.0, -1.0]), [0.0, 1.0, 0.0]),
    "xlogy_by_its_logarithm": (lambda tf, x: tf.math.xlogy([0.0, 1.0], x), [0.0, 2.0]),
    "xlog1py_at_zero": (lambda tf, x: tf.math.xlog1py(x, [-1.0, 2.0]), [0.0, 1.0]),
    "xdivy_at_zero": (lambda tf, x: tf.math.xdivy(x, [0.0, 2.0]), [0.0, 1.0]),
    "xdivy_by_its_divisor": (lambda tf, x: tf.math.xdivy([0.0, 1.0], x), [0.0, 2.0]),
    "lgamma_at_its_poles": (lambda tf, x: tf.math.lgamma(x), [0.0, -1.0, -0.5, 3.0]),
    "digamma_left_of_zero": (lambda tf, x: tf.math.digamma(x), [-0.5, -1.5, 0.25]),
    "erfinv_at_its_ends": (lambda tf, x: tf.math.erfinv(x), [-1.0, 0.0, 1.0]),
    "ndtri_at_its_ends": (lambda tf, x: tf.math.ndtri(x), [0.0, 0.5, 1.0]),
    "segment_prod_with_zeros": (
        lambda tf, x: tf.math.segment_prod(x, [0, 0, 1, 1, 3]),
        [0.0, 2.0, 0.0, 0.0, 3.0],
    ),
    "unsorted_segment_max_of_nothing": (
        lambda tf, x: tf.math.unsorted_segment_max(x, [0, -1], 2),
        [1.0, 2.0],
    ),
    "complex_abs_at_zero": (lambda tf, x: tf.abs(x), [3.0 + 4.0j, 0.0j]),
    "angle_of_a_complex": (lambda tf, x: tf.math.angle(x), [3.0 + 4.0j, 0.0j]),
    "real_part": (lambda tf, x: tf.math.real(x), [3.0 + 4.0j]),
    "imaginary_part": (lambda tf, x: tf.math.imag(x), [3.0 + 4.0j]),
    "conjugate": (lambda tf, x: tf.math.conj(x), [3.0 + 4.0j]),
    "real_part_of_a_real": (lambda tf, x: tf.math.real(x), [3.0]),
    "imaginary_part_of_a_real": (lambda tf, x: tf.math.imag(x), [3.0]),
    "angle_of_a_real": (lambda tf, x: tf.math.angle(x), [-3.0, 0.0, 2.0]),
    "complex_exp": (lambda tf, x: tf.exp(x), [0.5 + 1.0j]),
    "complex_to_real_by_cast": (lambda tf, x: tf.cast(x, tf.float32), [3.0 + 4.0j]),
    "real_to_complex_by_cast": (
        lambda tf, x: tf.cast(x, tf.complex64) * tf.constant(1 + 2j, tf.complex64),
        [3.0],
    ),
    "global_norm_at_zero": (lambda tf, x: tf.linalg.global_norm([x]), [0.0, 0.0]),
    "clip_by_global_norm_of_an_infinity": (
        lambda tf, x: tf.clip_by_global_norm([x], 1.0)[0][0],
        [float("inf"), 1.0],
    ),
    "euclidean_norm_at_zero": (lambda tf, x: tf.math.reduce_euclidean_norm(x), [0.0, 0.0]),
    "determinant_of_a_singular_matrix": (lambda tf, x: tf.linalg.det(x), [[1.0, 1.0], [1.0, 1.0]]),
    "sign_of_a_determinant": (lambda tf, x: tf.linalg.slogdet(x)[0], [[1.0, 2.0], [1.0, 1.0]]),
    "inverse_of_a_singular_matrix": (lambda tf, x: tf.linalg.inv(x), [[1.0, 1.0], [1.0, 1.0]]),
    "cholesky_of_an_indefinite_matrix": (
        lambda tf, x: tf.linalg.cholesky(x),
        [[1.0, 2.0], [2.0, 1.0]],
    ),
    "eigenvalues_that_coincide": (lambda tf, x: tf.linalg.eigvalsh(x), [[1.0, 0.0], [0.0, 1.0]]),
    "singular_values_that_coincide": (
        lambda tf, x: tf.linalg.svd(x, compute_uv=False),
        [[1.0, 0.0], [0.0, 1.0]],
    ),
    "cumulative_logsumexp_exclusive": (
        lambda tf, x: tf.math.cumulative_logsumexp(x, exclusive=True)[1:],
        [1.0, 2.0, 3.0],
    ),
    "linspace_of_one": (lambda tf, x: tf.linspace(x, 5.0, 1), 3.0),
    "sqrt_at_zero": (lambda tf, x: tf.sqrt(x), [0.0, 4.0]),
    "rsqrt_at_zero": (lambda tf, x: tf.math.rsqrt(x), [0.0, 4.0]),
    "power_a_half_at_zero": (lambda tf, x: x**0.5, [0.0, 4.0]),
    "power_two": (lambda tf, x: x**2, [0.0, -3.0]),
    "power_three": (lambda tf, x: x**3, [0.0, -3.0]),
    "power_zero": (lambda tf, x: x**0.0, [0.0, 2.0]),
    "power_one": (lambda tf, x: x**1.0, [0.0]),
    "power_minus_one": (lambda tf, x: x**-1.0, [0.0, 2.0]),
    "two_to_the_x": (lambda tf, x: 2.0**x, [0.0, 1.0]),
    "zero_to_the_x": (lambda tf, x: 0.0**x, [0.0, 1.0]),
    "minus_one_to_the_x": (lambda tf, x: (-1.0) ** x, [2.0]),
    "x_to_the_x_at_zero": (lambda tf, x: x**x, [0.0]),
    "log_at_zero": (lambda tf, x: tf.math.log(x), [0.0, 1.0]),
    "log_of_a_negative": (lambda tf, x: tf.math.log(x), [-1.0]),
    "log1p_at_zero": (lambda tf, x: tf.math.log1p(x), [0.0]),
    "expm1_at_zero": (lambda tf, x: tf.math.expm1(x), [0.0]),
    "exp_of_a_large": (lambda tf, x: tf.exp(x), [100.0, -200.0]),
    "one_over_zero": (lambda tf, x: 1.0 / x, [0.0, 2.0]),
    "zero_over_zero": (lambda tf, x: x / x, [0.0]),
    "divide_no_nan": (lambda tf, x: tf.math.divide_no_nan(1.0, x), [0.0, 2.0]),
    "norm_at_zero": (lambda tf, x: tf.norm(x), [0.0, 0.0]),
    "norm": (lambda tf, x: tf.norm(x), [3.0, 4.0]),
    "l2_normalize_at_zero": (lambda tf, x: tf.math.l2_normalize(x), [0.0, 0.0]),
    "reduce_std_of_constants": (lambda tf, x: tf.math.reduce_std(x), [1.0, 1.0]),
    "reduce_prod_with_a_zero": (lambda tf, x: tf.reduce_prod(x), [0.0, 2.0, 3.0]),
    "reduce_prod_with_two_zeros": (lambda tf, x: tf.reduce_prod(x), [0.0, 0.0, 3.0]),
    "logsumexp_of_a_tie": (lambda tf, x: tf.reduce_logsumexp(x), [1.0, 1.0]),
    "logsumexp_of_large": (lambda tf, x: tf.reduce_logsumexp(x), [1000.0, 999.0]),
    "softplus_far_out": (lambda tf, x: tf.nn.softplus(x), [100.0, -100.0]),
    "sigmoid_far_out": (lambda tf, x: tf.sigmoid(x), [100.0, -100.0]),
    "log_sigmoid_far_out": (lambda tf, x: tf.math.log_sigmoid(x), [-100.0, 100.0]),
    "tanh_far_out": (lambda tf, x: tf.tanh(x), [30.0, -30.0]),
    "softmax_of_large": (lambda tf, x: tf.nn.softmax(x)[0], [1000.0, 999.0]),
    "log_softmax_of_large": (lambda tf, x: tf.nn.log_softmax(x)[0], [1000.0, -1000.0]),
    "where_around_log": (lambda tf, x: tf.where(x > 0.0, tf.math.log(x), 0.0), [0.0, 1.0]),
    "where_around_division": (lambda tf, x: tf.where(x > 0.0, 1.0 / x, 0.0), [0.0, 1.0]),
    "where_around_sqrt": (lambda tf, x: tf.where(x > 0.0, tf.sqrt(x), 0.0), [0.0, 1.0]),
    "where_made_safe": (
        lambda tf, x: tf.where(x > 0.0, tf.math.log(tf.where(x > 0.0, x, 1.0)), 0.0),
        [0.0, 1.0],
    ),
    "sigmoid_cross_entropy_far_out": (
        lambda tf, x: tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0], logits=x),
        [-100.0, 100.0],
    ),
    "acos_at_one": (lambda tf, x: tf.acos(x), [1.0]),
    "nan_goes_through": (lambda tf, x: x * x, [float("nan"), 1.0]),
}

WITHOUT_A_GRADIENT = {
    "truncated_division": (lambda tf, x: tf.truncatediv(x, 2.0), [-5.0, 3.0]),
    "weights_of_a_bincount": (
        lambda tf, x: tf.math.bincount([1, 1, 3], weights=x),
        [1.0, 2.0, 3.0],
    ),
    "bits_read_as_another_dtype": (
        lambda tf, x: tf.bitcast(tf.bitcast(x, tf.int32), tf.float32),
        [1.0],
    ),
    "a_bitcast_itself": (lambda tf, x: tf.bitcast(tf.reshape(x, [1, 2]), tf.float64), [1.0, 2.0]),
    "floor": (lambda tf, x: tf.floor(x), [1.5]),
    "ceil": (lambda tf, x: tf.math.ceil(x), [1.5]),
    "round": (lambda tf, x: tf.round(x), [1.5, 2.5]),
    "floor_divide": (lambda tf, x: x // 2.0, [3.0]),
    "zeros_like": (lambda tf, x: tf.zeros_like(x), [1.0]),
    "ones_like": (lambda tf, x: tf.ones_like(x), [1.0]),
    "stop_gradient": (lambda tf, x: tf.stop_gradient(x), [1.0]),
    "cast_to_int_and_back": (lambda tf, x: tf.cast(tf.cast(x, tf.int32), tf.float32), [1.5]),
    "comparison_as_float": (lambda tf, x: tf.cast(x > 1.0, tf.float32), [1.0, 2.0]),
    "one_hot_of_argmax": (lambda tf, x: tf.one_hot(tf.argmax(x), 2), [1.0, 2.0]),
    "constant_of_numpy": (lambda tf, x: tf.constant(x.numpy()) * 2.0, [1.0]),
    "range_to_x": (lambda tf, x: tf.range(x), 3.0),
    "fill_of_a_scalar": (lambda tf, x: tf.fill([2], x), 3.0),
    "linspace_from_x": (lambda tf, x: tf.linspace(x, 2.0, 3), 0.0),
}

WHOLE_NUMBERS = {
    "searchsorted": (lambda tf, x: tf.searchsorted([1.0, 3.0, 5.0], x, side="right"), [3.0, 9.0]),
    "searchsorted_in_rows": (
        lambda tf, x: tf.searchsorted([[1.0, 3.0], [2.0, 4.0]], x, out_type=tf.int64),
        [[3.0], [3.0]],
    ),
    "histogram_bins": (
        lambda tf, x: tf.histogram_fixed_width_bins(x, [0.0, 5.0], nbins=5),
        [-1.0, 0.0, 1.5, 2.0, 5.0, 15.0],
    ),
    "is_non_decreasing": (lambda tf, x: tf.math.is_non_decreasing(x), [1.0, 2.0, 2.0]),
    "is_strictly_increasing": (lambda tf, x: tf.math.is_strictly_increasing(x), [1.0, 2.0, 2.0]),
    "matrix_rank": (lambda tf, x: tf.linalg.matrix_rank(x), [[1.0, 2.0], [2.0, 4.0]]),
    "saturate_cast_to_bytes": (lambda tf, x: tf.saturate_cast(x, tf.uint8), [300.0, -5.0, 7.5]),
    "argmax": (lambda tf, x: tf.argmax(x), [1.0, 2.0]),
    "argmin": (lambda tf, x: tf.argmin(x), [1.0, 2.0]),
    "greater": (lambda tf, x: x > 1.0, [1.0, 2.0]),
    "equal": (lambda tf, x: tf.equal(x, 1.0), [1.0, 2.0]),
    "shape": (lambda tf, x: tf.shape(x), [1.0]),
    "size": (lambda tf, x: tf.size(x), [1.0]),
    "rank": (lambda tf, x: tf.rank(x), [1.0]),
    "cast_to_int": (lambda tf, x: tf.cast(x, tf.int32), [1.5]),
}

TABLE = (
    *_rows(AT_A_KINK),
    *_rows(AT_THE_EDGE),
    *_rows(WITHOUT_A_GRADIENT),
    *_rows_that_warn(WHOLE_NUMBERS),
)


def an_op_without_a_registered_gradient(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.unique(x)[0]
    return tape.gradient(y, x)


def the_sum_over_floor_and_a_smooth_path(tf: Any, np: Any) -> Any:
    x = tf.constant([1.5, 2.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.floor(x) * x
    return tape.gradient(y, x)


def a_comparison_decides_but_is_not_differentiated(tf: Any, np: Any) -> Any:
    x = tf.constant([-1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.where(x > 0.0, x * 2.0, x * 10.0)
    return tape.gradient(y, x)


def the_path_begins_anew_behind_an_op_without_a_gradient(tf: Any, np: Any) -> Any:
    """What floor gave is a value of the tape like any other; what stop_gradient gave is not."""
    x = tf.constant([1.5, 2.5])
    answers = []
    for end in (tf.floor, tf.round, tf.zeros_like, tf.stop_gradient, lambda x: x // 2.0):
        with tf.GradientTape() as tape:
            tape.watch(x)
            middle = end(x)
            y = middle * middle * 3.0
        answers.append(tape.gradient(y, [middle, x]))
    return answers


@differs(INTEGERS_ARE_SAID_ALOUD, warns=("UserWarning",))
def it_does_not_begin_anew_behind_whole_numbers(tf: Any, np: Any) -> Any:
    n = tf.Variable([1, 2])
    with tf.GradientTape() as tape:
        middle = tf.cast(n, tf.float32)
        y = middle * middle
    return tape.gradient(y, [middle, n])


def second_order_of_a_value_behind_an_op_without_a_gradient(tf: Any, np: Any) -> Any:
    x = tf.constant([1.5, 2.5])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            middle = tf.floor(x)
            y = middle**3
        first = inner.gradient(y, middle)
    return first, outer.gradient(first, [middle, x])


@differs(
    "places are whole numbers, so the path ends: TensorFlow sends zeros back from the values' rule",
    gives=True,
    warns=("UserWarning",),
)
def the_places_that_sort(tf: Any, np: Any) -> Any:
    x = tf.constant([3.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.argsort(x)
    return tape.gradient(y, x) is None


def counting_whole_numbers(tf: Any, np: Any) -> Any:
    return {
        "bincount": tf.math.bincount([1, 1, 3]),
        "between": tf.math.bincount([1, 1, 3], minlength=6, maxlength=3),
        "whether": tf.math.bincount([1, 1, 3], binary_output=True),
        "rows": tf.math.bincount([[1, 1, 3], [0, 0, 0]], axis=-1),
        "weights": tf.math.bincount([1, 1, 3], weights=[0.5, 1.5, 2.0]),
        "histogram": tf.histogram_fixed_width(
            [-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5
        ),
        "in_top_k": tf.math.in_top_k([0, 1, 0], [[0.1, 0.9], [0.5, 0.5], [np.inf, 0.0]], 1),
        "confusion": tf.math.confusion_matrix([1, 2, 2], [1, 0, 0]),
        "weighted": tf.math.confusion_matrix([1, 2], [1, 0], weights=[0.5, 2.0], dtype=tf.float32),
    }


def places_as_other_places(tf: Any, np: Any) -> Any:
    return {
        "inverted": tf.math.invert_permutation([2, 0, 1]),
        "unravelled": tf.unravel_index([5, 3], [2, 3]),
        "mask": tf.sequence_mask([[1, 3]]),
        "floats": tf.sequence_mask([1, 3], 5, dtype=tf.float32),
    }


def bits(tf: Any, np: Any) -> Any:
    a, b = tf.constant([5, -1, 12]), tf.constant([3, 1, 2])
    whole = tf.bitwise
    return {
        "and": whole.bitwise_and(a, b),
        "or": whole.bitwise_or(a, b),
        "xor": whole.bitwise_xor(a, b),
        "not": whole.invert(a),
        "left": whole.left_shift(a, b),
        "right": whole.right_shift(a, b),
        "smaller": tf.bitcast(tf.constant([1.0, 2.0]), tf.uint8),
        "larger": tf.bitcast(tf.constant([[1, 2]], tf.int32), tf.int64),
    }


def shapes_of_several_values(tf: Any, np: Any) -> Any:
    return {
        "shape_n": tf.shape_n([[1.0], [2.0, 3.0]]),
        "static": tf.broadcast_static_shape(tf.TensorShape([2, 1]), tf.TensorShape([3])),
        "dynamic": tf.broadcast_dynamic_shape([2, 1], [3]),
        "linspace_of_ints": tf.linspace(0, 10, 5),
        "linspace_of_int_tensors": tf.linspace(tf.constant(0), tf.constant(10), 5),
        "foldr": tf.foldr(lambda so_far, x: so_far - x, tf.constant([1.0, 2.0, 3.0])),
        "case": tf.case([(tf.constant(False), lambda: 1), (tf.constant(True), lambda: 2)]),
        "switch_case": tf.switch_case(tf.constant(7), [lambda: 1, lambda: 2]),
    }

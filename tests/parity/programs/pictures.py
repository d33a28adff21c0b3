"""Convolution, pooling and what else networks for pictures are made of: value, slopes, slopes of slopes, in float64."""

from collections.abc import Callable, Mapping
from typing import Any

from programs.case import Case, Program

Op = Callable[..., Any]


def _numbers(np: Any, shape: tuple[int, ...], seed: int) -> Any:
    """Numbers of size 1, no two alike."""
    count = int(np.prod(shape))
    mixed = (np.arange(count) * (2 * seed + 5) * 7 + seed) % (count + 1)
    return (mixed / (count + 1.0) * 2.0 - 0.9 + 0.01 * seed).reshape(shape)


def _weighted_sum(tf: Any, np: Any, y: Any, seed: int) -> Any:
    return tf.reduce_sum(y * tf.constant(_numbers(np, tuple(y.shape), seed)))


def _answers(op: Op, shapes: tuple[tuple[int, ...], ...]) -> Program:
    def program(tf: Any, np: Any) -> Any:
        xs = [tf.constant(_numbers(np, shape, seed)) for seed, shape in enumerate(shapes)]
        with tf.GradientTape() as outer:
            outer.watch(xs)
            with tf.GradientTape() as inner:
                inner.watch(xs)
                y = op(tf, *xs)
                loss = _weighted_sum(tf, np, y * y, 11)
            first = inner.gradient(loss, xs)
            slope = sum(_weighted_sum(tf, np, each, 12 + i) for i, each in enumerate(first))
        return {"value": y, "gradient": first, "second": outer.gradient(slope, xs)}

    return program


def _rows(ops: Mapping[str, tuple[Any, ...]]) -> tuple[Case, ...]:
    return tuple(Case(name, _answers(op, shapes)) for name, (op, *shapes) in ops.items())


X, F = (2, 4, 5, 2), (3, 2, 2, 3)
BORDER = [[0, 0], [1, 2], [0, 1], [0, 0]]

CONVOLUTION = {
    "conv2d_valid": (lambda tf, x, f: tf.nn.conv2d(x, f, 1, "VALID"), X, F),
    "conv2d_same": (lambda tf, x, f: tf.nn.conv2d(x, f, 1, "SAME"), X, F),
    "conv2d_same_in_steps": (lambda tf, x, f: tf.nn.conv2d(x, f, [1, 2, 3, 1], "SAME"), X, F),
    "conv2d_with_a_border": (lambda tf, x, f: tf.nn.conv2d(x, f, [2, 1], BORDER), X, F),
    "conv2d_of_single_points": (lambda tf, x, f: tf.nn.conv2d(x, f, 1, "SAME"), X, (1, 1, 2, 3)),
    "conv2d_of_rank_5": (lambda tf, x, f: tf.nn.conv2d(x[tf.newaxis], f, 1, "SAME"), X, F),
    "conv2d_transpose": (
        lambda tf, x, f: tf.nn.conv2d_transpose(x, f, [2, 8, 10, 3], 2, "SAME"),
        X,
        (3, 2, 3, 2),
    ),
    "conv2d_transpose_valid": (
        lambda tf, x, f: tf.nn.conv2d_transpose(x, f, [2, 6, 6, 3], 1, "VALID"),
        X,
        (3, 2, 3, 2),
    ),
    "depthwise_conv2d": (
        lambda tf, x, f: tf.nn.depthwise_conv2d(x, f, [1, 2, 2, 1], "SAME"),
        X,
        (3, 2, 2, 2),
    ),
    "depthwise_conv2d_spread_out": (
        lambda tf, x, f: tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME", dilations=[2, 2]),
        X,
        (2, 2, 2, 2),
    ),
    "separable_conv2d": (
        lambda tf, x, f, p: tf.nn.separable_conv2d(x, f, p, [1, 1, 1, 1], "VALID"),
        X,
        (3, 2, 2, 2),
        (1, 1, 4, 3),
    ),
    "conv1d": (lambda tf, x, f: tf.nn.conv1d(x, f, 2, "SAME"), (2, 5, 2), (3, 2, 3)),
    "bias_add": (lambda tf, x, b: tf.nn.bias_add(x, b), X, (2,)),
}

POOLING = {
    "max_pool2d": (lambda tf, x: tf.nn.max_pool2d(x, 2, 2, "VALID"), X),
    "max_pool2d_same": (lambda tf, x: tf.nn.max_pool2d(x, 2, 2, "SAME"), X),
    "max_pool2d_that_overlaps": (lambda tf, x: tf.nn.max_pool2d(x, [3, 2], [1, 1], "SAME"), X),
    "max_pool_of_pictures": (lambda tf, x: tf.nn.max_pool(x, 2, 1, "VALID"), X),
    "max_pool1d": (lambda tf, x: tf.nn.max_pool1d(x, 2, 2, "SAME"), (2, 5, 2)),
    "avg_pool2d": (lambda tf, x: tf.nn.avg_pool2d(x, 2, 2, "VALID"), X),
    "avg_pool2d_same": (lambda tf, x: tf.nn.avg_pool2d(x, 3, 2, "SAME"), X),
    "avg_pool2d_that_overlaps": (lambda tf, x: tf.nn.avg_pool2d(x, [1, 3], 1, "SAME"), X),
    "avg_pool_of_sequences": (lambda tf, x: tf.nn.avg_pool(x, 2, 1, "VALID"), (2, 5, 2)),
    "avg_pool1d": (lambda tf, x: tf.nn.avg_pool1d(x, 3, 1, "SAME"), (2, 5, 2)),
}

NORMALISING = {
    "batch_normalization": (
        lambda tf, x, m, v, o, s: tf.nn.batch_normalization(x, m, v * v, o, s, 0.01),
        (3, 2),
        (2,),
        (2,),
        (2,),
        (2,),
    ),
    "batch_normalization_without_offset_and_scale": (
        lambda tf, x, m, v: tf.nn.batch_normalization(x, m, v * v, None, None, 0.01),
        (3, 2),
        (2,),
        (2,),
    ),
    "local_response_normalization": (
        lambda tf, x: tf.nn.local_response_normalization(tf.cast(x, tf.float32), 1, 1.0, 0.5, 0.75),
        (1, 2, 2, 4),
    ),
    "crelu": (lambda tf, x: tf.nn.crelu(x), (2, 3)),
    "l2_normalize": (lambda tf, x: tf.nn.l2_normalize(x, axis=1), (2, 3)),
    "weighted_moments": (
        lambda tf, x, w: tf.stack(tf.nn.weighted_moments(x, [0], 1.0 + w * w)),
        (3, 2),
        (3, 2),
    ),
    "log_poisson_loss": (lambda tf, c, z: tf.nn.log_poisson_loss(z, c), (2, 3), (2, 3)),
    "log_poisson_loss_in_full": (
        lambda tf, c, z: tf.nn.log_poisson_loss(1.5 + z, c, compute_full_loss=True),
        (2, 3),
        (2, 3),
    ),
    "weighted_cross_entropy": (
        lambda tf, x, z: tf.nn.weighted_cross_entropy_with_logits(z, x, 3.0),
        (2, 3),
        (2, 3),
    ),
    "compute_average_loss": (
        lambda tf, x: tf.nn.compute_average_loss(tf.cast(x, tf.float32), [1.0, 2.0, 3.0], 4),
        (3,),
    ),
    "scale_regularization_loss": (lambda tf, x: tf.nn.scale_regularization_loss(x), (3,)),
}

TABLE = _rows(CONVOLUTION) + _rows(POOLING) + _rows(NORMALISING)


def _picture(tf: Any) -> Any:
    return tf.reshape(tf.range(24.0), [1, 3, 4, 2])


def jacobian_of_a_convolution(tf: Any, np: Any) -> Any:
    x, f = _picture(tf) / 24.0, tf.constant(_numbers(np, (2, 2, 2, 2), 1), tf.float32)
    with tf.GradientTape() as tape:
        tape.watch([x, f])
        y = tf.reduce_sum(tf.nn.conv2d(x, f, 1, "VALID"), axis=[0, 1])
    return tape.jacobian(y, [x, f])


def jacobian_of_a_max_pool(tf: Any, np: Any) -> Any:
    x = _picture(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.max_pool2d(x, 2, 1, "VALID")
    return tape.jacobian(y, x)


def a_tie_goes_to_the_first(tf: Any, np: Any) -> Any:
    x = tf.ones([1, 4, 4, 1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.max_pool2d(x, 2, 2, "VALID")
    return tape.gradient(y, x)


def a_tie_in_windows_that_overlap(tf: Any, np: Any) -> Any:
    x = tf.ones([1, 3, 3, 1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.max_pool2d(x, 2, 1, "VALID")
    return tape.gradient(y, x)


def a_max_pool_of_whole_numbers(tf: Any, np: Any) -> Any:
    return tf.nn.max_pool2d(tf.reshape(tf.range(-8, 8), [1, 4, 4, 1]), 2, 2, "SAME")


def a_convolution_of_whole_numbers(tf: Any, np: Any) -> Any:
    return tf.nn.conv2d(
        tf.ones([1, 3, 3, 1], tf.int32), tf.ones([2, 2, 1, 1], tf.int32), 1, "VALID"
    )


def a_convolution_in_float16(tf: Any, np: Any) -> Any:
    return tf.nn.conv2d(
        tf.ones([1, 3, 3, 1], tf.float16), tf.ones([2, 2, 1, 1], tf.float16), 1, "SAME"
    )


def a_convolution_spread_out(tf: Any, np: Any) -> Any:
    """Only its value: TensorFlow cannot differentiate it on a CPU."""
    x, f = tf.constant(_numbers(np, X, 0)), tf.constant(_numbers(np, F, 1))
    return tf.nn.conv2d(x, f, 1, "SAME", dilations=[2, 1])


def a_sequence_spread_out(tf: Any, np: Any) -> Any:
    x, f = tf.constant(_numbers(np, (2, 5, 2), 0)), tf.constant(_numbers(np, (2, 2, 3), 1))
    return tf.nn.conv1d(x, f, 1, "VALID", dilations=2)


def no_place_for_the_window(tf: Any, np: Any) -> Any:
    return tf.nn.conv2d(tf.ones([1, 2, 4, 1]), tf.ones([3, 3, 1, 2]), 1, "VALID")


def dropout_of_nothing(tf: Any, np: Any) -> Any:
    return tf.nn.dropout(tf.constant([1.0, 2.0]), 0.0)


def dropout_has_two_kinds_of_slopes(tf: Any, np: Any) -> Any:
    x = tf.ones([100])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.dropout(x, 0.5, seed=1)
    slopes = tape.gradient(y, x).numpy()
    return sorted(set(slopes.tolist())), bool((slopes == y.numpy()).all())


def the_gradient_of_in_top_k(tf: Any, np: Any) -> Any:
    x = tf.constant([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cast(tf.nn.in_top_k([0, 1], x, 2), tf.float32)
    return y, tape.gradient(y, x)


def zero_fraction(tf: Any, np: Any) -> Any:
    return tf.nn.zero_fraction(tf.constant([0.0, 2.0, 0.0, 1.0]))


def _refused(call: Callable[[Any, Any, Any], Any]) -> Program:
    return lambda tf, np: call(tf, tf.ones([1, 4, 4, 2]), tf.ones([2, 2, 2, 3]))


TABLE += tuple(
    Case(name, _refused(call))
    for name, call in {
        "a_padding_in_small_letters": lambda tf, x, f: tf.nn.conv2d(x, f, 1, "same"),
        "a_filter_with_too_many_channels": lambda tf, x, f: tf.nn.conv2d(x[..., :1], f, 1, "SAME"),
        "a_stride_of_zero": lambda tf, x, f: tf.nn.conv2d(x, f, 0, "SAME"),
        "a_stride_over_the_batch": lambda tf, x, f: tf.nn.conv2d(x, f, [2, 1, 1, 1], "SAME"),
        "a_transpose_that_does_not_fit": lambda tf, x, f: tf.nn.conv2d_transpose(
            x, f, [1, 9, 9, 2], 2, "SAME"
        ),
        "a_depthwise_stride_without_a_list": lambda tf, x, f: tf.nn.depthwise_conv2d(
            x, f, 1, "SAME"
        ),
        "depthwise_strides_that_differ": lambda tf, x, f: tf.nn.depthwise_conv2d(
            x, f, [1, 1, 2, 1], "SAME"
        ),
        "a_window_larger_than_the_picture": lambda tf, x, f: tf.nn.max_pool2d(x, 5, 1, "VALID"),
        "a_bias_of_another_length": lambda tf, x, f: tf.nn.bias_add(x, tf.ones([3])),
        "a_bias_of_rank_2": lambda tf, x, f: tf.nn.bias_add(x, tf.ones([1, 2])),
        "a_bias_for_a_vector": lambda tf, x, f: tf.nn.bias_add(tf.ones([2]), tf.ones([2])),
        "dropout_of_everything": lambda tf, x, f: tf.nn.dropout(x, 1.0),
        "dropout_of_whole_numbers": lambda tf, x, f: tf.nn.dropout(tf.constant([1, 2]), 0.5),
        "a_poisson_loss_of_other_shapes": lambda tf, x, f: tf.nn.log_poisson_loss(
            tf.ones([2]), tf.ones([3])
        ),
        "an_average_of_a_scalar": lambda tf, x, f: tf.nn.compute_average_loss(tf.constant(1.0)),
    }.items()
)


def channels_first(tf: Any, np: Any) -> Any:
    return tf.nn.conv2d(tf.ones([1, 2, 4, 4]), tf.ones([2, 2, 2, 3]), 1, "SAME", data_format="NCHW")

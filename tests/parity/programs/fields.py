"""Windows over volumes and sequences, blocks of pixels, dilations, labels along a sequence."""

from typing import Any

import numpy as np

from programs.case import Case, differs, rounds, table
from programs.slopes import slopes

RANDOM = np.random.default_rng(7)


def _some(*shape: int) -> list[Any]:
    numbers: list[Any] = RANDOM.normal(size=shape).round(3).tolist()
    return numbers


VOLUME, FILTERS = _some(2, 3, 4, 5, 2), _some(2, 2, 3, 2, 3)
PICTURE, FLAT = _some(2, 4, 6, 8), _some(2, 3, 8)
SEQUENCE = _some(2, 7, 3)
LOGITS = _some(5, 2, 4)
# What comes twice is a tie, of which one has to win.
EVEN = np.round(np.array(VOLUME)).tolist()

SUMS = rounds(2e-5, "sums of some hundred products of float32, in another order")

CONVOLVED = {
    "conv3d": lambda tf, x, w: tf.nn.conv3d(x, w, [1, 1, 2, 1, 1], "SAME"),
    "conv3d_valid": lambda tf, x, w: tf.nn.conv3d(x, w, [1, 1, 1, 1, 1], "VALID"),
    "conv3d_in_steps": lambda tf, x, w: tf.nn.conv3d(x, w, [1, 2, 1, 2, 1], "SAME"),
    "convolution_of_a_volume": lambda tf, x, w: tf.nn.convolution(
        x, w, padding="SAME", data_format="NDHWC"
    ),
}
OTHERS = {
    "conv3d_transpose": (
        lambda tf, x, w: tf.nn.conv3d_transpose(
            x, tf.transpose(w, [0, 1, 2, 4, 3]), [2, 6, 4, 5, 3], [1, 2, 1, 1, 1], "SAME"
        ),
        VOLUME,
        FILTERS,
    ),
    "conv3d_transpose_valid": (
        lambda tf, x, w: tf.nn.conv3d_transpose(
            x, tf.transpose(w, [0, 1, 2, 4, 3]), [2, 4, 5, 7, 3], 1, "VALID"
        ),
        VOLUME,
        FILTERS,
    ),
    "conv1d_transpose": (
        lambda tf, x, w: tf.nn.conv1d_transpose(x, w, [2, 14, 2], 2, "SAME"),
        SEQUENCE,
        _some(3, 2, 3),
    ),
    "conv_transpose": (
        lambda tf, x, w: tf.nn.conv_transpose(x, w, [2, 7, 2], 1, "SAME"),
        SEQUENCE,
        _some(3, 2, 3),
    ),
    "convolution_of_a_sequence": (
        lambda tf, x, w: tf.nn.convolution(x, w, 2, "SAME"),
        SEQUENCE,
        _some(3, 3, 2),
    ),
    "convolution_of_a_picture": (
        lambda tf, x, w: tf.nn.convolution(x, w, dilations=[1, 2]),
        PICTURE,
        _some(2, 2, 8, 2),
    ),
    "atrous_conv2d": (
        lambda tf, x, w: tf.nn.atrous_conv2d(x, w, 2, "SAME"),
        PICTURE,
        _some(2, 2, 8, 2),
    ),
    "dilation2d": (
        lambda tf, x, w: tf.nn.dilation2d(x, w, [1, 1, 2, 1], "SAME", "NHWC", [1, 2, 1, 1]),
        PICTURE,
        FLAT,
    ),
    "erosion2d": (
        lambda tf, x, w: tf.nn.erosion2d(x, w, [1, 1, 1, 1], "VALID", "NHWC", [1, 1, 1, 1]),
        PICTURE,
        FLAT,
    ),
}
POOLED = {
    "max_pool3d": (lambda tf, x: tf.nn.max_pool3d(x, 2, 2, "SAME"), VOLUME),
    "max_pool3d_of_ties": (lambda tf, x: tf.nn.max_pool3d(x, [2, 3, 2], 1, "VALID"), EVEN),
    "avg_pool3d": (lambda tf, x: tf.nn.avg_pool3d(x, [1, 2, 2, 3, 1], 2, "SAME"), VOLUME),
    "avg_pool3d_valid": (lambda tf, x: tf.nn.avg_pool3d(x, [3, 2, 2], 1, "VALID"), VOLUME),
    "max_pool_of_volumes": (
        lambda tf, x: tf.nn.max_pool(x, [1, 2, 2, 2, 1], [1, 1, 1, 1, 1], "SAME", "NDHWC"),
        VOLUME,
    ),
    "avg_pool_of_volumes": (
        lambda tf, x: tf.nn.avg_pool(x, [1, 2, 2, 2, 1], [1, 1, 1, 1, 1], "SAME", "NDHWC"),
        VOLUME,
    ),
    "pool_of_a_sequence": (lambda tf, x: tf.nn.pool(x, [2], "AVG", [2]), SEQUENCE),
    "pool_of_a_picture": (lambda tf, x: tf.nn.pool(x, [2, 3], "MAX", padding="SAME"), PICTURE),
    "pool_of_a_volume": (lambda tf, x: tf.nn.pool(x, [2, 2, 2], "AVG"), VOLUME),
    "depth_to_space": (lambda tf, x: tf.nn.depth_to_space(x, 2), PICTURE),
    "space_to_depth": (lambda tf, x: tf.nn.space_to_depth(x, 2), PICTURE),
}


def _ctc(**settings: Any) -> Any:
    def loss(tf: Any, x: Any) -> Any:
        labels = tf.constant([[1, 2], [2, 0]])
        lengths = tf.constant([2, 1]), tf.constant([5, 4])
        return tf.nn.ctc_loss(labels, x, *lengths, **settings)

    return loss


ALIGNED = {
    "ctc": _ctc(),
    "ctc_with_blank_0": _ctc(blank_index=0),
    "ctc_with_the_last_as_blank": _ctc(blank_index=-1),
    "ctc_batch_first": lambda tf, x: _ctc(blank_index=0, logits_time_major=False)(
        tf, tf.transpose(x, [1, 0, 2])
    ),
    "ctc_of_repeated_labels": lambda tf, x: tf.nn.ctc_loss(
        tf.constant([[1, 1], [2, 3]]), x, tf.constant([2, 2]), tf.constant([5, 3]), blank_index=0
    ),
}


def max_pool_with_argmax(tf: Any, np: Any) -> Any:
    x = tf.constant(PICTURE)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y, places = tf.nn.max_pool_with_argmax(x, 2, 2, "SAME")
        loss = tf.reduce_sum(y * y)
    whole = tf.nn.max_pool_with_argmax(x, [2, 3], 1, "VALID", include_batch_in_index=True)[1]
    small = tf.nn.max_pool_with_argmax(x, 2, 2, "SAME", output_dtype=tf.int32)[1]
    return [y, places, whole, small, tape.gradient(loss, x)]


def sufficient_statistics(tf: Any, np: Any) -> Any:
    x, shift = tf.constant([[1.0, 2.0], [3.0, 5.0]]), tf.constant(0.5)
    with tf.GradientTape() as tape:
        tape.watch([x, shift])
        parts = tf.nn.sufficient_statistics(x, [0], shift=shift, keepdims=True)
        mean, variance = tf.nn.normalize_moments(*parts)
        loss = tf.reduce_sum(mean * variance)
    plain = tf.nn.sufficient_statistics(x, [0, 1])
    return [parts, mean, variance, tape.gradient(loss, [x, shift]), plain[:3], plain[3] is None]


def max_pool3d_passes_nan_over(tf: Any, np: Any) -> Any:
    x = np.array([np.nan, 1.0, 2.0, np.nan], np.float32).reshape(1, 1, 2, 2, 1)
    return tf.nn.max_pool3d(x, [1, 2, 2], 2, "VALID")


@differs("Windows whose numbers lie apart are not here.", raises="UnimplementedError")
def pool_with_dilations(tf: Any, np: Any) -> Any:
    return tf.nn.pool(tf.constant(PICTURE), [2, 2], "MAX", dilations=[2, 1])


REFUSED = {
    "depth_that_is_no_square": lambda nn, x, v: nn.depth_to_space(x, 3),
    "space_that_is_no_block": lambda nn, x, v: nn.space_to_depth(x, 5),
    "blocks_of_one": lambda nn, x, v: nn.space_to_depth(x, 1),
    "conv3d_with_other_padding": lambda nn, x, v: nn.conv3d(v, FILTERS, [1, 1, 1, 1, 1], "FULL"),
    "conv3d_of_four_axes": lambda nn, x, v: nn.conv3d(v[0], FILTERS, [1, 1, 1, 1, 1], "SAME"),
    "conv3d_with_one_stride": lambda nn, x, v: nn.conv3d(v, FILTERS, 1, "SAME"),
    "conv3d_with_three_strides": lambda nn, x, v: nn.conv3d(v, FILTERS, [1, 1, 1], "SAME"),
    "conv3d_with_dilations": lambda nn, x, v: nn.conv3d(
        v, FILTERS, [1, 1, 1, 1, 1], "SAME", dilations=[1, 1, 2, 1, 1]
    ),
    "max_pool3d_of_two_sizes": lambda nn, x, v: nn.max_pool3d(v, [2, 2], 2, "SAME"),
    "convolution_of_other_channels": lambda nn, x, v: nn.convolution(x, FLAT, strides=2),
    "pool_of_another_kind": lambda nn, x, v: nn.pool(x, [2, 2], "MED"),
    "dilation_with_channels_first": lambda nn, x, v: nn.dilation2d(
        x, FLAT, [1, 1, 2, 1], "SAME", "NCHW", [1, 2, 1, 1]
    ),
    "ctc_without_lengths": lambda nn, x, v: nn.ctc_loss(
        np.array([[1, 2]]), x[0], None, np.array([2]), blank_index=0
    ),
}

TABLE: tuple[Case, ...] = table(
    {
        **{
            name: SUMS(slopes(op, VOLUME, FILTERS, dtype="float32"))
            for name, op in CONVOLVED.items()
        },
        **{
            name: SUMS(
                slopes(
                    op,
                    *inputs,
                    dtype="float32",
                    forward="dilation" not in name and "erosion" not in name,
                )
            )
            for name, (op, *inputs) in OTHERS.items()
        },
        **{name: SUMS(slopes(op, x, dtype="float32")) for name, (op, x) in POOLED.items()},
        **{
            name: SUMS(slopes(op, LOGITS, dtype="float32", second=False, forward=False))
            for name, op in ALIGNED.items()
        },
        **{
            f"refused_{name}": (
                lambda tf, np, op=op: op(tf.nn, tf.constant(PICTURE), tf.constant(VOLUME))
            )
            for name, op in REFUSED.items()
        },
    }
)

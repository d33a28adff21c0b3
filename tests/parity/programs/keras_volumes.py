"""Layers of Keras for volumes: what they compute from given weights, the slopes, and what they refuse."""

from typing import Any

from programs.case import Case, Program, rounds, table
from programs.layers import _numbers, _rows, _set_weights

_CLOSE = rounds(2e-5, "float32, in another order")
VOLUMES, LARGE = (2, 3, 4, 3, 2), (1, 5, 6, 5, 4)

LAYERS = {
    "conv3d": (lambda k: k.Conv3D(3, 2, activation="tanh"), VOLUMES),
    "conv3d_in_steps": (
        lambda k: k.Conv3D(2, (2, 3, 1), strides=(1, 2, 2), padding="same"),
        VOLUMES,
    ),
    "conv3d_in_groups": (lambda k: k.Conv3D(4, 2, groups=2, use_bias=False), VOLUMES),
    "conv3d_with_gaps": (lambda k: k.Conv3D(2, 2, dilation_rate=(2, 1, 2)), VOLUMES),
    "conv3d_with_gaps_same": (lambda k: k.Conv3D(2, 2, dilation_rate=2, padding="same"), VOLUMES),
    "conv3d_transpose": (lambda k: k.Conv3DTranspose(2, 2, strides=2), VOLUMES),
    "conv3d_transpose_same": (
        lambda k: k.Conv3DTranspose(3, 3, strides=(1, 2, 2), padding="same", activation="tanh"),
        VOLUMES,
    ),
    "conv3d_transpose_with_output_padding": (
        lambda k: k.Conv3DTranspose(2, 3, strides=2, padding="same", output_padding=1),
        VOLUMES,
    ),
    "max_pooling3d": (lambda k: k.MaxPooling3D(), LARGE),
    "max_pooling3d_same": (lambda k: k.MaxPool3D((2, 3, 2), 2, padding="same"), VOLUMES),
    "max_pooling3d_channels_first": (
        lambda k: k.MaxPooling3D(2, data_format="channels_first"),
        VOLUMES,
    ),
    "average_pooling3d": (lambda k: k.AveragePooling3D((1, 2, 3), strides=1), VOLUMES),
    "average_pooling3d_same": (lambda k: k.AvgPool3D(2, padding="same"), VOLUMES),
    "average_pooling3d_channels_first": (
        lambda k: k.AveragePooling3D(2, data_format="channels_first"),
        VOLUMES,
    ),
    "global_max_pooling3d": (lambda k: k.GlobalMaxPooling3D(), VOLUMES),
    "global_max_pooling3d_with_its_axes": (lambda k: k.GlobalMaxPool3D(keepdims=True), VOLUMES),
    "global_average_pooling3d": (lambda k: k.GlobalAveragePooling3D(), VOLUMES),
    "global_average_pooling3d_channels_first": (
        lambda k: k.GlobalAvgPool3D(data_format="channels_first"),
        VOLUMES,
    ),
    "zero_padding3d": (lambda k: k.ZeroPadding3D(), VOLUMES),
    "zero_padding3d_of_each_end": (lambda k: k.ZeroPadding3D(((1, 0), (0, 2), (1, 1))), VOLUMES),
    "zero_padding3d_channels_first": (
        lambda k: k.ZeroPadding3D((1, 2, 0), data_format="channels_first"),
        VOLUMES,
    ),
    "cropping3d": (lambda k: k.Cropping3D(), LARGE),
    "cropping3d_of_each_end": (lambda k: k.Cropping3D(((1, 0), (0, 2), (1, 1))), VOLUMES),
    "cropping3d_channels_first": (
        lambda k: k.Cropping3D((0, 1, 1), data_format="channels_first"),
        LARGE,
    ),
    "up_sampling3d": (lambda k: k.UpSampling3D(), VOLUMES),
    "up_sampling3d_channels_first": (
        lambda k: k.UpSampling3D((1, 3, 2), data_format="channels_first"),
        VOLUMES,
    ),
}


def conv3d_channels_first(tf: Any, np: Any) -> Any:
    """Only forwards: TensorFlow's compiler has no way back on a CPU."""
    layer = tf.keras.layers.Conv3D(2, 2, data_format="channels_first", activation="softmax")
    x = tf.constant(_numbers(np, VOLUMES, 1))
    layer(x)
    _set_weights(np, layer)
    return layer(x), layer.kernel


def _second(make: Any) -> Program:
    """The slope of a slope, and a tangent."""

    def program(tf: Any, np: Any) -> Any:
        layer = make(tf.keras.layers)
        x = tf.constant(_numbers(np, VOLUMES, 1))
        layer(x)
        _set_weights(np, layer)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                loss = tf.reduce_sum(layer(x) ** 3)
            slope = tape.gradient(loss, x)
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as forward:
            y = layer(x)
        return outer.gradient(slope, x), forward.jvp(y)

    return program


SECOND = {
    "second_conv3d": _second(lambda k: k.Conv3D(2, 2)),
    "second_average_pooling3d": _second(lambda k: k.AveragePooling3D(2)),
    "second_max_pooling3d": _second(lambda k: k.MaxPooling3D(2)),
    "second_up_sampling3d": _second(lambda k: k.UpSampling3D(2)),
}

REFUSED = {
    "a_kernel_larger_than_the_volume": lambda k, x: k.Conv3D(2, 9)(x),
    "a_window_larger_than_the_volume": lambda k, x: k.MaxPooling3D(9)(x),
    "a_window_in_steps_of_one_larger_than_the_volume": lambda k, x: k.MaxPooling3D(9, strides=1)(x),
    "a_mean_larger_than_the_volume": lambda k, x: k.AveragePooling3D(9)(x),
    "a_volume_without_its_batch": lambda k, x: k.Conv3D(2, 2)(x[0]),
    "pooling_a_picture": lambda k, x: k.AveragePooling3D(2)(x[0]),
    "nothing_left": lambda k, x: k.Cropping3D(2)(x),
    "two_sizes_for_three_axes": lambda k, x: k.Conv3D(2, (2, 2)),
    "two_windows_for_three_axes": lambda k, x: k.MaxPooling3D((2, 2)),
    "two_borders_for_three_axes": lambda k, x: k.ZeroPadding3D((1, 1)),
    "two_ends_for_three_axes": lambda k, x: k.Cropping3D((1, 1)),
    "two_factors_for_three_axes": lambda k, x: k.UpSampling3D((1, 1)),
    "strides_and_gaps": lambda k, x: k.Conv3D(2, 2, strides=2, dilation_rate=2),
    "a_transpose_with_gaps": lambda k, x: k.Conv3DTranspose(2, 2, dilation_rate=2)(x),
    "a_transpose_channels_first": lambda k, x: k.Conv3DTranspose(
        2, 2, data_format="channels_first"
    )(x),
    "groups_that_do_not_fit": lambda k, x: k.Conv3D(3, 2, groups=3)(x),
}


def _tried(attempt: Any) -> Program:
    return lambda tf, np: attempt(tf.keras.layers, tf.constant(_numbers(np, VOLUMES, 1)))


def a_drawn_model_of_volumes(tf: Any, np: Any) -> Any:
    layers = tf.keras.layers
    volume = tf.keras.Input((4, 4, 4, 1))
    x = layers.ZeroPadding3D(1)(volume)
    x = layers.Conv3D(2, 3, activation="relu")(x)
    x = layers.MaxPooling3D(2)(x)
    x = layers.Conv3DTranspose(1, 2, strides=2)(x)
    shapes = [x.shape]
    x = layers.Cropping3D(1)(layers.UpSampling3D(2)(x))
    model = tf.keras.Model(volume, layers.GlobalAveragePooling3D()(x))
    _set_weights(np, model)
    return shapes, x.shape, model(tf.constant(_numbers(np, (2, 4, 4, 4, 1), 2)))


def spatial_dropout3d(tf: Any, np: Any) -> Any:
    """Whole channels are gone, or all of them is there."""
    x = tf.ones([4, 2, 3, 2, 5])
    tf.random.set_seed(1)
    last = tf.keras.layers.SpatialDropout3D(0.5)
    first = tf.keras.layers.SpatialDropout3D(0.5, data_format="channels_first")
    spread = [
        tf.reduce_max(tf.math.reduce_std(layer(x, training=True), axes))
        for layer, axes in ((last, [1, 2, 3]), (first, [2, 3, 4]))
    ]
    return spread, last(x)


def spatial_dropout3d_of_pictures(tf: Any, np: Any) -> Any:
    return tf.keras.layers.SpatialDropout3D(0.5)(tf.ones([2, 3, 4, 1]), training=True)


def a_softmax_of_one_number(tf: Any, np: Any) -> Any:
    return tf.keras.layers.Dense(1, activation="softmax")(tf.ones([2, 3]))


def a_softmax_layer_of_one_number(tf: Any, np: Any) -> Any:
    return tf.keras.layers.Softmax(axis=1)(tf.ones([2, 1, 3]))


def a_softmax_of_one_number_drawn(tf: Any, np: Any) -> Any:
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1, "softmax")])
    return model.output_shape


def softmax_along_no_axis(tf: Any, np: Any) -> Any:
    return tf.keras.activations.softmax(tf.ones([2, 1]), axis=2)


def convolution_of_three_axes_with_gaps(tf: Any, np: Any) -> Any:
    x, w = tf.constant(_numbers(np, VOLUMES, 1)), tf.constant(_numbers(np, (2, 2, 2, 2, 3), 2))
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.convolution(x, w, padding="SAME", dilations=[1, 2, 1])
        loss = tf.reduce_sum(y * y)
    return y, tape.gradient(loss, [x, w])


TABLE: tuple[Case, ...] = tuple(map(_CLOSE, _rows(LAYERS) + table(SECOND)))
TABLE += table({name: _tried(attempt) for name, attempt in REFUSED.items()})

"""Pooling to a size that is asked for: values, gradients, second order, forward mode, and what is refused."""

from typing import Any

from programs.case import table

SHAPES = {1: (2, 7, 2), 2: (1, 7, 4, 2), 3: (1, 5, 3, 4, 1)}


def _numbers(np: Any, shape: Any, seed: int) -> Any:
    return np.random.RandomState(seed).randn(*shape).astype("float32")


def _pooled(kind: str, rank: int, size: Any, first: bool = False) -> Any:
    """Value, gradient, the gradient's own gradient, and the slope along a direction."""

    def run(tf: Any, np: Any) -> Any:
        make = getattr(tf.keras.layers, f"Adaptive{kind}Pooling{rank}D")
        layer = make(size, data_format="channels_first" if first else None)
        x = tf.constant(_numbers(np, SHAPES[rank], rank))
        with tf.autodiff.ForwardAccumulator(x, tf.constant(_numbers(np, SHAPES[rank], 9))) as along:
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = layer(x)
                    loss = tf.reduce_sum(y**3)
                gradient = tape.gradient(loss, x)
            second = outer.gradient(gradient, x)
        return y, gradient, second, along.jvp(y)

    return run


KINDS = ("Average", "Max")
SIZES = {1: (3, 7, 10, (4,)), 2: (2, (3, 4), [5, 3]), 3: (2, (3, 2, 4))}

LAYERS = {
    f"{kind}_{rank}d_to_{size}".replace(" ", ""): _pooled(kind, rank, size)
    for kind in KINDS
    for rank, sizes in SIZES.items()
    for size in sizes
}
FIRST = {
    f"{kind}_{rank}d_of_channels_first": _pooled(kind, rank, 2, first=True)
    for kind in KINDS
    for rank in (1, 2)
}


def _drawn(tf: Any) -> Any:
    ends = [tf.keras.layers.AdaptiveMaxPooling2D((3, 2)), tf.keras.layers.Flatten()]
    model = tf.keras.Sequential([tf.keras.Input((7, 5, 2)), *ends])
    return list(model.output_shape), model(tf.ones([2, 7, 5, 2]))


OTHERS = {
    "one_window": lambda tf, np: tf.keras.layers.AdaptiveAveragePooling1D(1)(
        tf.reshape(tf.range(6.0), [1, 6, 1])
    ),
    "one_row": lambda tf, np: tf.keras.layers.AdaptiveMaxPooling1D(3)(tf.ones([1, 1, 2])),
    "drawn": lambda tf, np: _drawn(tf),
    "of_ties": lambda tf, np: tf.keras.layers.AdaptiveMaxPooling2D(2)(tf.ones([1, 3, 3, 1])),
    "no_number": lambda tf, np: tf.keras.layers.AdaptiveMaxPooling1D("a"),
    "a_fraction": lambda tf, np: tf.keras.layers.AdaptiveMaxPooling1D(1.5),
    "too_many_numbers": lambda tf, np: tf.keras.layers.AdaptiveAveragePooling2D((1, 2, 3)),
    "no_format": lambda tf, np: tf.keras.layers.AdaptiveAveragePooling2D(2, "x"),
    "too_many_axes": lambda tf, np: tf.keras.layers.AdaptiveAveragePooling1D(2)(
        tf.ones([1, 3, 3, 3])
    ),
    "the_numbers_kept": lambda tf, np: tf.keras.layers.AdaptiveAveragePooling1D([2]).output_size,
}

TABLE = table({**LAYERS, **FIRST, **OTHERS})

"""A Sequential that its first call built: what other inputs it takes afterwards."""

from typing import Any

from programs.case import table


def _called(tf: Any, layer: Any, first: Any, then: Any) -> Any:
    model = tf.keras.Sequential([layer])
    before = model(tf.ones(first)).shape
    return [list(before), list(model(tf.ones(then)).shape)]


def _case(kind: str, first: Any, then: Any) -> Any:
    makers = {
        "dense": lambda tf: tf.keras.layers.Dense(2),
        "identity": lambda tf: tf.keras.layers.Identity(),
        "lambda": lambda tf: tf.keras.layers.Lambda(lambda x: x),
    }
    return lambda tf, np: _called(tf, makers[kind](tf), first, then)


_SHAPES = {
    "an_axis_more": ((4, 3), (4, 3, 1)),
    "an_axis_less": ((4, 3, 1), (4, 3)),
    "a_vector_after_a_column": ((4, 1), (4,)),
    "an_axis_more_of_three": ((4, 2, 3), (4, 2, 3, 1)),
    "two_axes_more": ((4, 3), (4, 3, 1, 1)),
    "two_axes_less": ((4, 3, 1, 1), (4, 3)),
    "an_axis_of_two_more": ((4, 3), (4, 3, 2)),
    "one_example_without_its_axis": ((4, 3), (3,)),
    "an_axis_of_one_after_one": ((4, 3, 1), (4, 3, 1, 1)),
    "more_examples": ((4, 3), (7, 3)),
}


def gradient_through_the_axis_that_was_dropped(tf: Any, np: Any) -> Any:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_initializer="ones")])
    model(tf.ones((1, 2)))
    x = tf.constant([[[1.0], [2.0]]])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = model(x) ** 2
        slope = tape.gradient(y, x)
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as forward:
        y = model(x)
    return [slope, outer.gradient(slope, x), forward.jvp(y)]


def longer_sequences(tf: Any, np: Any) -> Any:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    return [list(model(tf.ones((4, n, 3))).shape) for n in (5, 6)]


def whole_numbers_become_floats(tf: Any, np: Any) -> Any:
    model = tf.keras.Sequential([tf.keras.layers.Identity()])
    return [model(tf.constant([[1, 2]])), model(tf.constant([[3, 4]]))]


def whole_numbers_for_an_embedding(tf: Any, np: Any) -> Any:
    model = tf.keras.Sequential([tf.keras.layers.Embedding(3, 2, embeddings_initializer="ones")])
    return model(tf.constant([[1, 2]]))


def a_list_stays_as_it_is(tf: Any, np: Any) -> Any:
    model = tf.keras.Sequential([tf.keras.layers.Add()])
    shapes = ((2, 3), (2, 3, 1))
    return [list(model([tf.ones(shape), tf.ones(shape)]).shape) for shape in shapes]


def another_layer_later(tf: Any, np: Any) -> Any:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    model(tf.ones((4, 3)))
    model.add(tf.keras.layers.Dense(1))
    return list(model(tf.ones((4, 3, 1))).shape)


TABLE = table(
    {
        f"{kind}_{name}": _case(kind, *shapes)
        for kind in ("dense", "identity", "lambda")
        for name, shapes in _SHAPES.items()
    }
)

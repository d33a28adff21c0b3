"""Structures that have to be the same, functions of NumPy, and initializers that are asked twice."""

from collections import OrderedDict, namedtuple
from typing import Any

from programs.case import table

Pair = namedtuple("Pair", "a b")
Other = namedtuple("Other", "a b")

STRUCTURES = {
    "list_and_tuple": ([1], (1,)),
    "list_and_tuple_inside": ([(1,)], [[1]]),
    "of_another_length_too": ([1, 2], (1,)),
    "in_a_dict": ({"a": [1]}, {"a": (1,)}),
    "other_keys": ({"a": 1}, {"b": 1}),
    "fewer_keys": ({"a": 1, "b": 2}, {"a": 1}),
    "two_kinds_of_dict": ({"a": 1}, OrderedDict(a=1)),
    "named_and_plain": (Pair(1, 2), (1, 2)),
    "two_names": (Pair(1, 2), Other(1, 2)),
    "the_same": ([1, {"a": (2,)}], [3, {"a": (4,)}]),
    "leaf_and_list": (1, [1]),
    "none_and_list": (None, []),
    "both_empty": ([], ()),
    "list_and_dict": ([1], {"a": 1, "b": 2}),
}


def _compared(one: Any, other: Any, check_types: bool) -> Any:
    return lambda tf, np: str(tf.nest.assert_same_structure(one, other, check_types))


SAME = {
    f"{name}{'' if check_types else '_of_any_kind'}": _compared(*pair, check_types)
    for name, pair in STRUCTURES.items()
    for check_types in (True, False)
}

MAPPED = {
    "kinds_that_differ": lambda tf, np: tf.nest.map_structure(lambda a, b: a + b, [1], (2,)),
    "kinds_not_asked_for": lambda tf, np: tf.nest.map_structure(
        lambda a, b: a + b, [1], (2,), check_types=False
    ),
    "in_a_scan": lambda tf, np: tf.scan(
        lambda a, x: [a[0] + x], tf.constant([1.0, 2.0]), initializer=(tf.constant(0.0),)
    ),
    "in_a_loop": lambda tf, np: tf.while_loop(
        lambda i, j: i < 3, lambda i, j: [i + 1, (j[0],)], (0, [1])
    ),
    "at_the_top_of_a_loop": lambda tf, np: tf.nest.flatten(
        tf.while_loop(lambda i, j: i < 3, lambda i, j: [i + 1, j], (0, 1))
    ),
    "primals_and_tangents": lambda tf, np: tf.autodiff.ForwardAccumulator(
        [tf.constant(1.0)], (tf.constant(1.0),)
    ),
    "in_a_foldr": lambda tf, np: tf.foldr(
        lambda a, x: (a[0] + x,), tf.constant([1.0, 2.0]), initializer=[tf.constant(0.0)]
    ),
    "labels_that_are_one_number": lambda tf, np: tf.keras.losses.circle(
        tf.constant(1), tf.ones([2, 3])
    ),
    "a_series_that_is_one_number": lambda tf, np: tf.keras.utils.timeseries_dataset_from_array(
        1, None, 2
    ),
    "a_nameless_object": lambda tf, np: tf.keras.utils.get_registered_name(3),
    "a_list_for_a_name": lambda tf, np: tf.keras.utils.get_registered_object([1]),
    "a_whole_number_between_floats": lambda tf, np: tf.random.uniform([2], 0.5, 3.5, tf.int32),
}

KINDS = {
    "a_float": [1.5],
    "an_int": [3],
    "a_bool": [True],
    "floats": [[1.5, 2.0]],
    "a_number_of_numpys": ["float32"],
}


def _of(value: Any) -> Any:
    def run(tf: Any, np: Any) -> Any:
        inp = [np.float32(2.0)] if value == ["float32"] else value
        return tf.numpy_function(lambda x: x, inp, tf.float32)

    return run


GIVEN = {
    **{f"{name}_is_given": _of(value) for name, value in KINDS.items()},
    "a_tensor_is_given": lambda tf, np: tf.numpy_function(
        lambda x: x * 2, [tf.constant(1.5)], tf.float32
    ),
    "a_variable_is_given": lambda tf, np: tf.numpy_function(
        lambda x: x * 2, [tf.Variable(1.5)], tf.float32
    ),
    "always_an_array": lambda tf, np: tf.numpy_function(
        lambda x: isinstance(x, np.ndarray), [1.5], tf.bool
    ),
    "one_in_a_list": lambda tf, np: tf.numpy_function(lambda x: [x], [1.5], [tf.float64]),
    "several_without_a_list": lambda tf, np: tf.numpy_function(lambda x: (x, 1), [1.5], tf.float64),
    "nothing": lambda tf, np: str(tf.numpy_function(lambda x: None, [1.5], [])),
    "no_gradient": lambda tf, np: _slope(tf),
}


def _slope(tf: Any) -> Any:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.numpy_function(lambda x: x * x, [x], tf.float32)
    return tape.gradient(y, x)


def _twice(name: str, **settings: Any) -> Any:
    def run(tf: Any, np: Any) -> Any:
        initializer = getattr(tf.keras.initializers, name)(**settings)
        other = initializer.clone()
        first, again = initializer([3, 3]).numpy(), initializer([3, 3]).numpy()
        return [
            bool((first == again).all()),
            bool((first == other([3, 3]).numpy()).all()),
            str(initializer.get_config()),
        ]

    return run


NAMES = (
    "RandomNormal",
    "RandomUniform",
    "TruncatedNormal",
    "GlorotUniform",
    "HeNormal",
    "Orthogonal",
)

ASKED_TWICE = {
    **{f"{name}_twice": _twice(name) for name in NAMES},
    "with_a_seed_twice": _twice("GlorotUniform", seed=1),
    "with_a_generator": lambda tf, np: _with_a_generator(tf),
    "shared_by_two_layers": lambda tf, np: _shared(tf),
    "both_ways": lambda tf, np: _both_ways(tf),
    "another_layer_like_it": lambda tf, np: _another(tf),
}


def _with_a_generator(tf: Any) -> Any:
    initializer = tf.keras.initializers.RandomNormal(seed=tf.keras.random.SeedGenerator(3))
    return bool((initializer([4]).numpy() == initializer([4]).numpy()).all())


def _dense(tf: Any, initializer: Any) -> Any:
    layer = tf.keras.layers.Dense(3, kernel_initializer=initializer)
    layer.build((None, 2))
    return layer


def _shared(tf: Any) -> Any:
    initializer = tf.keras.initializers.RandomNormal()
    one, other = _dense(tf, initializer), _dense(tf, initializer)
    return bool((one.kernel.numpy() == other.kernel.numpy()).all())


def _both_ways(tf: Any) -> Any:
    lstm = tf.keras.layers.LSTM(2, kernel_initializer=tf.keras.initializers.RandomNormal())
    layer = tf.keras.layers.Bidirectional(lstm)
    layer(tf.ones([1, 2, 3]))
    return bool((layer.weights[0].numpy() == layer.weights[3].numpy()).all())


def _another(tf: Any) -> Any:
    one = _dense(tf, tf.keras.initializers.RandomNormal())
    other = type(one).from_config(one.get_config())
    other.build((None, 2))
    return bool((one.kernel.numpy() == other.kernel.numpy()).all())


TABLE = table({**SAME, **MAPPED, **GIVEN, **ASKED_TWICE})

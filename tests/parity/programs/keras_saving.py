"""Parts of Keras as plain values and back: `serialize`, `deserialize`, registered names, scopes, `clone_model`."""

import warnings
from typing import Any

from programs.case import differs, table


def _again(room: Any, thing: Any) -> Any:
    return room.deserialize(room.serialize(thing))


def layers_again(tf: Any, np: Any) -> Any:
    layers = tf.keras.layers
    made = {
        "Dense": layers.Dense(2, activation="relu", kernel_regularizer="l2"),
        "Dense of a function": layers.Dense(2, tf.keras.activations.tanh),
        "Conv2D": layers.Conv2D(3, 2, padding="same", strides=(2, 1)),
        "LSTM": layers.LSTM(2, return_sequences=True, dropout=0.25),
        "Embedding": layers.Embedding(4, 3),
        "BatchNormalization": layers.BatchNormalization(momentum=0.5),
        "Dropout": layers.Dropout(0.25, seed=3, name="mine"),
        "MultiHeadAttention": layers.MultiHeadAttention(2, 3, name="heads"),
        "Activation": layers.Activation("gelu", name="curve"),
    }
    wanted = {
        "Dense": "units",
        "Dense of a function": "units",
        "Conv2D": "strides",
        "LSTM": "return_sequences",
        "Embedding": "output_dim",
        "BatchNormalization": "momentum",
        "Dropout": "name",
        "MultiHeadAttention": "name",
        "Activation": "name",
    }
    answers = {}
    for name, layer in made.items():
        plain = layers.serialize(layer)
        again = layers.deserialize(plain)
        head = [plain["module"], plain["class_name"], plain["registered_name"]]
        answers[name] = [head, type(again).__name__, getattr(again, wanted[name]), again.built]
    dense = layers.deserialize(layers.serialize(made["Dense"]))
    dense.build((None, 3))
    relu = dense.activation(tf.constant([-1.0, 2.0]))
    return [answers, relu, len(dense.weights), float(dense.kernel_regularizer.l2)]


def layers_around_layers_again(tf: Any, np: Any) -> Any:
    layers = tf.keras.layers
    both = _again(layers, layers.Bidirectional(layers.GRU(2), merge_mode="sum"))
    each = _again(layers, layers.TimeDistributed(layers.Dense(3)))
    cells = _again(layers, layers.RNN([layers.LSTMCell(2), layers.GRUCell(3)]))
    x = tf.ones((2, 4, 3))
    shapes = [list(layer(x).shape) for layer in (both, each, cells)]
    return [both.merge_mode, shapes, [len(layer.weights) for layer in (both, each, cells)]]


def other_parts_again(tf: Any, np: Any) -> Any:
    k = tf.keras
    rate = k.optimizers.schedules.ExponentialDecay(0.5, 10, 0.9)
    adam = _again(k.optimizers, k.optimizers.Adam(rate, beta_1=0.5))
    return [
        k.losses.serialize(k.losses.BinaryCrossentropy(from_logits=True, label_smoothing=0.5))[
            "config"
        ],
        _again(k.losses, k.losses.BinaryCrossentropy(label_smoothing=0.5)).get_config(),
        k.metrics.serialize(k.metrics.Precision(thresholds=0.5, name="p")),
        _again(k.metrics, k.metrics.Precision(thresholds=0.25)).get_config()["thresholds"],
        k.optimizers.serialize(k.optimizers.SGD(0.5, momentum=0.25, name="sgd")),
        [
            adam.beta_1,
            type(adam._learning_rate if hasattr(adam, "_learning_rate") else adam._rate).__name__,
        ],
        k.initializers.serialize(k.initializers.RandomNormal(0.0, 2.0, seed=3)),
        _again(k.initializers, k.initializers.RandomNormal(0.0, 2.0, seed=3)).get_config(),
        k.constraints.serialize(k.constraints.MaxNorm(3)),
        _again(k.constraints, k.constraints.MaxNorm(3)).max_value,
        k.regularizers.serialize(k.regularizers.L1(0.5)),
        float(_again(k.regularizers, k.regularizers.L1(0.5)).l1),
        k.activations.serialize(k.activations.relu),
        k.losses.serialize(k.losses.mse),
    ]


def parts_by_their_names(tf: Any, np: Any) -> Any:
    k = tf.keras
    return [
        type(k.metrics.deserialize("auc")).__name__,
        type(k.initializers.deserialize("zeros")).__name__,
        type(k.constraints.deserialize("max_norm")).__name__,
        k.activations.deserialize("relu") is k.activations.relu,
        k.losses.deserialize({"class_name": "Huber", "config": {"reduction": "sum"}}).reduction,
        float(k.regularizers.deserialize({"class_name": "L2", "config": {"l2": 0.5}}).l2),
        k.initializers.deserialize({"class_name": "Constant", "config": {"value": 3.0}}).value,
    ]


def _own_layer(tf: Any) -> Any:
    class Scaled(tf.keras.layers.Layer):
        def __init__(self, factor: float = 1.0, **settings: Any) -> None:
            super().__init__(**settings)
            self.factor = factor

        def call(self, x: Any) -> Any:
            return x * self.factor

        def get_config(self) -> Any:
            return {**super().get_config(), "factor": self.factor}

    return Scaled


def a_registered_layer(tf: Any, np: Any) -> Any:
    k = tf.keras
    scaled = k.utils.register_keras_serializable(package="mine")(_own_layer(tf))
    plain = k.layers.serialize(scaled(3.0, name="s"))
    again = k.layers.deserialize(plain)
    model = k.Sequential([k.Input((2,)), scaled(2.0), k.layers.Dense(1, kernel_initializer="ones")])
    twin = k.Sequential.from_config(model.get_config())
    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = twin(x)
    return [
        [plain["module"], plain["class_name"], plain["registered_name"]],
        again.factor,
        k.utils.get_registered_name(scaled),
        k.utils.get_registered_object("mine>Scaled") is scaled,
        "mine>Scaled" in k.utils.get_custom_objects(),
        [y, tape.gradient(y, x)],
    ]


def a_registered_function(tf: Any, np: Any) -> Any:
    @tf.keras.utils.register_keras_serializable(name="doubled")
    def twice(x: Any) -> Any:
        return 2.0 * x

    layers = tf.keras.layers
    again = _again(layers, layers.Dense(1, activation=twice, kernel_initializer="ones"))
    return [tf.keras.activations.serialize(twice), again(tf.ones((1, 2)))]


def names_in_a_scope(tf: Any, np: Any) -> Any:
    k = tf.keras
    kind = _own_layer(tf)
    plain = {"class_name": "Own", "config": {"factor": 5.0}}
    with k.utils.custom_object_scope({"Own": kind}):
        inside = k.layers.deserialize(plain).factor
    given = k.layers.deserialize(plain, custom_objects={"Own": kind}).factor
    return [inside, given, k.utils.get_registered_object("Own")]


def a_name_outside_of_its_scope(tf: Any, np: Any) -> Any:
    return tf.keras.layers.deserialize({"class_name": "Own", "config": {}})


def plain_values_stay(tf: Any, np: Any) -> Any:
    utils = tf.keras.utils
    value = {"a": [1, 2.0, "x", None, np.float32(3), np.ones(2), tf.ones(2), (1, 2), tf.float32]}
    plain = utils.serialize_keras_object(value)
    back = utils.deserialize_keras_object(plain)
    return [plain, back["a"][5], back["a"][6], back["a"][:4]]


def a_model_cloned(tf: Any, np: Any) -> Any:
    k = tf.keras
    plain = k.Sequential([k.Input((3,)), k.layers.Dense(2), k.layers.Dense(1)], name="first")
    x = k.Input((3,), name="x")
    shared = k.layers.Dense(3, activation="tanh")
    drawn = k.Model(x, [shared(shared(x)) + 1.0, k.layers.Dense(1)(x)])
    answers = []
    for model in (plain, drawn):
        clone = k.models.clone_model(model)
        clone.set_weights(model.get_weights())
        inputs = tf.constant([[1.0, 2.0, 3.0]])
        same = [
            bool(np.allclose(a, b))
            for a, b in zip(
                tf.nest.flatten(model(inputs)), tf.nest.flatten(clone(inputs)), strict=True
            )
        ]
        apart = {id(w) for w in model.weights} & {id(w) for w in clone.weights}
        with tf.GradientTape() as tape:
            loss = tf.add_n([tf.reduce_sum(y) for y in tf.nest.flatten(clone(inputs))])
        lost = [g is None for g in tape.gradient(loss, clone.weights)]
        crossed = [g is None for g in _slopes(tf, clone, inputs, model.weights)]
        answers.append([same, len(apart), lost, crossed, len(clone.weights)])
    return answers


def _slopes(tf: Any, model: Any, inputs: Any, weights: Any) -> Any:
    with tf.GradientTape() as tape:
        loss = tf.add_n([tf.reduce_sum(y) for y in tf.nest.flatten(model(inputs))])
    return tape.gradient(loss, weights)


def a_model_cloned_with_other_layers(tf: Any, np: Any) -> Any:
    k = tf.keras
    model = k.Sequential([k.Input((3,)), k.layers.Dense(2), k.layers.Dense(1)])
    clone = k.models.clone_model(
        model, clone_function=lambda layer: k.layers.Dense(layer.units + 1)
    )
    return [list(w.shape) for w in clone.weights]


def _own_model(tf: Any) -> Any:
    class Mine(tf.keras.Model):
        def __init__(self, units: int = 1, **settings: Any) -> None:
            super().__init__(**settings)
            self.units = units
            self.dense = tf.keras.layers.Dense(units)

        def call(self, x: Any) -> Any:
            return self.dense(x)

        def get_config(self) -> Any:
            return {**super().get_config(), "units": self.units}

    return Mine


def a_model_of_its_own_class_is_made_anew(tf: Any, np: Any) -> Any:
    clone = tf.keras.models.clone_model(_own_model(tf)(3))
    return [type(clone).__name__, list(clone(tf.ones((2, 2))).shape)]


def a_model_of_its_own_class_with_a_clone_function(tf: Any, np: Any) -> Any:
    return tf.keras.models.clone_model(_own_model(tf)(3), clone_function=lambda layer: layer)


@differs("a lambda has no name by which it could be found again", raises="TypeError")
def a_lambda(tf: Any, np: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tf.keras.utils.serialize_keras_object(lambda x: x)["class_name"]


TABLE = table(
    {
        "unknown_layer": lambda tf, np: tf.keras.layers.deserialize(
            {"class_name": "Nope", "config": {}}
        ),
        "layer_of_a_name": lambda tf, np: tf.keras.layers.deserialize("Dense"),
        "layer_of_a_number": lambda tf, np: tf.keras.layers.deserialize(5),
        "layer_of_none": lambda tf, np: tf.keras.layers.deserialize(None),
        "object_without_config": lambda tf, np: tf.keras.utils.serialize_keras_object(object()),
        "registering_without_config": lambda tf, np: tf.keras.utils.register_keras_serializable()(
            type("Bare", (), {})
        ),
    }
)

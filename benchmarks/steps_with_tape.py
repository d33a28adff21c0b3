"""The steps in TensorFlow's API: the same code runs on TensorFlow and on minitape."""

from collections.abc import Callable
from typing import Any

import with_tape
from with_tape import load

Run = Callable[[], list[Any]]


def cast(given: Any) -> Run:
    tf = with_tape.tf
    x = tf.constant(given.x)
    return lambda: [tf.cast(x, tf.float64)]


def network(given: Any) -> Run:
    tf = with_tape.tf
    x, labels = tf.constant(given.x), tf.constant(given.labels)
    weights = w1, b1, w2, b2 = [tf.Variable(weight) for weight in given.weights]

    def run() -> list[Any]:
        with tf.GradientTape() as tape:
            logits = tf.nn.relu(x @ w1 + b1) @ w2 + b2
            losses = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            loss = tf.reduce_mean(losses)
        return list(tape.gradient(loss, weights))

    return run


# --- Keras: a step of a custom training loop ---


def _step(given: Any, *layers: Any) -> Run:
    tf = with_tape.tf
    model, optimizer = tf.keras.Sequential(layers), tf.keras.optimizers.Adam()
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    x, labels = tf.constant(given.x), tf.constant(given.labels)

    def run() -> list[Any]:
        with tf.GradientTape() as tape:
            loss = loss_of(labels, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return [loss]

    return run


def _dense_layers() -> list[Any]:
    layers = with_tape.tf.keras.layers
    return [layers.Dense(128, activation="relu"), layers.Dense(10)]


def dense(given: Any) -> Run:
    return _step(given, *_dense_layers())


def pictures(given: Any) -> Run:
    layers = with_tape.tf.keras.layers
    return _step(
        given,
        layers.Conv2D(8, 3, activation="relu"),
        layers.BatchNormalization(),
        layers.MaxPooling2D(),
        layers.Dropout(0.5),
        layers.Flatten(),
        layers.Dense(10),
    )


def words(given: Any) -> Run:
    layers = with_tape.tf.keras.layers
    return _step(given, layers.Embedding(50, 8), layers.LSTM(16), layers.Dense(10))


def attention(given: Any) -> Run:
    tf = with_tape.tf
    layer, x = tf.keras.layers.MultiHeadAttention(2, 4), tf.constant(given.x)
    return lambda: [layer(x, x)]


# --- Keras: `fit`, `evaluate`, `predict` ---


def _compiled() -> Any:
    tf = with_tape.tf
    model = tf.keras.Sequential(_dense_layers())
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("adam", loss, metrics=["accuracy"])
    return model


def fit(given: Any) -> Run:
    model = _compiled()

    def run() -> list[Any]:
        model.fit(given.x, given.labels, batch_size=32, verbose=0)
        return []

    return run


def evaluate(given: Any) -> Run:
    model = _compiled()

    def run() -> list[Any]:
        model.evaluate(given.x, given.labels, verbose=0)
        return []

    return run


def predict(given: Any) -> Run:
    model = _compiled()
    return lambda: [model.predict(given.x, verbose=0)]


# --- data pipelines ---


def _scaled(image: Any, label: Any) -> Any:
    tf = with_tape.tf
    return tf.cast(image, tf.float32) / 255.0, label


def _passed_over(make: Callable[[Any], Any], given: Any) -> Run:
    data = make(with_tape.tf.data.Dataset.from_tensor_slices((given.x, given.labels)))

    def run() -> list[Any]:
        for _ in data:
            pass
        return []

    return run


def pipeline(given: Any) -> Run:
    return _passed_over(lambda data: data.map(_scaled).shuffle(1000).batch(32), given)


def pipeline_of_batches(given: Any) -> Run:
    return _passed_over(lambda data: data.batch(32).map(_scaled), given)


__all__ = ["load"]

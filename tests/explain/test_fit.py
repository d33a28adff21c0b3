"""For mistakes inside a model that `fit` trains, only the user's lines are shown, and no line of Keras."""

from pathlib import Path

import pytest
from traced import Traced, traced

START = """
from minitape import keras

x = np.linspace(-1.0, 1.0, 48, dtype="float32").reshape(16, 3)
y = (x.sum(axis=1, keepdims=True) > 0).astype("float32")
"""

A_LOSS_THAT_COUNTS = (
    START
    + """
def f1_loss(y_true, y_pred):
    said = tf.cast(y_pred > 0.5, tf.float32)
    hits = tf.reduce_sum(said * y_true)
    return 1.0 - 2.0 * hits / (tf.reduce_sum(said) + tf.reduce_sum(y_true) + 1e-7)

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", f1_loss)
model.fit(x, y, epochs=2, verbose=0)
"""
)

A_DETOUR_IN_CALL = (
    START
    + """
class Detour(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = keras.layers.Dense(4, activation="tanh")
        self.last = keras.layers.Dense(1)

    def call(self, x):
        h = self.first(x)
        return self.last(tf.constant(np.maximum(h.numpy(), 0.1)))

model = Detour()
model.compile("sgd", "mse", run_eagerly=True)
model.fit(x, y, epochs=2, batch_size=8, verbose=0)
"""
)

A_STEP_THAT_ROUNDS = (
    START
    + """
class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.out = keras.layers.Dense(1)

    def call(self, x):
        return self.out(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.round(self(x, training=True)) - y))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}

model = Own()
model.compile("sgd")
model.fit(x, y, verbose=0)
"""
)

HEALTHY = (
    START
    + """
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4, "tanh"), keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["mae"])
model.fit(x, y, epochs=2, verbose=0, validation_split=0.25)
model.evaluate(x, y, verbose=0)
model.predict(x, verbose=0)
"""
)


def line_of(program: str, text: str) -> int:
    lines = program.lstrip("\n").splitlines()
    return 1 + next(i for i, line in enumerate(lines) if text in line)


def shows_keras(reported: Traced) -> bool:
    """Whether any event is in a file of Keras. (The text of this file is among the sources.)"""
    return any(
        "keras/training" in str(event) for event in reported.received if event["k"] != "source"
    )


def test_loss_that_counts(tmp_path: Path) -> None:
    reported = traced(A_LOSS_THAT_COUNTS, tmp_path)
    assert reported.found() == [("non-differentiable-op", line_of(A_LOSS_THAT_COUNTS, "said = tf"))]
    assert reported.reported("gradient")[0]["target_name"] == "the loss"
    assert not shows_keras(reported)


@pytest.mark.filterwarnings("ignore:Gradients do not exist")
def test_numpy_detour_in_call(tmp_path: Path) -> None:
    reported = traced(A_DETOUR_IN_CALL, tmp_path)
    assert reported.found() == [("numpy-roundtrip", line_of(A_DETOUR_IN_CALL, "h.numpy()"))]
    assert reported.source(2).findings == (), "what comes after the detour is trained"
    assert not shows_keras(reported)


def test_train_step_that_rounds(tmp_path: Path) -> None:
    reported = traced(A_STEP_THAT_ROUNDS, tmp_path)
    assert reported.found() == [("non-differentiable-op", line_of(A_STEP_THAT_ROUNDS, "tf.round"))]
    assert reported.reported("gradient")[0]["target_name"] == "loss"


def test_healthy_fit_has_no_finding(tmp_path: Path) -> None:
    reported = traced(HEALTHY, tmp_path)
    assert all(not source.findings for call in reported.report.calls for source in call.sources)
    assert len(reported.report.calls) == 2, (
        "one batch in each epoch; evaluate and predict ask for none"
    )

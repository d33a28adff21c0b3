"""`KerasCallback` in `fit`."""

import sys
from collections.abc import Iterator
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

from minitape import debug, errors
from minitape.debug.queries import recordings
from minitape.explain.explain import explain
from minitape.trace.events import ExportEvent

_IS_KERAS_2 = keras.__version__.startswith("2.")
_FIRST = "first" if _IS_KERAS_2 else "noting/first"  # Keras 2 omits the name of the model


@pytest.fixture(autouse=True)
def no_tracer_is_active_afterwards() -> Iterator[None]:
    yield
    assert recordings() == []
    assert not tf.config.functions_run_eagerly()


class Rounded(keras.layers.Layer):
    def call(self, x: Any) -> Any:
        return tf.round(x)


class Steps(keras.callbacks.Callback):
    """Records for each batch whether Keras' step ran op by op."""

    def __init__(self) -> None:
        super().__init__()
        self.were_eager: list[bool] = []


def model_of(*layers: Any, loss: Any = "mse", steps: Steps | None = None, **more: Any) -> Any:
    """A model of these layers, which records in `steps` how each of its steps ran."""

    class Noting(keras.Sequential):
        def train_step(self, data: Any) -> Any:
            if steps is not None:
                steps.were_eager.append(tf.executing_eagerly())
            return super().train_step(data)

    model = Noting([keras.Input([3]), *layers])
    model.compile("sgd", loss, **more)
    return model


def data(batches: int) -> tuple[Any, Any]:
    x = np.linspace(0.0, 1.0, batches * 4 * 3, dtype="float32").reshape(-1, 3)
    return x, x.sum(1, keepdims=True)


def fitted(model: Any, callback: Any, batches: int = 5, **more: Any) -> Any:
    x, y = data(batches)
    return model.fit(x, y, batch_size=4, verbose=0, shuffle=False, callbacks=[callback], **more)


@pytest.mark.filterwarnings("ignore:Gradients do not exist")  # Keras' own warning, without a line
def test_weights_without_gradient_are_reported_once_with_line_and_fix() -> None:
    said: list[str] = []
    callback = debug.KerasCallback(out=said.append)
    first = keras.layers.Dense(2, name="first", bias_initializer="ones")  # the bias is not zero
    fitted(model_of(first, Rounded(), keras.layers.Dense(1)), callback, epochs=2)
    (reported,) = said
    kernel, bias = (f"`{_FIRST}/{name}`" for name in ("kernel", "bias"))
    assert f"with respect to {kernel} and {bias} is None, in 2 of 2" in reported
    assert reported.startswith(
        "minitape: 2 of 4 weights have a None, zero, NaN or incomplete gradient in the first 2 batches.\n"
    )
    assert "fitting.py:" in reported
    assert (
        "try : use a straight-through estimator: `x + tf.stop_gradient(tf.round(x) - x)`"
        in reported
    )
    assert "more: minitape explain MT203" in reported
    assert not callback.answer.ok


def test_step_is_compiled_once_after_the_traced_batches() -> None:
    """The step's Python code runs for each traced batch, once more when the graph is created, and never again."""
    steps = Steps()
    fitted(model_of(keras.layers.Dense(1), steps=steps), debug.KerasCallback(batches=3), epochs=3)
    assert steps.were_eager == [True, True, True, False]


def test_callback_does_not_change_the_trained_weights() -> None:
    weights = []
    for callback in (debug.KerasCallback(out=lambda _: None), Steps()):
        keras.utils.set_random_seed(7)
        model = model_of(keras.layers.Dense(4, activation="tanh"), keras.layers.Dense(1))
        fitted(model, callback, epochs=2)
        weights.append(model.get_weights())
    for received, plain in zip(*weights, strict=True):
        np.testing.assert_allclose(received, plain, rtol=1e-5)  # a graph may sum in another order


def test_healthy_weights_are_counted() -> None:
    said: list[str] = []
    callback = debug.KerasCallback(out=said.append)
    model = model_of(keras.layers.Dense(2), keras.layers.Dense(1))
    fitted(model, callback)
    assert said == ["minitape: all 4 weights have a gradient in the first 2 batches."]
    assert callback.answer.ok
    fitted(model, callback)
    assert len(said) == 1


def test_report_with_too_few_batches_comes_at_the_end() -> None:
    said: list[str] = []
    fitted(model_of(keras.layers.Dense(1)), debug.KerasCallback(out=said.append), batches=1)
    assert said == ["minitape: all 2 weights have a gradient in the first batch."]


def test_several_steps_per_execution_are_all_traced() -> None:
    said: list[str] = []
    model = model_of(keras.layers.Dense(1), steps_per_execution=5)
    fitted(model, debug.KerasCallback(out=said.append), batches=10)
    assert said == ["minitape: all 2 weights have a gradient in the first 5 batches."]


def test_step_that_raises_for_missing_gradients_is_explained_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Keras says that no gradients were provided, but not why."""
    model = model_of(keras.layers.Dense(1), loss=lambda y, p: tf.reduce_mean(y - tf.round(p)))
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        fitted(model, debug.KerasCallback())
    reported = capsys.readouterr().out
    assert (
        "minitape: 2 of 2 weights have a None, zero, NaN or incomplete gradient in the first batch."
        in reported
    )
    assert "minitape explain MT203" in reported


def test_step_that_raises_for_another_reason_ends_the_tracing() -> None:
    said: list[str] = []
    callback = debug.KerasCallback(out=said.append)
    model = model_of(keras.layers.Dense(1), loss=lambda y, p: 1 / 0)
    # Keras 2 converts the loss with AutoGraph, whose error contains the original one as text.
    with pytest.raises(Exception, match="division by zero") as raised:
        fitted(model, callback)
    assert _IS_KERAS_2 or raised.type is ZeroDivisionError
    assert said == []
    model.compile("sgd", "mse")
    fitted(model, callback)
    assert len(said) == 1


def test_custom_train_step_is_traced() -> None:
    """The NumPy conversion works op by op, but would fail in a graph."""

    class Own(keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.dense = keras.layers.Dense(1)

        def call(self, x: Any) -> Any:
            return self.dense(x)

        def train_step(self, data: Any) -> Any:
            x, y = data
            with tf.GradientTape() as tape:
                guess = self(x)
                cost = tf.reduce_mean(tf.constant(np.square(guess - y)))
            derivatives = tape.gradient(cost, self.trainable_weights)
            pairs = [
                (derivative, w)
                for derivative, w in zip(derivatives, self.trainable_weights)
                if derivative is not None
            ]
            if pairs:
                self.optimizer.apply_gradients(pairs)
            return {"cost": cost}

    said: list[str] = []
    model = Own()
    model.compile("sgd")
    fitted(model, debug.KerasCallback(out=said.append), batches=2)
    (reported,) = said
    assert (
        "2 of 2 weights have a None, zero, NaN or incomplete gradient in the first 2 batches"
        in reported
    )
    assert "the gradient of `cost` with respect to" in reported
    assert "`np.square` is a NumPy function" in reported


def test_two_callbacks_report_once_each() -> None:
    """Each wraps the train step, and removes its wrapper."""
    said: list[str] = []
    both = [debug.KerasCallback(out=said.append), debug.KerasCallback(batches=1, out=said.append)]
    x, y = data(5)
    model = model_of(keras.layers.Dense(1))
    for callbacks in (both, both[::-1]):
        model.fit(x, y, batch_size=4, verbose=0, callbacks=callbacks)
    assert [each[-16:] for each in said] == ["the first batch.", "first 2 batches."]


def test_active_recording_continues() -> None:
    said: list[str] = []
    with debug.record() as recording:
        fitted(model_of(keras.layers.Dense(1)), debug.KerasCallback(out=said.append), batches=4)
    assert len(said) == 1
    assert len(recording.why().report.calls) == 4


def test_zero_batches_are_refused() -> None:
    with pytest.raises(errors.TapeValueError, match="0 batches"):
        debug.KerasCallback(batches=0)


def test_other_backend_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keras.backend, "backend", lambda: "jax")
    monkeypatch.delitem(sys.modules, "minitape.debug.keras_callback")
    with pytest.raises(errors.TapeRuntimeError, match=r'runs on jax here(.|\n)*"KERAS_BACKEND"'):
        debug.KerasCallback()


# --- numbers that its methods return ---


def compiled() -> Any:
    return model_of(keras.layers.Dense(1), run_eagerly=True)


@pytest.mark.parametrize(
    ("method", "settings", "cause"),
    [
        ("predict", {"verbose": 0}, "keras-predict"),
        ("predict_on_batch", {}, "keras-predict"),
        ("evaluate", {"verbose": 0}, "keras-evaluate"),
        ("train_on_batch", {}, "keras-evaluate"),
        ("test_on_batch", {}, "keras-evaluate"),
    ],
)
def test_keras_results_leave_the_tape_at_the_call_in_the_program(
    method: str, settings: dict[str, Any], cause: str
) -> None:
    """Conversions inside of Keras are attributed to this call; other conversions by a library are not reported."""
    x, y = data(1)
    given = (x,) if "predict" in method else (x, y)
    with debug.record() as recording:
        model = compiled()
        with tf.GradientTape() as tape:
            numbers = getattr(model, method)(*given, **settings)
            loss = tf.reduce_sum(tf.convert_to_tensor(numbers) ** 2)
        assert tape.gradient(loss, model.trainable_variables) == [None, None]
    requested = explain(recording.trace).calls[-1]
    assert [[each.slug for each in source.findings] for source in requested.sources] == [
        [cause]
    ] * 2
    vias = [each.via for each in recording.trace.of(ExportEvent)]
    assert vias == [f"Model.{method}"]


def test_predict_result_is_attributed_to_its_input_tensor() -> None:
    model, x = compiled(), tf.constant(data(1)[0])
    with debug.record() as recording:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.constant(model.predict(x, verbose=0)))
        assert tape.gradient(y, x) is None
    (finding,) = explain(recording.trace).calls[-1].sources[0].findings
    assert finding.slug == "keras-predict"
    assert "training=False" in finding.fix


def test_conversions_inside_fit_are_not_exits() -> None:
    """`fit` evaluates too, for validation: the program did not request these conversions."""
    model, (x, y) = compiled(), data(2)
    with debug.record() as recording:
        model.fit(x, y, batch_size=4, verbose=0, validation_data=(x, y))
    assert list(recording.trace.of(ExportEvent)) == []

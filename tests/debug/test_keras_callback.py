"""`KerasCallback` in minitape's own `fit`. How it traces TensorFlow is tested in tests/on_tensorflow/inside."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape import debug, keras
from minitape.debug.queries import recordings


@pytest.fixture(autouse=True)
def tracer_is_disconnected_afterwards() -> Iterator[None]:
    yield
    assert recordings() == []


class Rounded(keras.layers.Layer):
    def call(self, x: Any) -> Any:
        return tf.round(x)


def fitted(callback: Any, *layers: Any, loss: Any = "mse", batches: int = 5) -> keras.Model:
    model = keras.Sequential([keras.Input((3,)), *layers])
    model.compile("sgd", loss)
    x = np.linspace(0.0, 1.0, batches * 4 * 3, dtype="float32").reshape(-1, 3)
    y = x.sum(axis=1, keepdims=True)
    model.fit(x, y, batch_size=4, verbose=0, shuffle=False, callbacks=[callback], epochs=2)
    return model


@pytest.mark.filterwarnings("ignore:Gradients do not exist")
def test_weights_without_a_gradient_are_reported_once_with_line_and_fix() -> None:
    said: list[str] = []
    callback = debug.KerasCallback(out=said.append)
    first = keras.layers.Dense(2, name="first", bias_initializer="ones")
    fitted(callback, first, Rounded(), keras.layers.Dense(1))
    (reported,) = said
    assert reported.startswith(
        "minitape: 2 of 4 weights have a None, zero, NaN or incomplete gradient in the first 2 batches.\n"
    )
    assert "first/kernel" in reported
    assert "the gradient of the loss" in reported
    assert "test_keras_callback.py:" in reported
    assert "minitape explain MT203" in reported
    assert not callback.answer.ok


def test_healthy_weights_are_counted_and_trained_as_without_the_callback() -> None:
    said: list[str] = []
    weights = []
    for callback in (debug.KerasCallback(out=said.append), keras.callbacks.Callback()):
        keras.utils.set_random_seed(7)
        weights.append(fitted(callback, keras.layers.Dense(2), keras.layers.Dense(1)).get_weights())
    assert said == ["minitape: all 4 weights have a gradient in the first 2 batches."]
    for received, plain in zip(*weights, strict=True):
        np.testing.assert_array_equal(received, plain)


def test_step_that_raises_without_gradients_is_explained_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        fitted(
            debug.KerasCallback(),
            keras.layers.Dense(1),
            loss=lambda y, p: tf.reduce_mean(y - tf.round(p)),
        )
    assert (
        "2 of 2 weights have a None, zero, NaN or incomplete gradient in the first batch"
        in capsys.readouterr().out
    )

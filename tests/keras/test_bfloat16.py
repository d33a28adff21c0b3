"""Layers and optimizers in bfloat16, and the errors for mixed-precision policies."""

from typing import Any

import pytest

import minitape as tf

keras = tf.keras


@pytest.mark.parametrize(
    "layer",
    [
        lambda: keras.layers.Dense(2, activation="gelu", dtype="bfloat16"),
        lambda: keras.layers.LayerNormalization(dtype="bfloat16"),
        lambda: keras.layers.BatchNormalization(dtype="bfloat16"),
        lambda: keras.layers.Dropout(0.5, dtype="bfloat16"),
        lambda: keras.layers.Softmax(dtype="bfloat16"),
    ],
)
def test_bfloat16_layer_computes_in_bfloat16(layer: Any) -> None:
    made, x = layer(), tf.constant([[1.0, 2.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = made(x, training=True)
    assert y.dtype == tf.bfloat16
    assert tape.gradient(y, x).dtype == tf.float32
    assert {weight.dtype for weight in made.weights} <= {tf.bfloat16}


@pytest.mark.parametrize("kind", ["SGD", "RMSprop", "Adagrad"])
def test_optimizer_updates_bfloat16_weights(kind: str) -> None:
    v = tf.Variable([1.0, 2.0], dtype=tf.bfloat16)
    optimizer = getattr(keras.optimizers, kind)(0.5)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(v * v)
    optimizer.apply_gradients([(tape.gradient(loss, v), v)])
    assert v.dtype == tf.bfloat16
    assert (v.numpy() < [1.0, 2.0]).all()


def test_adam_does_not_move_in_bfloat16() -> None:
    """As in Keras: 0.999 is 1 in bfloat16, so the squared gradients are never accumulated."""
    v = tf.Variable([1.0, 2.0], dtype=tf.bfloat16)
    keras.optimizers.Adam(0.5).apply_gradients([(tf.constant([2.0, 4.0], tf.bfloat16), v)])
    assert v.numpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_error_for_mixed_policy_says_what_to_write(policy: str) -> None:
    with pytest.raises(tf.errors.UnimplementedError, match=f'try : pass `dtype="{policy[6:]}"`'):
        keras.layers.Dense(2, dtype=policy)


def test_unknown_policy_raises_value_error() -> None:
    with pytest.raises(ValueError, match="mixed_foo"):
        keras.layers.Dense(2, dtype="mixed_foo")


def test_error_for_loss_scale_optimizer_says_what_to_do_instead() -> None:
    with pytest.raises(AttributeError, match=r"`optimizer\.scale_loss\(loss\)` inside the tape"):
        keras.optimizers.LossScaleOptimizer  # noqa: B018  # the look-up is what raises

"""Losses: values and gradients as computed by Keras 3.15 on TensorFlow 2.21."""

from typing import Any

import numpy as np
import pytest

import minitape as tf

losses = tf.keras.losses
TRUE, PREDICTED = [[0.0, 1.0], [1.0, 0.0]], [[0.2, 0.8], [0.6, 0.4]]


@pytest.mark.parametrize(
    ("loss", "true", "expected"),
    [
        (losses.MeanSquaredError(), TRUE, 0.1),
        (losses.MeanAbsoluteError(), TRUE, 0.3),
        (losses.Huber(), TRUE, 0.05),
        (losses.BinaryCrossentropy(), TRUE, 0.36698455),
        (losses.BinaryCrossentropy(from_logits=True), TRUE, 0.6299357),
        (losses.CategoricalCrossentropy(), TRUE, 0.36698455),
        (losses.CategoricalCrossentropy(from_logits=True), TRUE, 0.51781344),
        (losses.CategoricalCrossentropy(label_smoothing=0.1), TRUE, 0.41177854),
        (losses.SparseCategoricalCrossentropy(), [1, 0], 0.36698455),
        (losses.SparseCategoricalCrossentropy(from_logits=True), [1, 0], 0.51781344),
        (losses.MeanSquaredError(reduction="sum"), TRUE, 0.2),
        (losses.MeanSquaredError(reduction=None), TRUE, [0.04, 0.16]),
    ],
)
def test_loss_equals_keras(loss: Any, true: Any, expected: Any) -> None:
    np.testing.assert_allclose(loss(tf.constant(true), tf.constant(PREDICTED)), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("loss", "true", "predicted", "derivatives"),
    [
        (losses.BinaryCrossentropy(), [[1.0], [0.0]], [[0.0], [1.0]], [[0.0], [0.0]]),
        (
            losses.SparseCategoricalCrossentropy(),
            [0, 1],
            [[0.0, 1.0], [0.5, 0.5]],
            [[0, 0], [0.5, -0.5]],
        ),
        (
            losses.SparseCategoricalCrossentropy(),
            [0, 1],
            [[0.2, 0.7], [0.3, 0.5]],
            [[-1.944444, 0.555556], [0.625, -0.375]],
        ),
    ],
)
def test_gradient_beyond_the_range_of_probabilities_is_zero(
    loss: Any, true: Any, predicted: Any, derivatives: Any
) -> None:
    x = tf.Variable(predicted)
    with tf.GradientTape() as tape:
        value = loss(tf.constant(true), x)
    np.testing.assert_allclose(tape.gradient(value, x), derivatives, atol=1e-6)


def test_last_axis_of_size_1_is_dropped_if_the_other_has_none() -> None:
    """Otherwise, [n, 1] and [n] would broadcast to [n, n], unnoticed."""
    assert (
        float(losses.MeanSquaredError()(tf.constant([[1.0], [0.0]]), tf.constant([0.5, 0.5])))
        == 0.25
    )


def test_sample_weights() -> None:
    weighted = losses.MeanSquaredError()(
        tf.constant(TRUE), tf.constant(PREDICTED), sample_weight=[1.0, 0.0]
    )
    np.testing.assert_allclose(weighted, 0.02, rtol=1e-6)


def test_loss_functions_return_one_number_for_each_example() -> None:
    np.testing.assert_allclose(losses.mse(TRUE, tf.constant(PREDICTED)), [0.04, 0.16], rtol=1e-6)
    assert tuple(losses.sparse_categorical_crossentropy([1, 0], tf.constant(PREDICTED)).shape) == (
        2,
    )


def test_unknown_reduction_raises() -> None:
    with pytest.raises(ValueError, match="average"):
        losses.MeanSquaredError(reduction="average")

"""Metrics: they accumulate over batches, and no tape records them."""

import numpy as np
import pytest

import minitape as tf

metrics = tf.keras.metrics


def test_mean_accumulates_over_batches_until_reset() -> None:
    mean = metrics.Mean()
    mean.update_state([1.0, 2.0])
    mean.update_state(6.0)
    assert float(mean.result()) == 3.0
    mean.reset_state()
    assert float(mean.result()) == 0.0


def test_batch_is_weighted_by_its_number_of_examples() -> None:
    """Not the mean of the means: one example of three was wrong."""
    accuracy = metrics.SparseCategoricalAccuracy()
    accuracy([0, 1], [[0.9, 0.1], [0.2, 0.8]])
    assert float(accuracy([0], [[0.4, 0.6]])) == pytest.approx(2 / 3)


def test_sample_weight_applies_to_all_numbers_of_the_example() -> None:
    assert float(metrics.Mean()([[1.0, 3.0], [10.0, 20.0]], sample_weight=[1.0, 0.0])) == 2.0


def test_custom_metric() -> None:
    class Largest(metrics.Metric):
        def __init__(self) -> None:
            super().__init__(name="largest")
            self.most = self.add_weight(name="most", initializer="zeros")

        def update_state(self, values: object) -> None:
            self.most.assign(tf.maximum(self.most, tf.reduce_max(values)))

        def result(self) -> object:
            return self.most.read_value()

    largest = Largest()
    largest([1.0, 5.0])
    assert float(largest([2.0])) == 5.0
    assert [variable.path for variable in largest.variables] == ["largest/most"]


def test_metric_has_gradient_none() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = metrics.Mean()(x * x)
    assert tape.gradient(y, x) is None
    np.testing.assert_allclose(y, 2.5)


def test_auc_without_negatives_is_zero() -> None:
    """Without negative labels there are no false positives: Keras uses 0 as their rate."""
    metric = tf.keras.metrics.AUC()
    metric.update_state([1.0, 1.0], [0.2, 0.8])
    assert float(metric.result()) == 0.0

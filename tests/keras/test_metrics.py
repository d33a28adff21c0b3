"""Metrics: they add up over batches, and stay off the tape."""

import numpy as np
import pytest

import minitape as tf

metrics = tf.keras.metrics


def test_a_mean_goes_on_over_batches_and_begins_anew() -> None:
    mean = metrics.Mean()
    mean.update_state([1.0, 2.0])
    mean.update_state(6.0)
    assert float(mean.result()) == 3.0
    mean.reset_state()
    assert float(mean.result()) == 0.0


def test_a_batch_counts_by_its_examples() -> None:
    """Not the mean of the means: one example of three was wrong."""
    accuracy = metrics.SparseCategoricalAccuracy()
    accuracy([0, 1], [[0.9, 0.1], [0.2, 0.8]])
    assert float(accuracy([0], [[0.4, 0.6]])) == pytest.approx(2 / 3)


def test_a_weight_of_an_example_counts_for_all_its_numbers() -> None:
    assert float(metrics.Mean()([[1.0, 3.0], [10.0, 20.0]], sample_weight=[1.0, 0.0])) == 2.0


def test_a_metric_of_ones_own() -> None:
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


def test_a_tape_does_not_follow_a_metric() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = metrics.Mean()(x * x)
    assert tape.gradient(y, x) is None
    np.testing.assert_allclose(y, 2.5)


def test_a_curve_over_nothing_has_no_area() -> None:
    """Without a single no, none is wrongly found: Keras takes the share for 0."""
    metric = tf.keras.metrics.AUC()
    metric.update_state([1.0, 1.0], [0.2, 0.8])
    assert float(metric.result()) == 0.0

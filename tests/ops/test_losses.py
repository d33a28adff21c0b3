"""Losses: prediction minus label, over the whole range of logits, and errors that name the function to use instead."""

import numpy as np
import pytest
from slopes import gradient

import minitape as tf

SIGMOID = tf.nn.sigmoid_cross_entropy_with_logits
SOFTMAX = tf.nn.softmax_cross_entropy_with_logits
SPARSE = tf.nn.sparse_softmax_cross_entropy_with_logits


def test_l2_loss_is_half_the_squared_norm() -> None:
    assert tf.nn.l2_loss([3.0, 4.0]).numpy() == 12.5
    np.testing.assert_array_equal(gradient(tf.nn.l2_loss, [3.0, 4.0]), [3.0, 4.0])


def test_gradient_for_logits_is_prediction_minus_label() -> None:
    """At logit 0 the sigmoid is 1/2; for four equal logits each class has probability 1/4."""
    by_logit = gradient(lambda x: SIGMOID(labels=tf.ones_like(x), logits=x), [0.0])
    np.testing.assert_array_equal(by_logit, [-0.5])
    labels = tf.constant([[0.0, 1.0, 0.0, 0.0]], tf.float64)
    by_logits = gradient(lambda x: SOFTMAX(labels=labels, logits=x), [[2.0] * 4])
    np.testing.assert_array_equal(by_logits, [[0.25, -0.75, 0.25, 0.25]])
    by_class = gradient(lambda x: SPARSE(labels=[1], logits=x), [[2.0] * 4])
    np.testing.assert_array_equal(by_class, by_logits)


def test_gradient_for_labels() -> None:
    """The loss is -Σ labels·log softmax, so the derivative is log 2 for each of two equal classes."""
    by_labels, _ = gradient(lambda z, x: SOFTMAX(labels=z, logits=x), [1.0, 0.0], [5.0, 5.0])
    np.testing.assert_allclose(by_labels, [np.log(2)] * 2)


def test_large_logits_do_not_overflow() -> None:
    assert SIGMOID(labels=[0.0, 1.0], logits=[800.0, 800.0]).numpy().tolist() == [800.0, 0.0]
    assert SPARSE(labels=[0, 1], logits=[[0.0, 800.0]] * 2).numpy().tolist() == [800.0, 0.0]


def test_class_of_probability_zero_is_infinite_loss_only_as_label() -> None:
    assert SPARSE(labels=[1, 0], logits=[[-np.inf, 1.0]] * 2).numpy().tolist() == [0.0, np.inf]


def test_classes_may_be_along_any_axis() -> None:
    logits, labels = (
        np.arange(6.0).reshape(3, 2) ** 2,
        np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]),
    )
    first = SOFTMAX(labels=labels, logits=logits, axis=0)
    np.testing.assert_allclose(first.numpy(), SOFTMAX(labels=labels.T, logits=logits.T).numpy())


def test_batch_and_single_example() -> None:
    assert SPARSE(labels=1, logits=[1.0, 2.0]).shape == []
    assert SPARSE(labels=[[1, 0]], logits=[[[1.0, 2.0], [3.0, 4.0]]]).shape == [1, 2]


def test_float16_is_computed_in_float32() -> None:
    loss = SPARSE(labels=[0], logits=tf.constant([[1.0, 2.0]], tf.float16))
    assert loss.dtype == tf.float16
    assert (
        SOFTMAX(labels=[[1, 0]], logits=tf.constant([[1.0, 2.0]], tf.float16)).dtype == tf.float16
    )


# --- errors ---


def test_class_out_of_range_raises() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"5.*\[0, 3\)"):
        SPARSE(labels=[5], logits=[[0.0, 1.0, 2.0]])


def test_error_for_one_hot_labels_names_dense_function() -> None:
    with pytest.raises(ValueError, match="softmax_cross_entropy_with_logits"):
        SPARSE(labels=[[1, 0, 0]], logits=[[0.0, 1.0, 2.0]])


def test_float_class_index_raises() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="float32"):
        SPARSE(labels=[1.0], logits=[[0.0, 1.0]])


def test_mismatched_shapes_raise() -> None:
    with pytest.raises(ValueError, match="same shape"):
        SIGMOID(labels=[1.0], logits=[1.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="the same shape"):
        SOFTMAX(labels=[[1.0, 0.0]], logits=[[1.0, 0.0]] * 2)


@pytest.mark.parametrize("loss", [SIGMOID, SOFTMAX, SPARSE])
def test_missing_labels_or_logits_raise(loss: object) -> None:
    with pytest.raises(ValueError, match="Both `labels` and `logits`"):
        loss(labels=None, logits=[1.0])  # type: ignore[operator]


def test_in_top_k_is_false_for_missing_class_and_for_nan() -> None:
    """As TensorFlow 2.21 computes it; `tf.nn.in_top_k` and `tf.math.in_top_k` are the same function."""
    scores = [[0.1, 0.9], [0.1, 0.9], [0.3, float("nan")]]
    assert tf.nn.in_top_k([1, 5, 0], scores, 1).numpy().tolist() == [True, False, False]
    assert tf.nn.in_top_k is tf.math.in_top_k

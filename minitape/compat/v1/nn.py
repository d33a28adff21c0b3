"""`tf.compat.v1.nn`: the functions of `tf.nn`, two of which had another meaning in TensorFlow 1.

Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/nn
"""

from typing import Any

import minitape.nn as _nn_of_2
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.ops.identity import stop_gradient_for_users

softmax_cross_entropy_with_logits_v2 = _nn_of_2.softmax_cross_entropy_with_logits


def dropout(
    x: Value,
    keep_prob: float | None = None,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
    rate: float | None = None,
) -> Value:
    """Apply `tf.nn.dropout`, given the probability of keeping an element instead of the probability of dropping it.

    Args:
        x: A tensor of any shape with a float dtype.
        keep_prob: The probability of keeping each element.
        noise_shape: The shape of the random mask, as in `tf.nn.dropout`.
        seed: The random seed, as in `tf.nn.dropout`.
        name: Ignored.
        rate: The probability of dropping each element; an alternative to `keep_prob`.

    Returns:
        A tensor with the shape and dtype of `x`.

    Raises:
        ValueError: neither or both of `keep_prob` and `rate` are given.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/nn/dropout
    """
    if (keep_prob is None) == (rate is None):
        raise TapeValueError(
            "`dropout` takes either `keep_prob` or `rate`, not both.",
            fix="tf.nn.dropout(x, rate=0.2), which is keep_prob=0.8",
        )
    fraction = rate if keep_prob is None else 1.0 - keep_prob
    return _nn_of_2.dropout(x, fraction, noise_shape, seed)


def softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: Value | None = None,
    logits: Value | None = None,
    dim: int = -1,
    name: str | None = None,
    axis: int | None = None,
) -> Value:
    """Compute `tf.nn.softmax_cross_entropy_with_logits` without a gradient for the labels.

    Args:
        labels: Probabilities of the classes, with the shape of `logits`.
        logits: The inputs of softmax.
        dim: The older name of `axis`.
        name: Ignored.
        axis: The axis of the classes.

    Returns:
        A tensor with the shape of `logits` without the axis of the classes.

    Raises:
        ValueError: `labels` and `logits` are not given by keyword.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/nn/softmax_cross_entropy_with_logits
    """
    if _sentinel is not None or labels is None or logits is None:
        raise TapeValueError(
            "`softmax_cross_entropy_with_logits` takes its arguments by keyword.",
            fix="tf.nn.softmax_cross_entropy_with_logits(labels=..., logits=...)",
        )
    still = stop_gradient_for_users(convert_to_tensor(labels))
    along = dim if axis is None else axis
    return _nn_of_2.softmax_cross_entropy_with_logits(still, logits, along)


def __getattr__(name: str) -> Any:
    return getattr(_nn_of_2, name)


__all__ = [*_nn_of_2.__all__, "softmax_cross_entropy_with_logits_v2"]

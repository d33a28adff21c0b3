"""Losses of embeddings: examples of one label are to lie close together, all others apart.

Source: https://keras.io/api/losses/; Sun et al., arXiv 2002.10857.
"""

import math
from typing import Any

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.keras.losses.loss import FunctionLoss
from minitape.ops.comparing import equal, greater, logical_and, logical_not
from minitape.ops.exponential import softplus
from minitape.ops.extremes import maximum
from minitape.ops.making import eye, fill
from minitape.ops.passing import cast
from minitape.ops.picking import where
from minitape.ops.products import matmul
from minitape.ops.shaping import reshape, transpose
from minitape.ops.statistics import reduce_logsumexp


def circle(
    y_true: Any,
    y_pred: Any,
    ref_labels: Any = None,
    ref_embeddings: Any = None,
    remove_diagonal: bool = True,
    gamma: float = 80,
    margin: float = 0.4,
) -> Value:
    """How far from those of its own label, and how close to the others, each embedding lies.

    Args:
        y_true: Labels, whole numbers, shape [batch] or [batch, 1]; one number for all is one too.
        y_pred: Embeddings of length 1, shape [batch, features].
        ref_labels: Of what they are compared with; by default of themselves.
        ref_embeddings: What they are compared with.
        remove_diagonal: Whether none is compared with the one at its own place.
        gamma: How steep the loss is.
        margin: How much is let pass.

    Returns:
        Shape [batch]. An embedding whose loss is 0, such as one without another of its label, does not count in a mean.

    Source: https://keras.io/api/losses/; equation 6 of the paper.
    """
    predicted = convert_to_tensor(y_pred)
    labels = _column(y_true)
    others = predicted if ref_embeddings is None else convert_to_tensor(ref_embeddings)
    other_labels = transpose(labels if ref_labels is None else _column(ref_labels))
    distance = maximum(1.0 - matmul(predicted, transpose(others)), 0.0)
    same = equal(labels, other_labels)
    different = logical_not(same)
    if remove_diagonal:
        same = logical_and(same, logical_not(eye(same.shape[0], same.shape[1], dtype=dtypes.bool_)))
    too_far = gamma * (margin + distance) * (distance - margin)
    too_close = gamma * maximum(1.0 + margin - distance, 0.0) * (1.0 - margin - distance)
    loss = softplus(_soft_maximum(too_far, same) + _soft_maximum(too_close, different))
    loss._keras_mask = greater(loss, 0.0)
    return loss


def _column(labels: Any) -> Any:
    tensor = cast(convert_to_tensor(labels), dtypes.int32)
    return reshape(tensor, [-1, 1]) if len(tensor.shape) < 2 else tensor


def _soft_maximum(values: Any, counts: Any) -> Value:
    nothing = fill(values.shape, convert_to_tensor(-math.inf, values.dtype))
    return reduce_logsumexp(where(counts, values, nothing), axis=1)


class Circle(FunctionLoss):
    """`circle` over a batch.

    Source: https://keras.io/api/losses/
    """

    function = staticmethod(circle)
    _arguments = ("gamma", "margin", "remove_diagonal")

    def __init__(
        self,
        gamma: float = 80.0,
        margin: float = 0.4,
        remove_diagonal: bool = True,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "circle",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.gamma, self.margin, self.remove_diagonal = gamma, margin, remove_diagonal

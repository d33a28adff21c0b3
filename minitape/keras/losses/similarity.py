"""Losses for embeddings, which pull examples with the same label together and push all others apart.

Source: https://keras.io/api/losses/; Sun et al., arXiv 2002.10857.
"""

import math
from typing import Any

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.keras.losses.loss import FunctionLoss
from minitape.ops.comparison import equal, greater, logical_and, logical_not
from minitape.ops.creation import eye, fill
from minitape.ops.exponential import softplus
from minitape.ops.identity import cast
from minitape.ops.indexing import where
from minitape.ops.minmax import maximum
from minitape.ops.products import matmul
from minitape.ops.reshaping import reshape, transpose
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
    """Compute the circle loss, which compares each embedding with those of the same label and with all others.

    Args:
        y_true: Integer labels, shape [batch] or [batch, 1]; a scalar is the label of all examples.
        y_pred: Embeddings of length 1, shape [batch, features].
        ref_labels: Labels of `ref_embeddings`; `y_true` by default.
        ref_embeddings: Embeddings to compare with, shape [references, features]; `y_pred` by default.
        remove_diagonal: Whether to skip the comparison of an embedding with the reference at the same index.
        gamma: Scale of the distances; the larger it is, the steeper the loss.
        margin: Relaxation margin of the distances.

    Returns:
        Losses of shape [batch]. A mean does not count losses of 0, such as the loss of an embedding with a unique label.

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
    """Compute `circle` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        gamma: Scale of the distances; the larger it is, the steeper the loss.
        margin: Relaxation margin of the distances.
        remove_diagonal: Whether to skip the comparison of an embedding with itself.
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

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

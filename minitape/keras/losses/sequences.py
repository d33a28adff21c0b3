"""A loss for label sequences that are not aligned with the time steps.

Source: https://keras.io/api/losses/
"""

from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras.losses.loss import FunctionLoss
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.comparison import not_equal
from minitape.ops.creation import zeros_like
from minitape.ops.fields.ctc import ctc_loss
from minitape.ops.identity import cast


def ctc(y_true: Any, y_pred: Any) -> Value:
    """Compute the connectionist temporal classification loss: -log of the probability of the labels, summed over all alignments.

    Args:
        y_true: Class indices, shape [batch, labels]; 0 is both the blank and the padding after the last label.
        y_pred: Logits, shape [batch, time steps, classes].

    Returns:
        Losses of shape [batch].

    Raises:
        ValueError: an argument has the wrong rank.

    Source: https://keras.io/api/losses/
    """
    true, predicted = cast(convert_to_tensor(y_true), dtypes.int32), convert_to_tensor(y_pred)
    for what, tensor, shape in (
        ("Targets `y_true`", true, "(batch_size, max_length)"),
        ("Logits `y_pred`", predicted, "(batch_size, max_length, num_classes)"),
    ):
        if len(tensor.shape) != shape.count(",") + 1:
            raise TapeValueError(
                f"{what} are expected to be a tensor of shape `{shape}`. Received: {tuple(tensor.shape)}",
                fix=f"pass a tensor of shape {shape}",
                code="MT507",
            )
    counts = reduce_sum(cast(not_equal(true, zeros_like(true)), dtypes.int32), axis=-1)
    batch, moments, _ = predicted.shape
    lengths = np.full(batch, moments, "int32")
    return ctc_loss(true, predicted, counts, lengths, logits_time_major=False, blank_index=0)


class CTC(FunctionLoss):
    """Compute `ctc` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/
    """

    function = staticmethod(ctc)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "ctc",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)

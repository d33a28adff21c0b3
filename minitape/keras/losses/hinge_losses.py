"""Hinge losses, and overlap losses for segmentation.

hinge, squared_hinge    two classes, -1 and 1
categorical_hinge       many classes
dice, tversky           overlap of regions of an image
"""

from typing import Any

from minitape.core.values import Value
from minitape.keras import config
from minitape.keras.losses.loss import FunctionLoss, in_one_dtype, over_last
from minitape.ops.arithmetic import square
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.comparison import equal, logical_or
from minitape.ops.indexing import where
from minitape.ops.minmax import maximum, reduce_all, reduce_max


def hinge(y_true: Any, y_pred: Any) -> Value:
    """Compute max(1 - y·ŷ, 0), averaged over the last axis.

    Args:
        y_true: Labels -1 or 1, shape [..., n]; if all labels are 0 or 1, 0 counts as -1.
        y_pred: Predictions, shape [..., n].

    Returns:
        Losses of shape [...].

    Raises:
        InvalidArgumentError: the arguments are scalars.

    Source: https://keras.io/api/losses/hinge_losses/#hinge-function
    """
    return over_last(_short_of_margin(y_true, y_pred))


def _short_of_margin(y_true: Any, y_pred: Any) -> Value:
    true, predicted = in_one_dtype(y_true, y_pred)
    is_bit = logical_or(equal(true, 0.0), equal(true, 1.0))
    signs = where(reduce_all(is_bit), 2.0 * true - 1.0, true)
    return maximum(1.0 - signs * predicted, 0.0)


class Hinge(FunctionLoss):
    """Compute `hinge` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/hinge_losses/#hinge-class
    """

    function = staticmethod(hinge)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "hinge",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)


def squared_hinge(y_true: Any, y_pred: Any) -> Value:
    """Compute max(1 - y·ŷ, 0)², averaged over the last axis.

    Args:
        y_true: Labels -1 or 1, shape [..., n]; if all labels are 0 or 1, 0 counts as -1.
        y_pred: Predictions, shape [..., n].

    Returns:
        Losses of shape [...].

    Raises:
        InvalidArgumentError: the arguments are scalars.

    Source: https://keras.io/api/losses/hinge_losses/#squaredhinge-function
    """
    return over_last(square(_short_of_margin(y_true, y_pred)))


class SquaredHinge(FunctionLoss):
    """Compute `squared_hinge` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/hinge_losses/#squaredhinge-class
    """

    function = staticmethod(squared_hinge)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "squared_hinge",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)


def categorical_hinge(y_true: Any, y_pred: Any) -> Value:
    """Compute max(wrong - right + 1, 0) for the score of the true class and the largest score of the other classes.

    Args:
        y_true: One-hot rows, shape [..., classes].
        y_pred: Scores, shape [..., classes].

    Returns:
        Losses of shape [...].

    Source: https://keras.io/api/losses/hinge_losses/#categoricalhinge-function
    """
    true, predicted = in_one_dtype(y_true, y_pred)
    right = reduce_sum(true * predicted, axis=-1)
    wrong = reduce_max((1.0 - true) * predicted, axis=-1)
    return maximum(wrong - right + 1.0, 0.0)


class CategoricalHinge(FunctionLoss):
    """Compute `categorical_hinge` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/hinge_losses/#categoricalhinge-class
    """

    function = staticmethod(categorical_hinge)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "categorical_hinge",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)


# --- overlap of regions ---


def dice(y_true: Any, y_pred: Any, axis: Any = None) -> Value:
    """Compute the Dice loss: 1 - 2·(intersection) / (sum of both regions).

    Args:
        y_true: Labels 0 or 1 for each pixel.
        y_pred: Probabilities for each pixel, with the shape of `y_true`.
        axis: Axes to sum over, such as [1, 2, 3] to compute one loss for each image; None sums over all axes.

    Returns:
        Losses in the shape of the arguments without the axes `axis`.

    Source: https://keras.io/api/losses/regression_losses/
    """
    true, predicted = in_one_dtype(y_true, y_pred)
    common = reduce_sum(true * predicted, axis=axis)
    both = reduce_sum(true, axis=axis) + reduce_sum(predicted, axis=axis)
    return 1.0 - 2.0 * common / (both + config.epsilon())


class Dice(FunctionLoss):
    """Compute `dice` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        axis: Axes to sum over, such as [1, 2, 3] to compute one loss for each image; None sums over all axes.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/regression_losses/
    """

    function = staticmethod(dice)
    _arguments = ("axis",)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "dice",
        axis: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.axis = axis


def tversky(
    y_true: Any, y_pred: Any, alpha: float = 0.5, beta: float = 0.5, axis: Any = None
) -> Value:
    """Compute the Tversky loss: 1 - intersection / (intersection + weighted false negatives and false positives).

    Args:
        y_true: Labels 0 or 1 for each pixel.
        y_pred: Probabilities for each pixel, with the shape of `y_true`.
        alpha: Weight of false negatives.
        beta: Weight of false positives.
        axis: Axes to sum over, such as [1, 2, 3] to compute one loss for each image; None sums over all axes.

    Returns:
        Losses in the shape of the arguments without the axes `axis`.

    Source: Salehi et al., arXiv 1706.05721.
    """
    true, predicted = in_one_dtype(y_true, y_pred)
    common = reduce_sum(true * predicted, axis=axis)
    missed = reduce_sum((1.0 - predicted) * true, axis=axis)
    invented = reduce_sum(predicted * (1.0 - true), axis=axis)
    return 1.0 - common / (common + missed * alpha + invented * beta + config.epsilon())


class Tversky(FunctionLoss):
    """Compute `tversky` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        alpha: Weight of false negatives.
        beta: Weight of false positives.
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        axis: Axes to sum over, such as [1, 2, 3] to compute one loss for each image; None sums over all axes.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/regression_losses/
    """

    function = staticmethod(tversky)
    _arguments = ("alpha", "beta", "axis")

    def __init__(
        self,
        alpha: float = 0.5,
        beta: float = 0.5,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "tversky",
        axis: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.alpha, self.beta, self.axis = alpha, beta, axis

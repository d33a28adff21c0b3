"""How far predictions are on the right side, up to a margin; and how far two areas overlap.

hinge, squared_hinge    of two classes, -1 and 1
categorical_hinge       of many
dice, tversky           areas of a picture
"""

from typing import Any

from minitape.core.values import Value
from minitape.keras import config
from minitape.keras.losses.loss import FunctionLoss, in_one_dtype, over_last
from minitape.ops.arithmetic import square
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.comparing import equal, logical_or
from minitape.ops.extremes import maximum, reduce_all, reduce_max
from minitape.ops.picking import where


def hinge(y_true: Any, y_pred: Any) -> Value:
    """max(1 - y·ŷ, 0) for labels -1 and 1; the mean over the last axis. Labels that are all 0 or 1: 0 counts as -1."""
    return over_last(_short_of_margin(y_true, y_pred))


def _short_of_margin(y_true: Any, y_pred: Any) -> Value:
    true, predicted = in_one_dtype(y_true, y_pred)
    is_bit = logical_or(equal(true, 0.0), equal(true, 1.0))
    signs = where(reduce_all(is_bit), 2.0 * true - 1.0, true)
    return maximum(1.0 - signs * predicted, 0.0)


class Hinge(FunctionLoss):
    """`hinge` over a batch.

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
    """The mean of the squares of `hinge`'s numbers, over the last axis."""
    return over_last(square(_short_of_margin(y_true, y_pred)))


class SquaredHinge(FunctionLoss):
    """`squared_hinge` over a batch.

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
    """How far the right class is short of the best wrong one plus 1.

    Args:
        y_true: One-hot rows.
        y_pred: A number for each class.
    """
    true, predicted = in_one_dtype(y_true, y_pred)
    right = reduce_sum(true * predicted, axis=-1)
    wrong = reduce_max((1.0 - true) * predicted, axis=-1)
    return maximum(wrong - right + 1.0, 0.0)


class CategoricalHinge(FunctionLoss):
    """`categorical_hinge` over a batch.

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


# --- areas ---


def dice(y_true: Any, y_pred: Any, axis: Any = None) -> Value:
    """1 minus twice the common area over the sum of both.

    Args:
        y_true: 0 or 1 for each place.
        y_pred: A probability for each place.
        axis: The axes of one area; None for all as one.
    """
    true, predicted = in_one_dtype(y_true, y_pred)
    common = reduce_sum(true * predicted, axis=axis)
    both = reduce_sum(true, axis=axis) + reduce_sum(predicted, axis=axis)
    return 1.0 - 2.0 * common / (both + config.epsilon())


class Dice(FunctionLoss):
    """`dice` over a batch.

    Args:
        reduction: As in `Loss`.
        name: As in `Loss`.
        axis: The axes of one area; None for all as one.
        dtype: As in `Loss`.

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
    """1 minus the common area over itself and what only one of both has.

    Args:
        y_true: 0 or 1 for each place.
        y_pred: A probability for each place.
        alpha: The weight of what only the truth has.
        beta: The weight of what only the prediction has.
        axis: The axes of one area; None for all as one.

    Source: Salehi et al., arXiv 1706.05721.
    """
    true, predicted = in_one_dtype(y_true, y_pred)
    common = reduce_sum(true * predicted, axis=axis)
    missed = reduce_sum((1.0 - predicted) * true, axis=axis)
    invented = reduce_sum(predicted * (1.0 - true), axis=axis)
    return 1.0 - common / (common + missed * alpha + invented * beta + config.epsilon())


class Tversky(FunctionLoss):
    """`tversky` over a batch.

    Args:
        alpha: The weight of what only the truth has.
        beta: The weight of what only the prediction has.
        reduction: As in `Loss`.
        name: As in `Loss`.
        axis: The axes of one area; None for all as one.
        dtype: As in `Loss`.

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

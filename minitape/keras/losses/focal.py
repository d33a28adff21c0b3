"""Focal cross entropies, to which well-classified examples contribute little.

Source: Lin et al., arXiv 1708.02002.
"""

from typing import Any

from minitape.core.values import Value
from minitape.keras.losses.crossentropy import (
    binary_entropies,
    check_axis,
    inside,
    smoothed,
    warn_of_one_class,
)
from minitape.keras.losses.loss import FunctionLoss, in_one_dtype
from minitape.ops.activations import softmax
from minitape.ops.arithmetic import pow
from minitape.ops.broadcasting import reduce_mean, reduce_sum
from minitape.ops.exponential import log, sigmoid


def binary_focal_crossentropy(
    y_true: Any,
    y_pred: Any,
    apply_class_balancing: bool = False,
    alpha: float = 0.25,
    gamma: float = 2.0,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Value:
    """Compute the focal cross entropy of two classes, averaged over `axis`.

    For the probability p of the true class, the loss is -(1 - p)ᵞ·log p.

    Args:
        y_true: Labels 0 or 1, shape [..., n]; cast to the dtype of `y_pred`.
        y_pred: Probabilities of class 1 or their logits, shape [..., n].
        apply_class_balancing: Whether to weight class 1 by `alpha` and class 0 by 1 - `alpha`.
        alpha: Weight of class 1; used only with `apply_class_balancing`.
        gamma: Exponent γ; the larger it is, the less well-classified examples contribute.
        from_logits: Whether `y_pred` contains logits instead of probabilities.
        label_smoothing: Fraction from 0 to 1 by which the labels move toward ½.
        axis: Axis over which the mean is computed.

    Returns:
        Losses in the shape of the arguments without the axis `axis`.

    Raises:
        ValueError: the shapes of `y_true` and `y_pred` differ.

    Source: https://keras.io/api/losses/probabilistic_losses/#binaryfocalcrossentropy-function
    """
    true, predicted = in_one_dtype(y_true, y_pred)
    true = smoothed(true, label_smoothing, 2.0)
    if from_logits:
        predicted = sigmoid(predicted)
    entropies = binary_entropies(true, predicted, from_logits=False)
    given_to_truth = true * predicted + (1.0 - true) * (1.0 - predicted)
    losses = pow(1.0 - given_to_truth, gamma) * entropies
    if apply_class_balancing:
        losses = (true * alpha + (1.0 - true) * (1.0 - alpha)) * losses
    return reduce_mean(losses, axis=axis)


class BinaryFocalCrossentropy(FunctionLoss):
    """Compute `binary_focal_crossentropy` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        apply_class_balancing: Whether to weight class 1 by `alpha` and class 0 by 1 - `alpha`.
        alpha: Weight of class 1; used only with `apply_class_balancing`.
        gamma: Exponent γ; the larger it is, the less well-classified examples contribute.
        from_logits: Whether `y_pred` contains logits instead of probabilities.
        label_smoothing: Fraction from 0 to 1 by which the labels move toward ½.
        axis: Axis over which the mean of an example is computed.
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/probabilistic_losses/#binaryfocalcrossentropy-class
    """

    function = staticmethod(binary_focal_crossentropy)
    _arguments = (
        *("apply_class_balancing", "alpha", "gamma"),
        *("from_logits", "label_smoothing", "axis"),
    )

    def __init__(
        self,
        apply_class_balancing: bool = False,
        alpha: float = 0.25,
        gamma: float = 2.0,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "binary_focal_crossentropy",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.apply_class_balancing, self.alpha, self.gamma = apply_class_balancing, alpha, gamma
        self.from_logits, self.label_smoothing, self.axis = from_logits, label_smoothing, axis


def categorical_focal_crossentropy(
    y_true: Any,
    y_pred: Any,
    alpha: float = 0.25,
    gamma: float = 2.0,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Value:
    """Compute the focal cross entropy of many classes, -α(1 - p)ᵞ·log p for the probability p of the true class.

    Args:
        y_true: Probabilities of the classes, often one-hot rows, shape [..., classes].
        y_pred: Predicted probabilities of the classes or their logits, shape [..., classes].
        alpha: Weight α: a number, or a list with one number for each class.
        gamma: Exponent γ; the larger it is, the less well-classified examples contribute.
        from_logits: Whether `y_pred` contains logits instead of probabilities.
        label_smoothing: Fraction from 0 to 1 by which the labels move toward equal probabilities.
        axis: Axis of the classes.

    Returns:
        Losses in the shape of the arguments without the axis `axis`.

    Raises:
        ValueError: `axis` is a bool.

    Source: https://keras.io/api/losses/probabilistic_losses/#categoricalfocalcrossentropy-function
    """
    check_axis(axis)
    true, predicted = in_one_dtype(y_true, y_pred)
    warn_of_one_class(predicted, "categorical_focal_crossentropy")
    true = smoothed(true, label_smoothing, float((tuple(true.shape) or (1,))[-1]))
    if from_logits:
        predicted = softmax(predicted, axis=axis)
    probabilities = inside(predicted / reduce_sum(predicted, axis=axis, keepdims=True))
    return reduce_sum(
        pow(1.0 - probabilities, gamma) * alpha * (-true * log(probabilities)), axis=axis
    )


class CategoricalFocalCrossentropy(FunctionLoss):
    """Compute `categorical_focal_crossentropy` for each example in a batch, and combine the losses as `reduction` specifies.

    Args:
        alpha: Weight α: a number, or a list with one number for each class.
        gamma: Exponent γ; the larger it is, the less well-classified examples contribute.
        from_logits: Whether `y_pred` contains logits instead of probabilities.
        label_smoothing: Fraction from 0 to 1 by which the labels move toward equal probabilities.
        axis: Axis of the classes.
        reduction: "sum_over_batch_size" (the mean over the batch), "sum", "mean_with_sample_weight", or None for
            one loss for each example; see `Loss`.
        name: Name of the loss.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Source: https://keras.io/api/losses/probabilistic_losses/#categoricalfocalcrossentropy-class
    """

    function = staticmethod(categorical_focal_crossentropy)
    _arguments = ("alpha", "gamma", "from_logits", "label_smoothing", "axis")

    def __init__(
        self,
        alpha: float = 0.25,
        gamma: float = 2.0,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "categorical_focal_crossentropy",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.alpha, self.gamma, self.axis = alpha, gamma, axis
        self.from_logits, self.label_smoothing = from_logits, label_smoothing

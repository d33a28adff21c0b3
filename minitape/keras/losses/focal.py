"""Cross entropies that look at what is still wrong: what is right already weighs little.

Source: Lin et al., arXiv 1708.02002.
"""

from typing import Any

from minitape.core.values import Value
from minitape.keras.losses.entropies import (
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
    """-(1 - p)ᵞ·log p for the probability p given to the truth, of two; the mean over `axis`.

    Args:
        y_true: 0 or 1.
        y_pred: Probabilities of 1, or their logits.
        apply_class_balancing: Weigh the class 1 by `alpha`, the class 0 by the rest.
        alpha: The weight of the class 1.
        gamma: γ: how little what is right weighs.
        from_logits: Whether predictions are logits.
        label_smoothing: Moves the labels this share of the way to ½.
        axis: Over which the mean is taken.

    Raises:
        ValueError: the shapes differ.
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
    """`binary_focal_crossentropy` over a batch.

    Args:
        apply_class_balancing: Weigh the class 1 by `alpha`, the class 0 by the rest.
        alpha: The weight of the class 1.
        gamma: How little what is right weighs.
        from_logits: Whether predictions are logits.
        label_smoothing: Moves the labels this share of the way to ½.
        axis: Over which the mean of an example is taken.
        reduction: As in `Loss`, like what follows.

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
    """-α(1 - p)ᵞ·log p for the probability p given to the truth, of many classes.

    Args:
        y_true: One-hot rows, or probabilities.
        y_pred: Probabilities of the classes, or their logits.
        alpha: α: a factor, or one for each class.
        gamma: γ: how little what is right weighs.
        from_logits: Whether predictions are logits.
        label_smoothing: Moves the labels this share of the way to equal ones.
        axis: Where the classes lie.
    """
    check_axis(axis)
    true, predicted = in_one_dtype(y_true, y_pred)
    warn_of_one_class(predicted, "categorical_focal_crossentropy")
    true = smoothed(true, label_smoothing, float((tuple(true.shape) or (1,))[-1]))
    if from_logits:
        predicted = softmax(predicted, axis=axis)
    shares = inside(predicted / reduce_sum(predicted, axis=axis, keepdims=True))
    return reduce_sum(pow(1.0 - shares, gamma) * alpha * (-true * log(shares)), axis=axis)


class CategoricalFocalCrossentropy(FunctionLoss):
    """`categorical_focal_crossentropy` over a batch.

    Args:
        alpha: A factor, or one for each class.
        gamma: How little what is right weighs.
        from_logits: Whether predictions are logits.
        label_smoothing: Moves the labels this share of the way to equal ones.
        axis: Where the classes lie.
        reduction: As in `Loss`, like what follows.

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

"""`AUC`: the area under a curve that has a point for each of several thresholds from 0 to 1.

Source: https://keras.io/api/metrics/classification_metrics/#auc-class
"""

from typing import Any

import numpy as np

from minitape.core.convert import convert_to_tensor
from minitape.core.values import Array, Value
from minitape.errors import TapeValueError
from minitape.keras import config
from minitape.keras.metrics.confusion import ALL_COUNTS, Counting
from minitape.ops.exponential import sigmoid


def _no_nan(numerator: Array, denominator: Array) -> Array:
    return np.where(denominator == 0, 0, numerator / np.where(denominator == 0, 1, denominator))


class AUC(Counting):
    """Compute the area under the ROC or precision-recall curve.

    The area under the ROC curve is the probability that an example with label 1 has a larger prediction than one with
    label 0.

    Args:
        num_thresholds: Number of thresholds that define the curve; at least 2.
        curve: "ROC" (true positive rate as a function of false positive rate) or "PR" (precision as a function of recall).
        summation_method: "interpolation" (trapezoids), "minoring" (lower sum) or "majoring" (upper sum).
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.
        thresholds: List of thresholds to use instead of `num_thresholds`.
        multi_label: Whether to compute one curve for each label and return the mean.
        num_labels: Number of labels; if given, the variables are created immediately. Requires `multi_label`.
        label_weights: Weight of each label, shape [labels].
        from_logits: Whether predictions are logits instead of probabilities.

    Raises:
        ValueError: `curve` or `summation_method` is unknown, there are fewer than 2 thresholds, or `num_labels` is given
            without `multi_label`.

    Source: https://keras.io/api/metrics/classification_metrics/#auc-class
    """

    def __init__(
        self,
        num_thresholds: int = 200,
        curve: str = "ROC",
        summation_method: str = "interpolation",
        name: str | None = None,
        dtype: Any = None,
        thresholds: Any = None,
        multi_label: bool = False,
        num_labels: int | None = None,
        label_weights: Any = None,
        from_logits: bool = False,
    ) -> None:
        self.curve = _word("curve", curve, ("ROC", "PR"), str.upper)
        methods = ("interpolation", "majoring", "minoring")
        self.summation_method = _word("summation_method", summation_method, methods, str.lower)
        if thresholds is None and num_thresholds <= 1:
            raise TapeValueError(
                f"Argument `num_thresholds` must be an integer > 1. Received: num_thresholds={num_thresholds}",
                fix="pass `num_thresholds=200`",
            )
        if num_labels and not multi_label:
            raise TapeValueError(
                "`num_labels` is needed only when `multi_label` is True.",
                fix="pass `multi_label=True`",
            )
        super().__init__(dtype, name)
        self._own_thresholds = None if thresholds is None else sorted(thresholds)
        inner = self._own_thresholds
        if inner is None:
            inner = [i / (num_thresholds - 1) for i in range(1, num_thresholds - 1)]
        self.num_thresholds = len(inner) + 2
        # A prediction of 0 is above the first threshold, and a prediction of 1 is below the last one.
        self.thresholds = [-config.epsilon(), *inner, 1.0 + config.epsilon()]
        self.multi_label, self.num_labels = multi_label, num_labels
        self.label_weights, self._from_logits = label_weights, from_logits
        self._is_begun = False
        if num_labels or not multi_label:
            self._begin_with(num_labels)

    def _begin_with(self, labels: int | None) -> None:
        shape = (self.num_thresholds, labels) if labels else (self.num_thresholds,)
        self._begin(ALL_COUNTS, self.thresholds, shape)
        self._is_begun = True

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch.

        Args:
            y_true: Labels 0 or 1; shape [examples, labels] with `multi_label`.
            y_pred: Predictions from 0 to 1 (or logits), with the shape of `y_true`.
            sample_weight: Weights that broadcast to `y_pred`; None weights all equally.

        Raises:
            ValueError: with `multi_label`, `y_pred` does not have rank 2.
        """
        predicted = convert_to_tensor(y_pred)
        if self.multi_label and len(predicted.shape) != 2:
            raise TapeValueError(
                f"`y_pred` must have rank 2 when `multi_label=True`. Full shape received for `y_pred`: {predicted.shape}",
                fix="pass `y_pred` of shape `[examples, labels]`",
            )
        if not self._is_begun:
            self._begin_with(predicted.shape[1])
        if self._from_logits:
            predicted = sigmoid(predicted)
        weights = None if self.multi_label else self.label_weights
        self._count(
            y_true, predicted, sample_weight, label_weights=weights, by_label=self.multi_label
        )

    def result(self) -> Value:
        """Return the area so far.

        Returns:
            A scalar.
        """
        if self.curve == "PR" and self.summation_method == "interpolation":
            return self.interpolate_pr_auc()
        found = self._ratio("tp", "fn")
        x, y = self._ratio("fp", "tn"), found
        if self.curve == "PR":
            x, y = found, self._ratio("tp", "fp")
        sides = y[:-1], y[1:]
        heights = (sides[0] + sides[1]) / 2
        if self.summation_method != "interpolation":
            lower = self.summation_method == "minoring"
            heights = np.minimum(*sides) if lower else np.maximum(*sides)
        return self._summed((x[:-1] - x[1:]) * heights)

    def interpolate_pr_auc(self) -> Value:
        """Compute the area under the precision-recall curve; between thresholds, interpolate the counts, not the precision.

        Returns:
            A scalar.

        Source: Davis, Goadrich 2006.
        """
        right, wrong, missed = (self._counts[kind]._array for kind in ("tp", "fp", "fn"))
        found = right + wrong
        derivative = _no_nan(right[:-1] - right[1:], np.maximum(found[:-1] - found[1:], 0))
        start = right[1:] - derivative * found[1:]
        both = (found[:-1] > 0) & (found[1:] > 0)
        ratio = np.where(both, _no_nan(found[:-1], np.maximum(found[1:], 0)), 1)
        area = derivative * (right[:-1] - right[1:] + start * np.log(ratio))
        return self._summed(_no_nan(area, np.maximum(right[1:] + missed[1:], 0)))

    def _summed(self, parts: Array) -> Value:
        areas = parts.sum(0)
        if self.multi_label:
            weights = np.asarray(
                1 if self.label_weights is None else self.label_weights, areas.dtype
            )
            weights = np.broadcast_to(weights, areas.shape)
            areas = _no_nan((areas * weights).sum(), weights.sum())
        area: Value = convert_to_tensor(areas.astype(self._counts["tp"]._array.dtype))
        return area

    def reset_state(self) -> None:
        """Set all counts to 0."""
        if self._is_begun:
            super().reset_state()

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this metric.

        Returns:
            A dict.
        """
        own = {
            "num_thresholds": self.num_thresholds,
            "curve": self.curve,
            "summation_method": self.summation_method,
            "multi_label": self.multi_label,
            "num_labels": self.num_labels,
            "label_weights": self.label_weights,
            "from_logits": self._from_logits,
        }
        if self._own_thresholds is not None:
            own["thresholds"] = self._own_thresholds
        return super().get_config() | own


def _word(argument: str, given: str, known: tuple[str, ...], plain: Any) -> str:
    word: str = plain(given) if isinstance(given, str) else ""
    if word not in known:
        raise TapeValueError(
            f'Invalid `{argument}` argument value "{given}". Expected one of: {", ".join(known)}',
            fix=f'pass `{argument}="{known[0]}"`',
        )
    return word

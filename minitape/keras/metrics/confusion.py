"""Counts of right and wrong binary predictions at thresholds, and metrics computed from them.

    TruePositives, FalsePositives, TrueNegatives, FalseNegatives
    Precision, Recall
    SensitivityAtSpecificity ... RecallAtPrecision          the best value of one rate where another rate is large enough

A prediction above a threshold is positive. For evenly spaced thresholds from 0 to 1 the code computes the index of the
threshold, as Keras does.

Source: https://keras.io/api/metrics/classification_metrics/
"""

from typing import Any

import numpy as np

from minitape.core.convert import convert_to_tensor
from minitape.core.values import Array, Value
from minitape.core.variable import Variable
from minitape.errors import TapeValueError
from minitape.keras import config
from minitape.keras.losses.loss import in_one_rank
from minitape.keras.metrics.metric import Metric
from minitape.ops.axes import real_number, whole_number

_NEVER = -1e10


class Counting(Metric):
    """Base class of metrics that count "tp", "fp", "tn" and "fn" (true and false positives and negatives) at thresholds."""

    thresholds: Any

    def _begin(self, kinds: dict[str, str], thresholds: Any, shape: Any = None) -> None:
        self._counts: dict[str, Variable] = {
            kind: self.add_variable(shape or (len(thresholds),), "zeros", name=name)
            for kind, name in kinds.items()
        }

    def _count(
        self,
        y_true: Any,
        y_pred: Any,
        sample_weight: Any,
        *,
        top_k: int | None = None,
        class_id: int | None = None,
        label_weights: Any = None,
        by_label: bool = False,
    ) -> None:
        """Add a batch to the counts."""
        dtype = next(iter(self._counts.values()))._array.dtype
        given = (convert_to_tensor(each) for each in (y_pred, y_true))
        predicted, true = (each._array.astype(dtype) for each in in_one_rank(*given))
        weights = _weights(true, sample_weight, dtype)
        if top_k is not None:
            predicted = _only_largest(predicted, top_k)
        if class_id is not None:
            if predicted.ndim == 1:
                raise TapeValueError(
                    f"When `class_id` is provided, `y_pred` must have a row for each example. Received shape: {predicted.shape}",
                    fix="pass `y_pred` of shape `[examples, classes]`",
                )
            true, predicted = true[..., class_id, None], predicted[..., class_id, None]
        many = np.broadcast_to(weights, predicted.shape)
        if label_weights is not None:
            many = many * np.asarray(label_weights, dtype)
        if not by_label:
            true, predicted, many = (np.reshape(each, -1) for each in (true, predicted, many))
        is_true = true.astype(bool)
        for i, is_yes in enumerate(_above(predicted, self.thresholds)):
            cells = {"tp": is_true & is_yes, "fp": ~is_true & is_yes}
            cells |= {"fn": is_true & ~is_yes, "tn": ~is_true & ~is_yes}
            self._add(i, {kind: (where * many).sum(0) for kind, where in cells.items()})

    def _add(self, i: int, new: dict[str, Any]) -> None:
        for kind, variable in self._counts.items():
            counts = variable._array.copy()
            counts[i] += new[kind]
            variable.assign(counts)

    def _ratio(self, kind: str, other: str) -> Any:
        """Return the first count divided by the sum of the two counts, or 0 if both are 0."""
        part, rest = self._counts[kind]._array, self._counts[other]._array
        return part / np.where(part + rest == 0, 1, part + rest)


def _weights(true: Array, sample_weight: Any, dtype: Any) -> Array:
    if sample_weight is None:
        return np.ones((), dtype)
    weights = np.asarray(convert_to_tensor(sample_weight)._array, dtype)[..., None]
    return weights[..., 0] if weights.ndim == true.ndim + 1 else weights


def _only_largest(predicted: Array, count: int) -> Array:
    order = np.argsort(-predicted, axis=-1, kind="stable")[..., :count]
    kept = np.full_like(predicted, _NEVER)
    np.put_along_axis(kept, order, np.take_along_axis(predicted, order, -1), -1)
    return kept


def _above(predicted: Array, thresholds: Any) -> Any:
    """Yield for each threshold which predictions are above it."""
    last = len(thresholds) - 1
    if last < 2 or not np.allclose(
        thresholds, np.linspace(0.0, 1.0, last + 1), atol=config.epsilon()
    ):
        return (predicted > predicted.dtype.type(each) for each in thresholds)
    position = np.ceil(np.clip(predicted, 0, 1) * predicted.dtype.type(last)) - 1
    if thresholds[0] < 0:
        position = np.maximum(position, 0)
    return (position >= i for i in range(last + 1))


def checked(thresholds: Any, default: float) -> list[float]:
    """Return thresholds as a list.

    Args:
        thresholds: A number, a list of numbers, or None.
        default: Threshold to use for None.

    Returns:
        A list of floats.

    Raises:
        ValueError: a threshold is not between 0 and 1.
    """
    if thresholds is None:
        return [default]
    found = list(thresholds) if isinstance(thresholds, list | tuple | np.ndarray) else [thresholds]
    wrong = [each for each in found if each is None or not 0 <= each <= 1]
    if wrong:
        raise TapeValueError(
            f"Threshold values must be in [0, 1]. Received: {wrong}",
            fix="pass `thresholds=[0.25, 0.5]`",
        )
    return found


class _One(Counting):
    """Base class of the metrics that return one of the four counts."""

    _kind = ""

    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(dtype, name)
        self.init_thresholds = thresholds
        self.thresholds = checked(thresholds, 0.5)
        self._begin({self._kind: "accumulator"}, self.thresholds)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch.

        Args:
            y_true: Labels 0 or 1.
            y_pred: Predictions from 0 to 1, with the shape of `y_true`.
            sample_weight: Weights that broadcast to `y_pred`; None weights all equally.
        """
        self._count(y_true, y_pred, sample_weight)

    def result(self) -> Value:
        """Return the count so far.

        Unlike TensorFlow, which returns its variable for several thresholds, the result is a tensor: later updates do not
        change it.

        Returns:
            A scalar, or a vector for several thresholds.
        """
        counts = self._counts[self._kind]._array
        return _one_or_all(counts)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this metric.

        Returns:
            A dict.
        """
        return super().get_config() | {"thresholds": self.init_thresholds}


def _one_or_all(values: Array) -> Value:
    result: Value = convert_to_tensor(values[0] if len(values) == 1 else values)
    return result


class TruePositives(_One):
    """Count positive predictions with label 1.

    Args:
        thresholds: Number or list of numbers from 0 to 1; a prediction above a threshold is positive. 0.5 by
            default.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: a threshold is not between 0 and 1.

    Source: https://keras.io/api/metrics/classification_metrics/#truepositives-class
    """

    _kind = "tp"


class FalsePositives(_One):
    """Count positive predictions with label 0.

    Args:
        thresholds: Number or list of numbers from 0 to 1; a prediction above a threshold is positive. 0.5 by
            default.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: a threshold is not between 0 and 1.

    Source: https://keras.io/api/metrics/classification_metrics/#falsepositives-class
    """

    _kind = "fp"


class TrueNegatives(_One):
    """Count negative predictions with label 0.

    Args:
        thresholds: Number or list of numbers from 0 to 1; a prediction above a threshold is positive. 0.5 by
            default.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: a threshold is not between 0 and 1.

    Source: https://keras.io/api/metrics/classification_metrics/#truenegatives-class
    """

    _kind = "tn"


class FalseNegatives(_One):
    """Count negative predictions with label 1.

    Args:
        thresholds: Number or list of numbers from 0 to 1; a prediction above a threshold is positive. 0.5 by
            default.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: a threshold is not between 0 and 1.

    Source: https://keras.io/api/metrics/classification_metrics/#falsenegatives-class
    """

    _kind = "fn"


class _Rate(Counting):
    """Base class of precision and recall."""

    _missing = ("", "")

    def __init__(
        self,
        thresholds: Any = None,
        top_k: int | None = None,
        class_id: int | None = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(dtype, name)
        self.init_thresholds, self.top_k, self.class_id = thresholds, top_k, class_id
        self.thresholds = checked(thresholds, 0.5 if top_k is None else _NEVER)
        kind, name_of_kind = self._missing
        self._begin({"tp": "true_positives", kind: name_of_kind}, self.thresholds)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch.

        Args:
            y_true: Labels 0 or 1.
            y_pred: Predictions from 0 to 1, with the shape of `y_true`.
            sample_weight: Weights that broadcast to `y_pred`; None weights all equally.
        """
        self._count(y_true, y_pred, sample_weight, top_k=self.top_k, class_id=self.class_id)

    def result(self) -> Value:
        """Return the rate so far.

        Returns:
            A scalar, or a vector for several thresholds.
        """
        return _one_or_all(self._ratio("tp", self._missing[0]))

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this metric.

        Returns:
            A dict.
        """
        own = {"thresholds": self.init_thresholds, "top_k": self.top_k, "class_id": self.class_id}
        return super().get_config() | own


class Precision(_Rate):
    """Compute the fraction of positive predictions whose label is 1.

    Args:
        thresholds: Number or list of numbers from 0 to 1; a prediction above a threshold is positive. 0.5 by
            default.
        top_k: Number of largest predictions in each row that count as positive; None (the default) counts all predictions
            above the threshold.
        class_id: Index, along the last axis, of the only class to consider; None (the default) considers all classes.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: a threshold is not between 0 and 1.

    Source: https://keras.io/api/metrics/classification_metrics/#precision-class
    """

    _missing = ("fp", "false_positives")


class Recall(_Rate):
    """Compute the fraction of examples with label 1 whose prediction is positive.

    Args:
        thresholds: Number or list of numbers from 0 to 1; a prediction above a threshold is positive. 0.5 by
            default.
        top_k: Number of largest predictions in each row that count as positive; None (the default) counts all predictions
            above the threshold.
        class_id: Index, along the last axis, of the only class to consider; None (the default) considers all classes.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: a threshold is not between 0 and 1.

    Source: https://keras.io/api/metrics/classification_metrics/#recall-class
    """

    _missing = ("fn", "false_negatives")


class _BestAt(Counting):
    """Base class of metrics that find the best value of one rate where another rate is large enough."""

    # The rate to maximize, and the rate that has to be large enough.
    _best = ("", "")
    _enough = ("", "")
    _word = ""

    def _set_up(
        self, value: float, num_thresholds: int, class_id: int | None, name: Any, dtype: Any
    ) -> None:
        Metric.__init__(self, dtype, name)
        if not 0 <= real_number(value) <= 1:
            raise TapeValueError(
                f"Argument `{self._word}` must be in the range [0, 1]. Received: {self._word}={value}",
                fix=f"pass `{self._word}=0.5`",
            )
        if whole_number(num_thresholds) <= 0:
            raise TapeValueError(
                f"Argument `num_thresholds` must be an integer > 0. Received: num_thresholds={num_thresholds}",
                fix="pass `num_thresholds=200`",
            )
        self.value, self.num_thresholds, self.class_id = value, num_thresholds, class_id
        inner = (i / (num_thresholds - 1) for i in range(1, num_thresholds - 1))
        self.thresholds = [0.5] if num_thresholds == 1 else [0.0, *inner, 1.0]
        self._begin(ALL_COUNTS, self.thresholds)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch.

        Args:
            y_true: Labels 0 or 1.
            y_pred: Predictions from 0 to 1, with the shape of `y_true`.
            sample_weight: Weights that broadcast to `y_pred`; None weights all equally.
        """
        self._count(y_true, y_pred, sample_weight, class_id=self.class_id)

    def result(self) -> Value:
        """Return the best rate so far, or 0 if the other rate is not large enough at any threshold.

        Returns:
            A scalar.
        """
        ratios = self._ratio(*self._best)
        is_enough = self._ratio(*self._enough) >= self.value
        best: Value = convert_to_tensor(np.where(is_enough, ratios, 0).max().astype(ratios.dtype))
        return best

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this metric.

        Returns:
            A dict.
        """
        own = {"num_thresholds": self.num_thresholds, self._word: self.value}
        return super().get_config() | {"class_id": self.class_id} | own


ALL_COUNTS = {
    "tp": "true_positives",
    "fp": "false_positives",
    "tn": "true_negatives",
    "fn": "false_negatives",
}


class SensitivityAtSpecificity(_BestAt):
    """Compute the largest sensitivity tp / (tp + fn) at which the specificity tn / (tn + fp) is at least `specificity`.

    Args:
        specificity: Required specificity, from 0 to 1.
        num_thresholds: Number of evenly spaced thresholds to try.
        class_id: Index, along the last axis, of the only class to consider; None (the default) considers all classes.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: `specificity` is not between 0 and 1, or `num_thresholds` is not positive.

    Source: https://keras.io/api/metrics/classification_metrics/#sensitivityatspecificity-class
    """

    _best, _enough, _word = ("tp", "fn"), ("tn", "fp"), "specificity"

    def __init__(
        self,
        specificity: float,
        num_thresholds: int = 200,
        class_id: int | None = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        self._set_up(specificity, num_thresholds, class_id, name, dtype)


class SpecificityAtSensitivity(_BestAt):
    """Compute the largest specificity tn / (tn + fp) at which the sensitivity tp / (tp + fn) is at least `sensitivity`.

    Args:
        sensitivity: Required sensitivity, from 0 to 1.
        num_thresholds: Number of evenly spaced thresholds to try.
        class_id: Index, along the last axis, of the only class to consider; None (the default) considers all classes.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: `sensitivity` is not between 0 and 1, or `num_thresholds` is not positive.

    Source: https://keras.io/api/metrics/classification_metrics/#specificityatsensitivity-class
    """

    _best, _enough, _word = ("tn", "fp"), ("tp", "fn"), "sensitivity"

    def __init__(
        self,
        sensitivity: float,
        num_thresholds: int = 200,
        class_id: int | None = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        self._set_up(sensitivity, num_thresholds, class_id, name, dtype)


class PrecisionAtRecall(_BestAt):
    """Compute the largest precision among the thresholds whose recall is at least `recall`.

    Args:
        recall: Required recall, from 0 to 1.
        num_thresholds: Number of evenly spaced thresholds to try.
        class_id: Index, along the last axis, of the only class to consider; None (the default) considers all classes.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: `recall` is not between 0 and 1, or `num_thresholds` is not positive.

    Source: https://keras.io/api/metrics/classification_metrics/#precisionatrecall-class
    """

    _best, _enough, _word = ("tp", "fp"), ("tp", "fn"), "recall"

    def __init__(
        self,
        recall: float,
        num_thresholds: int = 200,
        class_id: int | None = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        self._set_up(recall, num_thresholds, class_id, name, dtype)


class RecallAtPrecision(_BestAt):
    """Compute the largest recall among the thresholds whose precision is at least `precision`.

    Args:
        precision: Required precision, from 0 to 1.
        num_thresholds: Number of evenly spaced thresholds to try.
        class_id: Index, along the last axis, of the only class to consider; None (the default) considers all classes.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: `precision` is not between 0 and 1, or `num_thresholds` is not positive.

    Source: https://keras.io/api/metrics/classification_metrics/#recallatprecision-class
    """

    _best, _enough, _word = ("tp", "fn"), ("tp", "fp"), "precision"

    def __init__(
        self,
        precision: float,
        num_thresholds: int = 200,
        class_id: int | None = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        self._set_up(precision, num_thresholds, class_id, name, dtype)

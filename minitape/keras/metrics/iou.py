"""F scores, and intersection over union.

    FBetaScore, F1Score                   weighted harmonic means of precision and recall
    IoU, MeanIoU, BinaryIoU               intersection of two regions divided by their union
    OneHotIoU, OneHotMeanIoU              intersection over union for one-hot labels

Source: https://keras.io/api/metrics/segmentation_metrics/ and classification_metrics/
"""

from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import listed
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Array, Value
from minitape.core.variable import Variable
from minitape.errors import TapeValueError
from minitape.keras import config
from minitape.keras.metrics.metric import Metric
from minitape.keras.metrics.regression import check_tables
from minitape.ops.axes import as_sizes, whole_number


class FBetaScore(Metric):
    """Compute (1 + β²)·precision·recall / (β²·precision + recall).

    Args:
        average: None returns one score for each class, "micro" computes one score from all predictions together, "macro" the
            mean over the classes, and "weighted" the mean weighted by the frequency of the classes.
        beta: Weight β of recall relative to precision; a positive float.
        threshold: Predictions above this value are positive; None (the default) means that only the largest prediction of
            each row is positive.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: `average` is unknown, `beta` is not a positive float, `threshold` is not in (0, 1], or inputs do not
            have rank 2.

    Source: https://keras.io/api/metrics/classification_metrics/
    """

    _arguments: tuple[str, ...] = ("average", "beta", "threshold")

    def __init__(
        self,
        average: str | None = None,
        beta: float = 1.0,
        threshold: float | None = None,
        name: str | None = "fbeta_score",
        dtype: Any = None,
    ) -> None:
        super().__init__(dtype, name)
        if average not in (None, "micro", "macro", "weighted"):
            raise TapeValueError(
                f"Invalid `average` argument value: {average}",
                fix="pass `average=None`, `'micro'`, `'macro'` or `'weighted'`",
            )
        if not isinstance(beta, float) or beta <= 0:
            raise TapeValueError(
                f"Invalid `beta` argument value, which should be a float > 0: {beta}",
                fix="pass `beta=1.0`",
            )
        if threshold is not None and not (isinstance(threshold, float) and 0 < threshold <= 1):
            raise TapeValueError(
                f"Invalid `threshold` argument value, which should be a float in (0, 1]: {threshold}",
                fix="pass `threshold=0.5`",
            )
        self.average, self.beta, self.threshold = average, beta, threshold
        self._sums: list[Variable] = []

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch.

        Args:
            y_true: Labels 0 or 1, shape [examples, classes].
            y_pred: Predictions, shape [examples, classes].
            sample_weight: Weights, shape [examples]; None weights all equally.

        Raises:
            ValueError: an argument does not have rank 2.
        """
        number: Any = self._dtype.as_numpy_dtype
        true, predicted = (
            np.asarray(convert_to_tensor(each)._array, number) for each in (y_true, y_pred)
        )
        check_tables("FBetaScore", true, predicted)
        if not self._sums:
            shape = () if self.average == "micro" else (predicted.shape[-1],)
            parts = ("true_positives", "false_positives", "false_negatives", "intermediate_weights")
            self._sums = [self.add_variable(shape, "zeros", self._dtype, name=p) for p in parts]
        if self.threshold is None:
            largest = predicted.max(-1, keepdims=True)
            is_yes = (predicted >= largest) & (np.abs(predicted) > 1e-9)
        else:
            is_yes = predicted > number(self.threshold)
        yes = is_yes.astype(number)
        weights = np.ones((len(true), 1), number)
        if sample_weight is not None:
            weights = np.asarray(convert_to_tensor(sample_weight)._array, number)[:, None]
        axis = None if self.average == "micro" else 0
        new = (yes * true, yes * (1 - true), (1 - yes) * true, true)
        for total, part in zip(self._sums, new, strict=True):
            total.assign_add((part * weights).sum(axis, dtype=number))

    def result(self) -> Value:
        """Return the score so far.

        Returns:
            A scalar, or one score for each class with `average=None`.
        """
        right, wrong, missed, weights = (each._array for each in self._sums)
        little = config.epsilon()
        precision, recall = right / (right + wrong + little), right / (right + missed + little)
        factor = self.beta**2
        scores = precision * recall / (factor * precision + recall + little) * (1 + factor)
        if self.average == "weighted":
            scores = (scores * (weights / (weights.sum() + little))).sum()
        elif self.average is not None:
            scores = scores.mean()
        score: Value = convert_to_tensor(np.asarray(scores, right.dtype))
        return score


class F1Score(FBetaScore):
    """Compute `FBetaScore` with β = 1: the harmonic mean of precision and recall.

    Args:
        average: None returns one score for each class, "micro" computes one score from all predictions together, "macro" the
            mean over the classes, and "weighted" the mean weighted by the frequency of the classes.
        threshold: Predictions above this value are positive; None (the default) means that only the largest prediction of
            each row is positive.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: `average` is unknown, `threshold` is not in (0, 1], or inputs do not have rank 2.

    Source: https://keras.io/api/metrics/classification_metrics/
    """

    _arguments: tuple[str, ...] = ("average", "threshold")

    def __init__(
        self,
        average: str | None = None,
        threshold: float | None = None,
        name: str | None = "f1_score",
        dtype: Any = None,
    ) -> None:
        super().__init__(average, 1.0, threshold, name, dtype)


class IoU(Metric):
    """Compute the mean intersection over union, tp / (tp + fp + fn), of some classes.

    Args:
        num_classes: Number of classes.
        target_class_ids: List of the class indices over which the mean is computed.
        name: Name of the metric.
        dtype: Dtype of the counts; int64 by default.
        ignore_class: Label whose examples are ignored; None (the default) means no label.
        sparse_y_true: Whether labels are class indices (True) or one-hot rows (False).
        sparse_y_pred: Whether predictions are class indices (True) or scores for each class (False).
        axis: Axis of the classes of one-hot rows and scores.

    Raises:
        ValueError: `target_class_ids` is empty or contains an index that is not below `num_classes`.

    Source: https://keras.io/api/metrics/segmentation_metrics/#iou-class
    """

    _arguments: tuple[str, ...] = (
        *("num_classes", "target_class_ids", "ignore_class"),
        *("sparse_y_true", "sparse_y_pred", "axis"),
    )

    def __init__(
        self,
        num_classes: int,
        target_class_ids: Any,
        name: str | None = None,
        dtype: Any = None,
        ignore_class: int | None = None,
        sparse_y_true: bool = True,
        sparse_y_pred: bool = True,
        axis: int = -1,
    ) -> None:
        super().__init__(dtypes.int64 if dtype is None else dtype, name)
        self.num_classes = whole_number(num_classes)
        self.target_class_ids = list(
            map(whole_number, listed(target_class_ids, "target_class_ids"))
        )
        self.ignore_class, self.axis = ignore_class, axis
        self.sparse_y_true, self.sparse_y_pred = sparse_y_true, sparse_y_pred
        if not self.target_class_ids or num_classes < 1:
            raise TapeValueError(
                f"`num_classes` and `target_class_ids` must specify at least one class. Received: num_classes={num_classes}, "
                f"target_class_ids={self.target_class_ids}.",
                fix="pass `num_classes=2, target_class_ids=[0, 1]`",
            )
        if max(self.target_class_ids) >= num_classes:
            raise TapeValueError(
                f"Target class id {max(self.target_class_ids)} is out of range, which is [0, {num_classes}).",
                fix=f"use `target_class_ids` from 0 to {num_classes - 1}",
            )
        square = (num_classes, num_classes)
        self.total_cm = self.add_variable(
            square, "zeros", self._dtype, name="total_confusion_matrix"
        )

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch.

        Args:
            y_true: Labels, which are class indices or one-hot rows.
            y_pred: Predictions, which are class indices or scores.
            sample_weight: Weights, one for each label; None weights all equally.
        """
        true = self._classes(y_true, self.sparse_y_true)
        predicted = self._classes(y_pred, self.sparse_y_pred)
        number = self._dtype.as_numpy_dtype
        weights = np.asarray(1 if sample_weight is None else sample_weight).astype(number)
        weights = np.broadcast_to(weights.reshape(-1) if weights.ndim > 1 else weights, true.shape)
        is_known = (true >= 0) & (true < self.num_classes)
        is_known &= (predicted >= 0) & (predicted < self.num_classes)
        if self.ignore_class is not None:
            is_known &= true != self.ignore_class
        counts = self.total_cm._array.copy()
        np.add.at(counts, (true[is_known], predicted[is_known]), weights[is_known])
        self.total_cm.assign(counts)

    def _classes(self, given: Any, is_sparse: bool) -> Array:
        array = convert_to_tensor(given)._array
        classes = array if is_sparse else array.argmax(self.axis)
        return classes.astype(np.int64).reshape(-1)

    def result(self) -> Value:
        """Return the mean so far, over the classes that occur.

        Returns:
            A scalar.
        """
        counts = self.total_cm._array
        common = np.diag(counts)[self.target_class_ids].astype(np.float32)
        both = (counts.sum(0) + counts.sum(1) - np.diag(counts))[self.target_class_ids]
        both = both.astype(np.float32)
        little = np.float32(config.epsilon())
        ratios = np.where(both > 1e-9, common / (both + little), np.float32(0))
        mean: Value = convert_to_tensor(
            ratios.sum() / ((both > 1e-9).sum(dtype=np.float32) + little)
        )
        return mean


class MeanIoU(IoU):
    """Compute the mean `IoU` of all classes.

    Args:
        num_classes: Number of classes.
        name: Name of the metric.
        dtype: Dtype of the counts; int64 by default.
        ignore_class: Label whose examples are ignored; None (the default) means no label.
        sparse_y_true: Whether labels are class indices (True) or one-hot rows (False).
        sparse_y_pred: Whether predictions are class indices (True) or scores for each class (False).
        axis: Axis of the classes of one-hot rows and scores.

    Source: https://keras.io/api/metrics/segmentation_metrics/#meaniou-class
    """

    _arguments: tuple[str, ...] = (
        "num_classes",
        "ignore_class",
        "sparse_y_true",
        "sparse_y_pred",
        "axis",
    )

    def __init__(
        self,
        num_classes: int,
        name: str | None = None,
        dtype: Any = None,
        ignore_class: int | None = None,
        sparse_y_true: bool = True,
        sparse_y_pred: bool = True,
        axis: int = -1,
    ) -> None:
        super().__init__(
            *(num_classes, range(*as_sizes([num_classes])), name, dtype),
            *(ignore_class, sparse_y_true, sparse_y_pred, axis),
        )


class BinaryIoU(IoU):
    """Compute the `IoU` of two classes from probabilities.

    Args:
        target_class_ids: Classes over which the mean is computed: (0,), (1,) or (0, 1).
        threshold: Predictions of at least this value count as class 1.
        name: Name of the metric.
        dtype: Dtype of the counts; int64 by default.

    Source: https://keras.io/api/metrics/segmentation_metrics/#binaryiou-class
    """

    _arguments: tuple[str, ...] = ("target_class_ids", "threshold")

    def __init__(
        self,
        target_class_ids: Any = (0, 1),
        threshold: float = 0.5,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(2, target_class_ids, name, dtype)
        self.threshold = threshold

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch.

        Args:
            y_true: Labels 0 or 1.
            y_pred: Predictions from 0 to 1.
            sample_weight: Weights, one for each label; None weights all equally.
        """
        is_yes = convert_to_tensor(y_pred)._array.astype(np.float32) >= np.float32(self.threshold)
        super().update_state(y_true, is_yes, sample_weight)


class OneHotIoU(IoU):
    """Compute the `IoU` of one-hot labels.

    Args:
        num_classes: Number of classes.
        target_class_ids: List of the class indices over which the mean is computed.
        name: Name of the metric.
        dtype: Dtype of the counts; int64 by default.
        ignore_class: Label whose examples are ignored; None (the default) means no label.
        sparse_y_pred: Whether predictions are class indices instead of scores for each class.
        axis: Axis of the classes of one-hot rows and scores.

    Source: https://keras.io/api/metrics/segmentation_metrics/#onehotiou-class
    """

    _arguments: tuple[str, ...] = (
        "num_classes",
        "target_class_ids",
        "ignore_class",
        "sparse_y_pred",
        "axis",
    )

    def __init__(
        self,
        num_classes: int,
        target_class_ids: Any,
        name: str | None = None,
        dtype: Any = None,
        ignore_class: int | None = None,
        sparse_y_pred: bool = False,
        axis: int = -1,
    ) -> None:
        super().__init__(
            *(num_classes, target_class_ids, name, dtype),
            *(ignore_class, False, sparse_y_pred, axis),
        )


class OneHotMeanIoU(MeanIoU):
    """Compute the `MeanIoU` of one-hot labels.

    Args:
        num_classes: Number of classes.
        name: Name of the metric.
        dtype: Dtype of the counts; int64 by default.
        ignore_class: Label whose examples are ignored; None (the default) means no label.
        sparse_y_pred: Whether predictions are class indices instead of scores for each class.
        axis: Axis of the classes of one-hot rows and scores.

    Source: https://keras.io/api/metrics/segmentation_metrics/#onehotmeaniou-class
    """

    _arguments: tuple[str, ...] = ("num_classes", "ignore_class", "sparse_y_pred", "axis")

    def __init__(
        self,
        num_classes: int,
        name: str | None = None,
        dtype: Any = None,
        ignore_class: int | None = None,
        sparse_y_pred: bool = False,
        axis: int = -1,
    ) -> None:
        super().__init__(num_classes, name, dtype, ignore_class, False, sparse_y_pred, axis)

"""How far off predictions were: means of losses, and what cannot be said of one example alone.

Source: https://keras.io/api/metrics/regression_metrics/, probabilistic_metrics/ and hinge_metrics/
"""

import warnings
from typing import Any

import numpy as np

from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.errors import TapeValueError
from minitape.keras import config, losses
from minitape.keras.losses.loss import in_one_rank, pair
from minitape.keras.metrics.metric import Mean, MeanMetricWrapper, Metric
from minitape.ops.arithmetic import sqrt, square
from minitape.ops.broadcasting import reduce_mean
from minitape.ops.passing import cast
from minitape.ops.statistics import reduce_std, reduce_variance


class MeanSquaredError(MeanMetricWrapper):
    """The mean of the squared differences."""

    def __init__(self, name: str | None = "mean_squared_error", dtype: Any = None) -> None:
        super().__init__(losses.mean_squared_error, name, dtype)


class RootMeanSquaredError(Mean):
    """The root of the mean of the squared differences."""

    def __init__(self, name: str | None = "root_mean_squared_error", dtype: Any = None) -> None:
        super().__init__(name, dtype)

    def update_state(  # type: ignore[override]  # Keras's: two values in place of one
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> None:
        """Add a batch."""
        given = (cast(convert_to_tensor(each), self._dtype) for each in (y_true, y_pred))
        true, predicted = in_one_rank(*given)
        super().update_state(square(predicted - true), sample_weight)

    def result(self) -> Value:
        """The root so far."""
        return sqrt(super().result())


class MeanAbsoluteError(MeanMetricWrapper):
    """The mean of the distances."""

    def __init__(self, name: str | None = "mean_absolute_error", dtype: Any = None) -> None:
        super().__init__(losses.mean_absolute_error, name, dtype)


class MeanAbsolutePercentageError(MeanMetricWrapper):
    """The mean of the distances, in percent of the truth."""

    def __init__(
        self, name: str | None = "mean_absolute_percentage_error", dtype: Any = None
    ) -> None:
        super().__init__(losses.mean_absolute_percentage_error, name, dtype)


class MeanSquaredLogarithmicError(MeanMetricWrapper):
    """The mean of the squared differences of logarithms."""

    def __init__(
        self, name: str | None = "mean_squared_logarithmic_error", dtype: Any = None
    ) -> None:
        super().__init__(losses.mean_squared_logarithmic_error, name, dtype)


def _cosine(y_true: Any, y_pred: Any, axis: int = -1) -> Value:
    return -losses.cosine_similarity(y_true, y_pred, axis)


class CosineSimilarity(MeanMetricWrapper):
    """The mean of the cosines of the angles between truth and prediction: 1 for the same direction."""

    def __init__(
        self, name: str | None = "cosine_similarity", dtype: Any = None, axis: int = -1
    ) -> None:
        super().__init__(_cosine, name, dtype, axis=axis)


class LogCoshError(MeanMetricWrapper):
    """The mean of log cosh of the differences."""

    def __init__(self, name: str | None = "logcosh", dtype: Any = None) -> None:
        super().__init__(losses.log_cosh, name, dtype)


class BinaryCrossentropy(MeanMetricWrapper):
    """The mean of `tf.keras.losses.binary_crossentropy`."""

    def __init__(
        self,
        name: str | None = "binary_crossentropy",
        dtype: Any = None,
        from_logits: bool = False,
        label_smoothing: float = 0,
    ) -> None:
        settings = {"from_logits": from_logits, "label_smoothing": label_smoothing}
        super().__init__(losses.binary_crossentropy, name, dtype, **settings)


class CategoricalCrossentropy(MeanMetricWrapper):
    """The mean of `tf.keras.losses.categorical_crossentropy`."""

    def __init__(
        self,
        name: str | None = "categorical_crossentropy",
        dtype: Any = None,
        from_logits: bool = False,
        label_smoothing: float = 0,
        axis: int = -1,
    ) -> None:
        settings = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        super().__init__(losses.categorical_crossentropy, name, dtype, **settings)


class SparseCategoricalCrossentropy(MeanMetricWrapper):
    """The mean of `tf.keras.losses.sparse_categorical_crossentropy`."""

    def __init__(
        self,
        name: str | None = "sparse_categorical_crossentropy",
        dtype: Any = None,
        from_logits: bool = False,
        ignore_class: int | None = None,
        axis: int = -1,
    ) -> None:
        settings = {"from_logits": from_logits, "ignore_class": ignore_class, "axis": axis}
        super().__init__(losses.sparse_categorical_crossentropy, name, dtype, **settings)


class KLDivergence(MeanMetricWrapper):
    """The mean of `tf.keras.losses.kld`."""

    def __init__(self, name: str | None = "kl_divergence", dtype: Any = None) -> None:
        super().__init__(losses.kl_divergence, name, dtype)


class Poisson(MeanMetricWrapper):
    """The mean of `tf.keras.losses.poisson`."""

    def __init__(self, name: str | None = "poisson", dtype: Any = None) -> None:
        super().__init__(losses.poisson, name, dtype)


class Hinge(MeanMetricWrapper):
    """The mean of `tf.keras.losses.hinge`."""

    def __init__(self, name: str | None = "hinge", dtype: Any = None) -> None:
        super().__init__(losses.hinge, name, dtype)


class SquaredHinge(MeanMetricWrapper):
    """The mean of `tf.keras.losses.squared_hinge`."""

    def __init__(self, name: str | None = "squared_hinge", dtype: Any = None) -> None:
        super().__init__(losses.squared_hinge, name, dtype)


class CategoricalHinge(MeanMetricWrapper):
    """The mean of `tf.keras.losses.categorical_hinge`."""

    def __init__(self, name: str | None = "categorical_hinge", dtype: Any = None) -> None:
        super().__init__(losses.categorical_hinge, name, dtype)


# --- how two rows of numbers go together ---


def pearson_correlation(y_true: Any, y_pred: Any, axis: int = -1) -> Value:
    """From -1 to 1: how far truth and prediction rise and fall together, along `axis`."""
    true, predicted = pair(y_true, y_pred)
    scaled = []
    for each in (true, predicted):
        centred = each - reduce_mean(each, axis=axis, keepdims=True)
        scaled.append(centred / reduce_std(centred, axis=axis, keepdims=True))
    return reduce_mean(scaled[0] * scaled[1], axis=axis)


class PearsonCorrelation(MeanMetricWrapper):
    """The mean of `pearson_correlation`."""

    def __init__(
        self, name: str | None = "pearson_correlation", dtype: Any = None, axis: int = -1
    ) -> None:
        super().__init__(pearson_correlation, name, dtype, axis=axis)


def concordance_correlation(y_true: Any, y_pred: Any, axis: int = -1) -> Value:
    """As `pearson_correlation`, less where the means or the spreads differ."""
    true, predicted = pair(y_true, y_pred)
    means = [reduce_mean(each, axis=axis, keepdims=True) for each in (true, predicted)]
    spreads = [
        reduce_variance(each - mean, axis=axis, keepdims=True)
        for each, mean in zip((true, predicted), means, strict=True)
    ]
    together = (true - means[1]) * (predicted - means[1])
    norm = spreads[0] + spreads[1] + square(means[0] - means[1])
    return reduce_mean(2.0 * together / (norm + config.epsilon()), axis=axis)


class ConcordanceCorrelation(MeanMetricWrapper):
    """The mean of `concordance_correlation`."""

    def __init__(
        self, name: str | None = "concordance_correlation", dtype: Any = None, axis: int = -1
    ) -> None:
        super().__init__(concordance_correlation, name, dtype, axis=axis)


class R2Score(Metric):
    """1 minus the squared differences over those of the mean: 1 for perfect, 0 for no better than the mean.

    Args:
        class_aggregation: "uniform_average" over the outputs, "variance_weighted_average", or None for one number each.
        num_regressors: How many inputs there are, for the score that is adjusted for them; 0 for the plain one.
        name: Its name.
        dtype: Of its numbers.

    Raises:
        ValueError: another `class_aggregation`; a number below 0; inputs that are no table.

    Source: https://keras.io/api/metrics/regression_metrics/#r2score-class
    """

    _arguments = ("class_aggregation", "num_regressors")

    def __init__(
        self,
        class_aggregation: str | None = "uniform_average",
        num_regressors: int = 0,
        name: str | None = "r2_score",
        dtype: Any = None,
    ) -> None:
        super().__init__(dtype, name)
        if class_aggregation not in (None, "uniform_average", "variance_weighted_average"):
            raise TapeValueError(
                f"Invalid value for argument `class_aggregation`: {class_aggregation}",
                fix="'uniform_average', 'variance_weighted_average' or None",
            )
        if num_regressors < 0:
            raise TapeValueError(
                f"Invalid value for argument `num_regressors`: {num_regressors}",
                fix="num_regressors=0",
            )
        self.class_aggregation, self.num_regressors = class_aggregation, num_regressors
        self.num_samples = self.add_variable((), "zeros", name="num_samples")
        self._sums: list[Variable] = []

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch: two tables of shape [examples, outputs]."""
        true, predicted = in_one_rank(
            *(cast(convert_to_tensor(each), self._dtype) for each in (y_true, y_pred))
        )
        check_tables("R2Score", true, predicted)
        if not self._sums:
            outputs = (predicted.shape[-1],)
            parts = ("squared_sum", "sum", "residual", "count")
            self._sums = [self.add_variable(outputs, "zeros", name=part) for part in parts]
        y, error = true._array, true._array - predicted._array
        weights = np.asarray(1 if sample_weight is None else sample_weight, y.dtype)
        weights = np.broadcast_to(weights[:, None] if weights.ndim == 1 else weights, y.shape)
        for total, new in zip(self._sums, (y * y, y, error * error, 1.0), strict=True):
            total.assign_add((new * weights).sum(0, dtype=total._array.dtype))
        self.num_samples.assign_add(self.num_samples._array.dtype.type(y.size))

    def result(self) -> Value:
        """The score so far."""
        squares, sums, residual, count = (each._array for each in self._sums)
        total = squares - sums * (sums / count)
        scores = 1 - residual / total
        scores = np.where(np.isinf(scores), 0, scores).astype(residual.dtype)
        if self.class_aggregation == "uniform_average":
            scores = scores.mean()
        elif self.class_aggregation is not None:
            scores = (total * scores).sum() / total.sum()
        score: Value = convert_to_tensor(self._adjusted(scores))
        return score

    def _adjusted(self, score: Any) -> Any:
        many = self.num_samples._array
        if not self.num_regressors:
            return score
        if self.num_regressors >= many - 1:
            warnings.warn(
                "The adjusted R2 score needs more examples than regressors: this is the plain one.",
                stacklevel=3,
            )
            return score
        return 1 - (1 - score) * (many - 1) / (many - many.dtype.type(self.num_regressors) - 1)


def check_tables(metric: str, true: Any, predicted: Any) -> None:
    """Refuse what is no table of shape [examples, outputs].

    Raises:
        ValueError: another rank.
    """
    if len(true.shape) != 2 or len(predicted.shape) != 2:
        raise TapeValueError(
            f"{metric} expects 2D inputs with shape (batch_size, output_dim). "
            f"Received input shapes: y_pred.shape={predicted.shape} and y_true.shape={true.shape}.",
            fix="tf.reshape(y, [-1, 1]) for one output",
        )

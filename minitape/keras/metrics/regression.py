"""Metrics that are means of losses, and metrics that need more than one example, such as correlations.

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
from minitape.ops.identity import cast
from minitape.ops.statistics import reduce_std, reduce_variance


class MeanSquaredError(MeanMetricWrapper):
    """Compute the mean of the squared differences.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/regression_metrics/#meansquarederror-class
    """

    def __init__(self, name: str | None = "mean_squared_error", dtype: Any = None) -> None:
        super().__init__(losses.mean_squared_error, name, dtype)


class RootMeanSquaredError(Mean):
    """Compute the square root of the mean of the squared differences.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/regression_metrics/#rootmeansquarederror-class
    """

    def __init__(self, name: str | None = "root_mean_squared_error", dtype: Any = None) -> None:
        super().__init__(name, dtype)

    def update_state(  # type: ignore[override]  # as in Keras, two arguments instead of one
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> None:
        """Add a batch.

        Args:
            y_true: Labels.
            y_pred: Predictions, with the shape of `y_true`.
            sample_weight: Weights that broadcast to the examples; None weights all equally.
        """
        given = (cast(convert_to_tensor(each), self._dtype) for each in (y_true, y_pred))
        true, predicted = in_one_rank(*given)
        super().update_state(square(predicted - true), sample_weight)

    def result(self) -> Value:
        """Return the root of the mean so far.

        Returns:
            A scalar.
        """
        return sqrt(super().result())


class MeanAbsoluteError(MeanMetricWrapper):
    """Compute the mean of the absolute differences.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/regression_metrics/#meanabsoluteerror-class
    """

    def __init__(self, name: str | None = "mean_absolute_error", dtype: Any = None) -> None:
        super().__init__(losses.mean_absolute_error, name, dtype)


class MeanAbsolutePercentageError(MeanMetricWrapper):
    """Compute the mean of the absolute differences as a percentage of the labels.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/regression_metrics/#meanabsolutepercentageerror-class
    """

    def __init__(
        self, name: str | None = "mean_absolute_percentage_error", dtype: Any = None
    ) -> None:
        super().__init__(losses.mean_absolute_percentage_error, name, dtype)


class MeanSquaredLogarithmicError(MeanMetricWrapper):
    """Compute the mean of the squared differences between log(1 + ŷ) and log(1 + y).

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/regression_metrics/#meansquaredlogarithmicerror-class
    """

    def __init__(
        self, name: str | None = "mean_squared_logarithmic_error", dtype: Any = None
    ) -> None:
        super().__init__(losses.mean_squared_logarithmic_error, name, dtype)


def _cosine(y_true: Any, y_pred: Any, axis: int = -1) -> Value:
    return -losses.cosine_similarity(y_true, y_pred, axis)


class CosineSimilarity(MeanMetricWrapper):
    """Compute the mean cosine of the angle between labels and predictions, which is 1 if they have the same direction.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.
        axis: Axis of the vectors' components.

    Source: https://keras.io/api/metrics/regression_metrics/#cosinesimilarity-class
    """

    def __init__(
        self, name: str | None = "cosine_similarity", dtype: Any = None, axis: int = -1
    ) -> None:
        super().__init__(_cosine, name, dtype, axis=axis)


class LogCoshError(MeanMetricWrapper):
    """Compute the mean of log(cosh(ŷ - y)).

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/regression_metrics/#logcosherror-class
    """

    def __init__(self, name: str | None = "logcosh", dtype: Any = None) -> None:
        super().__init__(losses.log_cosh, name, dtype)


class BinaryCrossentropy(MeanMetricWrapper):
    """Compute the mean of `tf.keras.losses.binary_crossentropy`.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.
        from_logits: Whether predictions are logits instead of probabilities.
        label_smoothing: Fraction from 0 to 1 by which the labels move toward a uniform distribution.

    Source: https://keras.io/api/metrics/probabilistic_metrics/#binarycrossentropy-class
    """

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
    """Compute the mean of `tf.keras.losses.categorical_crossentropy`.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.
        from_logits: Whether predictions are logits instead of probabilities.
        label_smoothing: Fraction from 0 to 1 by which the labels move toward a uniform distribution.
        axis: Axis of the classes.

    Source: https://keras.io/api/metrics/probabilistic_metrics/#categoricalcrossentropy-class
    """

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
    """Compute the mean of `tf.keras.losses.sparse_categorical_crossentropy`.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.
        from_logits: Whether predictions are logits instead of probabilities.
        ignore_class: Label whose loss counts as 0; None (the default) means no label.
        axis: Axis of the classes; must be the last one.

    Source: https://keras.io/api/metrics/probabilistic_metrics/#sparsecategoricalcrossentropy-class
    """

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
    """Compute the mean of `tf.keras.losses.kl_divergence`.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/probabilistic_metrics/#kldivergence-class
    """

    def __init__(self, name: str | None = "kl_divergence", dtype: Any = None) -> None:
        super().__init__(losses.kl_divergence, name, dtype)


class Poisson(MeanMetricWrapper):
    """Compute the mean of `tf.keras.losses.poisson`.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/probabilistic_metrics/#poisson-class
    """

    def __init__(self, name: str | None = "poisson", dtype: Any = None) -> None:
        super().__init__(losses.poisson, name, dtype)


class Hinge(MeanMetricWrapper):
    """Compute the mean of `tf.keras.losses.hinge`.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/hinge_metrics/#hinge-class
    """

    def __init__(self, name: str | None = "hinge", dtype: Any = None) -> None:
        super().__init__(losses.hinge, name, dtype)


class SquaredHinge(MeanMetricWrapper):
    """Compute the mean of `tf.keras.losses.squared_hinge`.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/hinge_metrics/#squaredhinge-class
    """

    def __init__(self, name: str | None = "squared_hinge", dtype: Any = None) -> None:
        super().__init__(losses.squared_hinge, name, dtype)


class CategoricalHinge(MeanMetricWrapper):
    """Compute the mean of `tf.keras.losses.categorical_hinge`.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/hinge_metrics/#categoricalhinge-class
    """

    def __init__(self, name: str | None = "categorical_hinge", dtype: Any = None) -> None:
        super().__init__(losses.categorical_hinge, name, dtype)


# --- correlations and R² ---


def pearson_correlation(y_true: Any, y_pred: Any, axis: int = -1) -> Value:
    """Compute Pearson's correlation coefficient of labels and predictions along `axis`, which is between -1 and 1.

    Args:
        y_true: Labels.
        y_pred: Predictions.
        axis: Axis along which the correlation is computed.

    Returns:
        Coefficients in the shape of the arguments without the axis `axis`.
    """
    true, predicted = pair(y_true, y_pred)
    scaled = []
    for each in (true, predicted):
        centered = each - reduce_mean(each, axis=axis, keepdims=True)
        scaled.append(centered / reduce_std(centered, axis=axis, keepdims=True))
    return reduce_mean(scaled[0] * scaled[1], axis=axis)


class PearsonCorrelation(MeanMetricWrapper):
    """Compute the mean of `pearson_correlation`.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.
        axis: Axis along which the correlation is computed.

    Source: https://keras.io/api/metrics/regression_metrics/
    """

    def __init__(
        self, name: str | None = "pearson_correlation", dtype: Any = None, axis: int = -1
    ) -> None:
        super().__init__(pearson_correlation, name, dtype, axis=axis)


def concordance_correlation(y_true: Any, y_pred: Any, axis: int = -1) -> Value:
    """Compute the concordance correlation coefficient along `axis`, which is below Pearson's if means or variances differ.

    Args:
        y_true: Labels.
        y_pred: Predictions.
        axis: Axis along which the correlation is computed.

    Returns:
        Coefficients in the shape of the arguments without the axis `axis`.
    """
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
    """Compute the mean of `concordance_correlation`.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.
        axis: Axis along which the correlation is computed.

    Source: https://keras.io/api/metrics/regression_metrics/
    """

    def __init__(
        self, name: str | None = "concordance_correlation", dtype: Any = None, axis: int = -1
    ) -> None:
        super().__init__(concordance_correlation, name, dtype, axis=axis)


class R2Score(Metric):
    """Compute R², which is 1 for perfect predictions and 0 for predictions that are no better than the mean.

    Args:
        class_aggregation: "uniform_average" or "variance_weighted_average" to average the outputs' scores, or None to return
            one score for each output.
        num_regressors: Number of regressors, for the adjusted R²; 0 means no adjustment.
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Raises:
        ValueError: `class_aggregation` is unknown, `num_regressors` is negative, or inputs do not have rank 2.

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
                fix="pass `'uniform_average'`, `'variance_weighted_average'` or `None`",
            )
        if num_regressors < 0:
            raise TapeValueError(
                f"Invalid value for argument `num_regressors`: {num_regressors}",
                fix="pass `num_regressors=0`",
            )
        self.class_aggregation, self.num_regressors = class_aggregation, num_regressors
        self.num_samples = self.add_variable((), "zeros", name="num_samples")
        self._sums: list[Variable] = []

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch.

        Args:
            y_true: Labels, shape [examples, outputs].
            y_pred: Predictions, shape [examples, outputs].
            sample_weight: Weights, shape [examples] or [examples, outputs]; None weights all equally.

        Raises:
            ValueError: an argument does not have rank 2.
        """
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
        """Return the score so far.

        Returns:
            A scalar, or one score for each output with `class_aggregation=None`.
        """
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
                "The adjusted R2 score needs more examples than regressors. The result is the score without adjustment.",
                stacklevel=3,
            )
            return score
        return 1 - (1 - score) * (many - 1) / (many - many.dtype.type(self.num_regressors) - 1)


def check_tables(metric: str, true: Any, predicted: Any) -> None:
    """Raise an error for arguments that do not have the shape [examples, outputs].

    Args:
        metric: Name of the metric in the message.
        true: Labels.
        predicted: Predictions.

    Raises:
        ValueError: an argument does not have rank 2.
    """
    if len(true.shape) != 2 or len(predicted.shape) != 2:
        raise TapeValueError(
            f"{metric} expects 2D inputs with shape (batch_size, output_dim). "
            f"Received input shapes: y_pred.shape={predicted.shape} and y_true.shape={true.shape}.",
            fix="use `tf.reshape(y, [-1, 1])` for a single output",
        )

"""Metrics: numbers about many batches, without gradients.

    Mean, Sum                                    of numbers
    Accuracy and its kin                         how often a prediction was right
    MeanSquaredError, MeanAbsoluteError ...      how far off it was

Each call adds a batch and gives the result so far; `reset_state` begins anew.

Source: https://keras.io/api/metrics/
"""

from collections.abc import Callable
from typing import Any

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.keras import initializers, losses
from minitape.keras.losses.loss import pair
from minitape.keras.naming import in_small_letters
from minitape.missing.known import Known
from minitape.ops.arithmetic import divide_no_nan, sqrt
from minitape.ops.broadcasting import broadcast_to, reduce_mean, reduce_sum
from minitape.ops.comparing import equal
from minitape.ops.extremes import argmax
from minitape.ops.making import ones_like
from minitape.ops.passing import cast
from minitape.ops.shaping import expand_dims, squeeze


class Metric(Known):
    """Keeps what it needs in variables; `update_state` adds to them, `result` makes a number of them.

    Args:
        name: By default that of the class, in small letters.
        dtype: Ignored: float32.

    Source: https://keras.io/api/metrics/base_metric/
    """

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        self.name = name or in_small_letters(type(self))
        self._variables: list[Variable] = []

    def add_variable(self, shape: Any = (), initializer: Any = "zeros", name: Any = None) -> Any:
        """A new number, or table of numbers, that begins anew with `reset_state`."""
        value = initializers.get(initializer)(shape, dtype=dtypes.float32)
        path = f"{self.name}/{name or 'variable'}"
        self._variables.append(Variable(value, trainable=False, name=path))
        return self._variables[-1]

    add_weight = add_variable

    def update_state(self, *args: Any, **kwargs: Any) -> None:
        """Add a batch."""
        raise NotImplementedError(f"{type(self).__name__} has no `update_state`.")

    def result(self) -> Any:
        """The number so far."""
        raise NotImplementedError(f"{type(self).__name__} has no `result`.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.update_state(*args, **kwargs)
        return self.result()

    def reset_state(self) -> None:
        """Begin anew."""
        for variable in self._variables:
            variable.assign(variable * 0.0)

    @property
    def variables(self) -> list[Variable]:
        return list(self._variables)


class Sum(Metric):
    """The sum of all numbers.

    Source: https://keras.io/api/metrics/metrics_wrappers/
    """

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name)
        self.total = self.add_variable(name="total")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        numbers, weights = _weighed(values, sample_weight)
        self.total.assign_add(reduce_sum(numbers * weights))

    def result(self) -> Value:
        return self.total.read_value()


class _Averaging(Metric):
    """What all means share: a total and a count."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self.total = self.add_variable(name="total")
        self.count = self.add_variable(name="count")

    def _add(self, values: Any, sample_weight: Any) -> None:
        numbers, weights = _weighed(values, sample_weight)
        self.total.assign_add(reduce_sum(numbers * weights))
        self.count.assign_add(reduce_sum(weights))

    def result(self) -> Value:
        return divide_no_nan(self.total, self.count)


class Mean(_Averaging):
    """The mean of all numbers, each as heavy as its weight; 0 if there was none.

    Source: https://keras.io/api/metrics/metrics_wrappers/
    """

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name)

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        self._add(values, sample_weight)


def _weighed(values: Any, sample_weight: Any) -> tuple[Value, Value]:
    """Numbers and as many weights; a weight may stand for a whole example."""
    numbers = cast(convert_to_tensor(values), dtypes.float32)
    if sample_weight is None:
        return numbers, ones_like(numbers)
    weights = cast(convert_to_tensor(sample_weight), dtypes.float32)
    while len(weights.shape) > len(numbers.shape) and weights.shape[-1] == 1:
        weights = squeeze(weights, axis=[-1])
    while len(weights.shape) < len(numbers.shape):
        weights = expand_dims(weights, axis=-1)
    return numbers, broadcast_to(weights, numbers.shape)


class MeanMetricWrapper(_Averaging):
    """The mean of `fn(y_true, y_pred)`.

    Args:
        fn: Gives one number for each example.
        name: By default that of the class.
        settings: Handed on to `fn`.

    Source: https://keras.io/api/metrics/metrics_wrappers/
    """

    def __init__(
        self, fn: Callable[..., Any], name: str | None = None, dtype: Any = None, **settings: Any
    ) -> None:
        super().__init__(name)
        self._fn, self._settings = fn, settings

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        self._add(self._fn(y_true, y_pred, **self._settings), sample_weight)


# --- how often right ---


def _right(y_true: Any, y_pred: Any) -> Value:
    true, predicted = pair(y_true, y_pred)
    return cast(equal(true, predicted), dtypes.float32)


def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Value:
    """How often a probability lies on the right side of `threshold`; the mean over the last axis."""
    true, predicted = pair(y_true, y_pred)
    is_yes = cast(predicted > threshold, true.dtype)
    return reduce_mean(cast(equal(true, is_yes), dtypes.float32), axis=-1)


def categorical_accuracy(y_true: Any, y_pred: Any) -> Value:
    """Whether the likeliest class is the one marked in a one-hot row."""
    true, predicted = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    return cast(equal(argmax(true, axis=-1), argmax(predicted, axis=-1)), dtypes.float32)


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Value:
    """Whether the likeliest class is the one with the right number."""
    classes, predicted = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    if len(classes.shape) == len(predicted.shape) and classes.shape[-1] == 1:
        classes = squeeze(classes, axis=[-1])
    likeliest = argmax(predicted, axis=-1)
    return cast(equal(cast(classes, likeliest.dtype), likeliest), dtypes.float32)


class Accuracy(MeanMetricWrapper):
    """How often a prediction equals the truth.

    Source: https://keras.io/api/metrics/accuracy_metrics/
    """

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(_right, name)


class BinaryAccuracy(MeanMetricWrapper):
    """The mean of `binary_accuracy`.

    Source: https://keras.io/api/metrics/accuracy_metrics/
    """

    def __init__(self, name: str | None = None, dtype: Any = None, threshold: float = 0.5) -> None:
        super().__init__(binary_accuracy, name, threshold=threshold)


class CategoricalAccuracy(MeanMetricWrapper):
    """The mean of `categorical_accuracy`.

    Source: https://keras.io/api/metrics/accuracy_metrics/
    """

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(categorical_accuracy, name)


class SparseCategoricalAccuracy(MeanMetricWrapper):
    """The mean of `sparse_categorical_accuracy`.

    Source: https://keras.io/api/metrics/accuracy_metrics/
    """

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(sparse_categorical_accuracy, name)


# --- how far off ---


class MeanSquaredError(MeanMetricWrapper):
    """The mean of the squared differences.

    Source: https://keras.io/api/metrics/regression_metrics/
    """

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(losses.mean_squared_error, name)


class RootMeanSquaredError(MeanSquaredError):
    """The root of the mean of the squared differences.

    Source: https://keras.io/api/metrics/regression_metrics/
    """

    def result(self) -> Value:
        return sqrt(super().result())


class MeanAbsoluteError(MeanMetricWrapper):
    """The mean of the distances.

    Source: https://keras.io/api/metrics/regression_metrics/
    """

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(losses.mean_absolute_error, name)


class BinaryCrossentropy(MeanMetricWrapper):
    """The mean of `binary_crossentropy`.

    Source: https://keras.io/api/metrics/probabilistic_metrics/
    """

    def __init__(
        self, name: str | None = None, dtype: Any = None, from_logits: bool = False
    ) -> None:
        super().__init__(losses.binary_crossentropy, name, from_logits=from_logits)


class CategoricalCrossentropy(MeanMetricWrapper):
    """The mean of `categorical_crossentropy`.

    Source: https://keras.io/api/metrics/probabilistic_metrics/
    """

    def __init__(
        self, name: str | None = None, dtype: Any = None, from_logits: bool = False
    ) -> None:
        super().__init__(losses.categorical_crossentropy, name, from_logits=from_logits)


class SparseCategoricalCrossentropy(MeanMetricWrapper):
    """The mean of `sparse_categorical_crossentropy`.

    Source: https://keras.io/api/metrics/probabilistic_metrics/
    """

    def __init__(
        self, name: str | None = None, dtype: Any = None, from_logits: bool = False
    ) -> None:
        super().__init__(losses.sparse_categorical_crossentropy, name, from_logits=from_logits)


__all__ = [
    "Accuracy",
    "BinaryAccuracy",
    "BinaryCrossentropy",
    "CategoricalAccuracy",
    "CategoricalCrossentropy",
    "Mean",
    "MeanAbsoluteError",
    "MeanMetricWrapper",
    "MeanSquaredError",
    "Metric",
    "RootMeanSquaredError",
    "SparseCategoricalAccuracy",
    "SparseCategoricalCrossentropy",
    "Sum",
    "binary_accuracy",
    "categorical_accuracy",
    "sparse_categorical_accuracy",
]

"""`Metric`, which summarizes many batches in a number, and metrics that are sums and means.

    Metric                           the base class, which keeps its state in variables
    Sum, Mean                        of numbers
    MeanMetricWrapper                the mean of a function of labels and predictions

Source: https://keras.io/api/metrics/base_metric/
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.errors import TapeRuntimeError, TapeValueError
from minitape.keras import config, initializers
from minitape.keras.losses.loss import in_one_rank
from minitape.keras.masks import mask_of
from minitape.keras.naming import names, snake_case
from minitape.ops.arithmetic import divide_no_nan
from minitape.ops.broadcasting import broadcast_to, reduce_mean, reduce_sum
from minitape.ops.identity import cast
from minitape.unsupported.attribute_errors import HelpfulAttributes


class Metric(HelpfulAttributes):
    """Base class of metrics. `update_state` adds a batch to the metric's variables, and `result` computes a number from them.

    For a custom metric, create variables with `self.add_variable(...)` in `__init__`, and define `update_state` and `result`.

    Args:
        dtype: Dtype of the result; `floatx` (float32) by default.
        name: Name of the metric; by default the class name in snake case, with a number.

    Source: https://keras.io/api/metrics/base_metric/
    """

    # Names of the arguments that a subclass adds; `get_config` reads them.
    _arguments: tuple[str, ...] = ()

    def __init__(self, dtype: Any = None, name: str | None = None) -> None:
        self.name = name or names.next_for(snake_case(type(self)))
        self._dtype = config.float_dtype(dtype)
        self._variables: list[Variable] = []

    @property
    def dtype(self) -> str:
        """Return the name of the dtype."""
        return self._dtype.name

    def add_variable(
        self,
        shape: Any,
        initializer: Any,
        dtype: Any = None,
        aggregation: str = "sum",
        name: str | None = None,
    ) -> Variable:
        """Create a variable that `reset_state` sets to 0.

        Args:
            shape: Shape of the variable.
            initializer: Initializer or its name; None means zeros.
            dtype: Dtype of the variable; `floatx` by default.
            aggregation: Ignored, because there is only one device.
            name: Name of the variable; its path is the metric's name followed by this name.

        Returns:
            The new variable.

        Raises:
            RuntimeError: `super().__init__()` was not called.
            ValueError: `aggregation` is unknown.
        """
        if aggregation not in ("none", "mean", "sum", "only_first_replica"):
            raise TapeValueError(
                f"Unknown value of `aggregation`. Received: {aggregation!r}",
                fix='pass `aggregation="sum"`',
            )
        if "_variables" not in vars(self):
            raise TapeRuntimeError(
                f"`{type(self).__name__}` creates a variable before `Metric.__init__` is called.",
                fix="call `super().__init__()` on the first line of `__init__`",
            )
        value = initializers.get(initializer or "zeros")(shape, dtype=config.float_dtype(dtype))
        path = f"{self.name}/{name or 'variable'}"
        self._variables.append(Variable(value, trainable=False, name=path))
        return self._variables[-1]

    def add_weight(
        self, shape: Any = (), initializer: Any = None, dtype: Any = None, name: str | None = None
    ) -> Variable:
        """Create a variable: `add_variable` with other defaults.

        Args:
            shape: Shape of the variable; a scalar by default.
            initializer: Initializer or its name; zeros by default.
            dtype: Dtype of the variable; `floatx` by default.
            name: Name of the variable.

        Returns:
            The new variable.
        """
        return self.add_variable(shape, initializer, dtype, name=name)

    def update_state(self, *args: Any, **kwargs: Any) -> None:
        """Add a batch. Subclasses define this method.

        Args:
            args: Usually labels and predictions.
            kwargs: Usually `sample_weight`.

        Raises:
            NotImplementedError: the class does not define `update_state`.
        """
        raise NotImplementedError(f"`{type(self).__name__}` has no `update_state`.")

    def result(self) -> Any:
        """Return the metric's value so far. Subclasses define this method.

        Returns:
            A tensor.

        Raises:
            NotImplementedError: the class does not define `result`.
        """
        raise NotImplementedError(f"`{type(self).__name__}` has no `result`.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.update_state(*args, **kwargs)
        return self.result()

    def reset_state(self) -> None:
        """Set all variables to 0."""
        for variable in self.variables:
            variable.assign(np.zeros_like(variable._array))

    @property
    def variables(self) -> list[Variable]:
        """Return the metric's own variables, followed by the variables of metrics among its attributes."""
        inner = [each for each in vars(self).values() if isinstance(each, Metric)]
        return [*self._variables, *(variable for each in inner for variable in each.variables)]

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this metric.

        Returns:
            A dict.
        """
        common = {"name": self.name, "dtype": self.dtype}
        return common | {name: getattr(self, name) for name in self._arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Metric":
        """Create a metric from the result of `get_config`.

        Args:
            config: The arguments.

        Returns:
            A new metric.
        """
        return cls(**config)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


def _for_each_example(
    given: Any, sample_weight: Any, reduce: Callable[..., Value], dtype: Any
) -> tuple[Any, Any]:
    """Return one weighted value for each example, and the weights."""
    values = cast(convert_to_tensor(given), dtype)
    if sample_weight is not None:
        weights = cast(convert_to_tensor(sample_weight), dtype)
        mask = mask_of(given)
        if mask is not None:
            weights = with_mask(weights, mask, dtype)
        values, weights = in_one_rank(values, weights)
        rank = weights.ndim
        if values.ndim > rank:
            values = reduce(values, axis=list(range(rank, values.ndim)))
        weights = broadcast_to(weights, values.shape)
        values = values * weights
        if rank > 1:
            weights = reduce(weights, axis=list(range(1, rank)))
    else:
        weights = None
    if values.ndim > 1:
        values = reduce(values, axis=list(range(1, values.ndim)))
    return values, weights


def with_mask(sample_weight: Any, mask: Any, dtype: Any) -> Any:
    """Return weights that exclude masked examples.

    Args:
        sample_weight: The weights, or None.
        mask: The mask, which is False for examples to exclude.
        dtype: Dtype of the result.

    Returns:
        The weights, which are 0 for masked examples.
    """
    kept = cast(convert_to_tensor(mask), dtype)
    if sample_weight is None:
        return kept
    kept, weights = in_one_rank(kept, cast(convert_to_tensor(sample_weight), dtype))
    return weights * kept


class Sum(Metric):
    """Compute the sum of all values.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/reduction_metrics/#sum-class
    """

    def __init__(self, name: str | None = "sum", dtype: Any = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_variable((), "zeros", self._dtype, name="total")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Add values.

        Args:
            values: Values of any shape.
            sample_weight: Weights that broadcast to `values`; None weights all equally.
        """
        numbers, _ = _for_each_example(values, sample_weight, reduce_sum, self._dtype)
        self.total.assign_add(reduce_sum(numbers))

    def result(self) -> Value:
        """Return the sum so far.

        Returns:
            A scalar.
        """
        return self.total.read_value()


class Mean(Metric):
    """Compute the weighted mean over all examples, which is 0 before the first example.

    Args:
        name: Name of the metric.
        dtype: Dtype of the result; `floatx` (float32) by default.

    Source: https://keras.io/api/metrics/reduction_metrics/#mean-class
    """

    def __init__(self, name: str | None = "mean", dtype: Any = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_variable((), "zeros", self._dtype, name="total")
        self.count = self.add_variable((), "zeros", self._dtype, name="count")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Add values; if an example has several, their mean counts once.

        Args:
            values: Values of shape [batch, ...].
            sample_weight: Weights that broadcast to `values`; None weights all equally.
        """
        numbers, weights = _for_each_example(values, sample_weight, reduce_mean, self._dtype)
        self.total.assign_add(reduce_sum(numbers))
        if weights is None:
            many = len(numbers) if numbers.ndim else 1
            self.count.assign_add(convert_to_tensor(many, self._dtype))
        else:
            self.count.assign_add(reduce_sum(weights))

    def result(self) -> Value:
        """Return the mean so far.

        Returns:
            A scalar.
        """
        return divide_no_nan(self.total, self.count)


class MeanMetricWrapper(Mean):
    """Compute the mean of `fn(y_true, y_pred)`.

    Args:
        fn: Function of labels and predictions that returns one value for each example.
        name: Name of the metric; by default the class name in snake case, with a number.
        dtype: Dtype of the result; `floatx` (float32) by default.
        **kwargs: Keyword arguments of `fn`.

    Source: https://keras.io/api/metrics/metrics_wrappers/
    """

    def __init__(
        self, fn: Callable[..., Any], name: str | None = None, dtype: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(name, dtype)
        self._fn, self._settings = fn, kwargs
        for argument, value in kwargs.items():
            setattr(self, argument, value)

    def update_state(  # type: ignore[override]  # as in Keras, two arguments instead of one
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> None:
        """Add the values of `fn` for a batch.

        Args:
            y_true: Labels.
            y_pred: Predictions.
            sample_weight: Weights that broadcast to the examples; None weights all equally.
        """
        mask = mask_of(y_pred)
        values = self._fn(y_true, y_pred, **self._settings)
        if mask is not None:
            sample_weight = with_mask(sample_weight, mask, self._dtype)
        super().update_state(values, sample_weight)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this metric.

        Returns:
            A dict.
        """
        own = {"fn": self._fn} if type(self) is MeanMetricWrapper else {}
        return super().get_config() | own | self._settings

"""Metric: a number about many batches; and those that are a mean.

    Metric                           keeps what it needs in variables
    Sum, Mean                        of numbers
    MeanMetricWrapper                of what a function says of each example

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
from minitape.keras.naming import in_small_letters, names
from minitape.missing.known import Known
from minitape.ops.arithmetic import divide_no_nan
from minitape.ops.broadcasting import broadcast_to, reduce_mean, reduce_sum
from minitape.ops.passing import cast


class Metric(Known):
    """Keeps what it needs in variables; `update_state` adds a batch to them, `result` makes a number of them.

    For a metric of your own: `self.add_variable(...)` in `__init__`, then write `update_state` and `result`.

    Args:
        dtype: Of its numbers; `floatx` by default.
        name: By default that of the class, in small letters, numbered.

    Source: https://keras.io/api/metrics/base_metric/
    """

    # The names of a subclass's own arguments, for `get_config`.
    _arguments: tuple[str, ...] = ()

    def __init__(self, dtype: Any = None, name: str | None = None) -> None:
        self.name = name or names.next_for(in_small_letters(type(self)))
        self._dtype = config.float_dtype(dtype)
        self._variables: list[Variable] = []

    @property
    def dtype(self) -> str:
        return self._dtype.name

    def add_variable(
        self,
        shape: Any,
        initializer: Any,
        dtype: Any = None,
        aggregation: str = "sum",
        name: str | None = None,
    ) -> Variable:
        """A new number, or table of numbers, that begins anew with `reset_state`.

        Args:
            shape: Its shape.
            initializer: Its first value; zeros for None.
            dtype: `floatx` by default.
            aggregation: What several devices would do; there is one.
            name: Its own name; that of the metric is put before it.

        Raises:
            RuntimeError: `super().__init__()` did not run.
            ValueError: another `aggregation` than Keras's.
        """
        if aggregation not in ("none", "mean", "sum", "only_first_replica"):
            raise TapeValueError(f"aggregation is {aggregation!r}.", fix='aggregation="sum"')
        if "_variables" not in vars(self):
            raise TapeRuntimeError(
                f"{type(self).__name__} makes a variable before Metric.__init__ ran.",
                fix="super().__init__() as the first line of __init__",
            )
        value = initializers.get(initializer or "zeros")(shape, dtype=config.float_dtype(dtype))
        path = f"{self.name}/{name or 'variable'}"
        self._variables.append(Variable(value, trainable=False, name=path))
        return self._variables[-1]

    def add_weight(
        self, shape: Any = (), initializer: Any = None, dtype: Any = None, name: str | None = None
    ) -> Variable:
        """As `add_variable`."""
        return self.add_variable(shape, initializer, dtype, name=name)

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
        for variable in self.variables:
            variable.assign(np.zeros_like(variable._array))

    @property
    def variables(self) -> list[Variable]:
        """Its own, then those of metrics among its attributes."""
        inner = [each for each in vars(self).values() if isinstance(each, Metric)]
        return [*self._variables, *(variable for each in inner for variable in each.variables)]

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        common = {"name": self.name, "dtype": self.dtype}
        return common | {name: getattr(self, name) for name in self._arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Metric":
        """A metric from what `get_config` gave."""
        return cls(**config)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


def _for_each_example(
    given: Any, sample_weight: Any, reduce: Callable[..., Value], dtype: Any
) -> tuple[Any, Any]:
    """One number for each example, weighted; and the weights."""
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
    """Weights that leave out what is masked."""
    kept = cast(convert_to_tensor(mask), dtype)
    if sample_weight is None:
        return kept
    kept, weights = in_one_rank(kept, cast(convert_to_tensor(sample_weight), dtype))
    return weights * kept


class Sum(Metric):
    """The sum of all numbers.

    Source: https://keras.io/api/metrics/reduction_metrics/#sum-class
    """

    def __init__(self, name: str | None = "sum", dtype: Any = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_variable((), "zeros", self._dtype, name="total")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Add numbers, each times its weight."""
        numbers, _ = _for_each_example(values, sample_weight, reduce_sum, self._dtype)
        self.total.assign_add(reduce_sum(numbers))

    def result(self) -> Value:
        """The sum so far."""
        return self.total.read_value()


class Mean(Metric):
    """The mean over all examples, each as heavy as its weight; 0 if there was none.

    Source: https://keras.io/api/metrics/reduction_metrics/#mean-class
    """

    def __init__(self, name: str | None = "mean", dtype: Any = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_variable((), "zeros", self._dtype, name="total")
        self.count = self.add_variable((), "zeros", self._dtype, name="count")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Add numbers, or one mean for each example if these have several."""
        numbers, weights = _for_each_example(values, sample_weight, reduce_mean, self._dtype)
        self.total.assign_add(reduce_sum(numbers))
        if weights is None:
            many = len(numbers) if numbers.ndim else 1
            self.count.assign_add(convert_to_tensor(many, self._dtype))
        else:
            self.count.assign_add(reduce_sum(weights))

    def result(self) -> Value:
        """The mean so far."""
        return divide_no_nan(self.total, self.count)


class MeanMetricWrapper(Mean):
    """The mean of `fn(y_true, y_pred)`.

    Args:
        fn: Gives one number for each example.
        name: By default that of the class.
        dtype: Of its numbers.
        kwargs: Handed on to `fn`.

    Source: https://keras.io/api/metrics/metrics_wrappers/
    """

    def __init__(
        self, fn: Callable[..., Any], name: str | None = None, dtype: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(name, dtype)
        self._fn, self._settings = fn, kwargs
        for argument, value in kwargs.items():
            setattr(self, argument, value)

    def update_state(  # type: ignore[override]  # Keras's: two values in place of one
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> None:
        """Add what `fn` says of a batch."""
        mask = mask_of(y_pred)
        values = self._fn(y_true, y_pred, **self._settings)
        if mask is not None:
            sample_weight = with_mask(sample_weight, mask, self._dtype)
        super().update_state(values, sample_weight)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        own = {"fn": self._fn} if type(self) is MeanMetricWrapper else {}
        return super().get_config() | own | self._settings

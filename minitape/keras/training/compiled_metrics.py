"""The losses and metrics of `compile`, created when the first batch shows the model's outputs.

    CompiledLoss      the weighted sum of the losses of all outputs
    CompiledMetrics   all metrics as a single metric, whose result is a dict

The names "accuracy" and "crossentropy" select the variant that fits the shapes: binary, one-hot, or with integer labels.

Source: https://keras.io/api/models/model_training_apis/#compile-method
"""

from collections.abc import Callable, Mapping
from typing import Any

from minitape.core import dtypes, nest
from minitape.core.values import Value
from minitape.errors import TapeKeyError, TapeValueError
from minitape.keras import losses, metrics
from minitape.keras.losses import Loss
from minitape.keras.metrics import Mean, MeanMetricWrapper, Metric
from minitape.keras.naming import snake_case
from minitape.keras.training.outputs import Outputs
from minitape.ops.identity import cast


class WrappedLoss(Loss):
    """A loss that is the mean of the values of a function of labels and predictions.

    Args:
        function: Function of `y_true` and `y_pred`.
        name: Name of the loss.
    """

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        super().__init__(name=name)
        self._function = function

    def call(self, y_true: Any, y_pred: Any) -> Value:
        return self._function(y_true, y_pred)


class CompiledLoss:
    """The loss of a model, which is the weighted sum of the losses of its outputs.

    If there are several losses, `metrics` contains the unweighted mean of each.

    Args:
        loss: A loss for all outputs, or a structure of losses; None for an output without a loss.
        weights: Weights of the losses, as a float or a structure of floats.
        names: Names of the model's outputs.

    Raises:
        ValueError: the number or the kind of the weights does not match the losses.
    """

    def __init__(self, loss: Any, weights: Any, names: list[str] | None) -> None:
        if weights is not None and not isinstance(weights, list | tuple | dict | float):
            raise TapeValueError(
                f"`loss_weights` is a {type(weights).__name__}, but must be a float for a single output, or a list or dict for "
                "several outputs.",
                fix="pass `loss_weights=[1.0, 0.5]`",
            )
        self._loss, self._weights, self._names = loss, weights, names
        self._outputs: Outputs | None = None
        self._means: dict[int, Metric] = {}  # unweighted, by output index

    def _build(self, y_true: Any, y_pred: Any) -> Outputs:
        outputs = self._outputs = Outputs(y_pred, self._names)
        for_all = not nest.is_nested(self._loss)
        given = [self._loss] * len(outputs) if for_all else self._one_each(outputs, y_pred)
        self._functions = [
            _loss(identifier, true, predicted)
            for identifier, true, predicted in zip(
                given,
                self._targets(y_true, given),
                outputs.each(y_pred, "y_pred"),
                strict=True,
            )
        ]
        self._factors = self._weights_for(given, for_all)
        here = [i for i, function in enumerate(self._functions) if function is not None]
        if len(here) > 1:
            called = [outputs.names[i] or self._functions[i].name for i in here]
            self._means = {
                i: Mean(name=f"{name}_loss") for i, name in zip(here, called, strict=True)
            }
        return outputs

    @property
    def metrics(self) -> list[Metric]:
        """Return the means of the losses, in the order of the losses."""
        by_key = self._outputs is not None and self._outputs.has_keys
        if not by_key or not isinstance(self._loss, Mapping):
            return list(self._means.values())
        order = list(self._loss)
        return sorted(
            self._means.values(), key=lambda mean: order.index(mean.name.removesuffix("_loss"))
        )

    def _one_each(self, outputs: Outputs, y_pred: Any) -> list[Any]:
        if isinstance(self._loss, list | tuple) and len(self._loss) != len(outputs):
            raise TapeKeyError(
                f"The model has {len(outputs)} outputs, but `loss` has {len(self._loss)} entries.",
                fix="pass `loss=[...]` with one entry for each output, and `None` for an output without a loss",
            )
        by_name = isinstance(self._loss, Mapping) and isinstance(y_pred, list | tuple)
        if by_name and outputs.names[0] is not None and set(self._loss) != set(outputs.names):
            raise TapeValueError(
                f"Expected keys {outputs.names} in loss dict, but found {list(self._loss)}.",
                fix=f"pass `loss={{{', '.join(f'{name!r}: ...' for name in outputs.names)}}}`",
            )
        return outputs.each(self._loss, "loss")

    def _weights_for(self, given: list[Any], for_all: bool) -> list[Any]:
        if self._weights is None or isinstance(self._weights, float):
            return [self._weights] * len(given)
        wanted = 1 if for_all else sum(each is not None for each in given)
        if len(self._weights) != wanted:
            raise TapeValueError(
                f"`loss_weights` must match the number of losses: there are {wanted} losses and "
                f"{len(self._weights)} weights.",
                fix="pass `loss=[...]` and `loss_weights=[...]` with one entry for each output",
            )
        assert self._outputs is not None
        if len(given) == wanted or isinstance(self._weights, Mapping):
            return self._outputs.each(self._weights, "loss_weights")
        rest = iter(self._weights)
        return [None if each is None else next(rest) for each in given]

    def _targets(self, y_true: Any, losses: list[Any]) -> list[Any]:
        """Return the target of each output; an output without a loss needs no target."""
        assert self._outputs is not None
        wanted = [i for i, loss in enumerate(losses) if loss is not None]
        in_order = isinstance(y_true, list | tuple) and not self._outputs.is_single
        if in_order and len(y_true) == len(wanted) < len(losses):
            rest = iter(y_true)
            return [next(rest) if i in wanted else None for i in range(len(losses))]
        return self._outputs.each(y_true, "y")

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Value | None:
        """Compute the loss of a batch.

        Args:
            y_true: Targets.
            y_pred: The model's outputs.
            sample_weight: Weights of the examples, for all outputs or for each.

        Returns:
            A scalar; None if no output has a loss.
        """
        outputs = self._outputs or self._build(y_true, y_pred)
        weights = (
            outputs.each(sample_weight, "sample_weight")
            if nest.is_nested(sample_weight)
            else [sample_weight] * len(outputs)
        )
        total: Value | None = None
        for i, function, factor, true, predicted, weight in zip(
            range(len(outputs)),
            self._functions,
            self._factors,
            self._targets(y_true, self._functions),
            outputs.each(y_pred, "y_pred"),
            weights,
            strict=True,
        ):
            if function is None:
                continue
            value = cast(function(true, predicted, weight), dtypes.float32)
            if i in self._means:  # all batches have the same weight, as in TensorFlow
                self._means[i].update_state(value)
            value = value if factor is None else value * factor
            total = value if total is None else total + value
        return total


class CompiledMetrics(Metric):
    """All metrics of a model as a single metric, whose result is a dict.

    Args:
        metrics: A list for a single output; for several outputs a list or dict with the metrics of each.
        weighted: Metrics that use `sample_weight`, in the same form as `metrics`.
        names: Names of the model's outputs.

    Raises:
        ValueError: an argument is not a list, tuple or dict; or, when the outputs are known, does not match them.
    """

    def __init__(self, metrics: Any, weighted: Any, names: list[str] | None) -> None:
        super().__init__(name="compile_metrics")
        for what, given in (("metrics", metrics), ("weighted_metrics", weighted)):
            if given and not isinstance(given, list | tuple | dict):
                raise TapeValueError(
                    f"Expected `{what}` argument to be a list, tuple, or dict. Received instead: {given}",
                    fix=f"pass `{what}=[{given!r}]`",
                )
        self._given, self._given_weighted, self._names = metrics, weighted, names
        self._outputs: Outputs | None = None
        self._plain: list[list[Metric]] = []
        self._weighted: list[list[Metric]] = []

    @property
    def metrics(self) -> list[Metric]:
        """Return the metrics; the list is empty before the first batch."""
        return [metric for each in self._plain + self._weighted for metric in each]

    @property
    def variables(self) -> Any:
        """Return the variables of all metrics."""
        return [variable for metric in self.metrics for variable in metric.variables]

    def _build(self, y_true: Any, y_pred: Any) -> Outputs:
        outputs = self._outputs = Outputs(y_pred, self._names)
        pairs = list(zip(outputs.each(y_true, "y"), outputs.each(y_pred, "y_pred"), strict=True))
        self._plain = self._ready(outputs, self._given, "metrics", pairs)
        self._weighted = self._ready(outputs, self._given_weighted, "weighted_metrics", pairs)
        return outputs

    def _ready(self, outputs: Outputs, given: Any, what: str, pairs: Any) -> list[list[Metric]]:
        if not given:
            return [[] for _ in pairs]
        per_output = [given] if outputs.is_single else outputs.each(given, what)
        return [
            [_metric(each, *pair) for each in nest.flatten(wanted) if wanted is not None]
            for wanted, pair in zip(per_output, pairs, strict=True)
        ]

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch to all metrics.

        Args:
            y_true: Targets.
            y_pred: The model's outputs.
            sample_weight: Weights of the examples, for all outputs or for each; only the weighted metrics use them.
        """
        outputs = self._outputs or self._build(y_true, y_pred)
        weights = (
            outputs.each(sample_weight, "sample_weight")
            if nest.is_nested(sample_weight)
            else [sample_weight] * len(outputs)
        )
        for plain, weighted, true, predicted, weight in zip(
            self._plain,
            self._weighted,
            outputs.each(y_true, "y"),
            outputs.each(y_pred, "y_pred"),
            weights,
            strict=True,
        ):
            for metric in plain:
                metric.update_state(true, predicted)
            for metric in weighted:
                metric.update_state(true, predicted, sample_weight=weight)

    def result(self) -> dict[str, Any]:
        """Return the results of all metrics by name.

        Returns:
            A dict.
        """
        results: dict[str, Any] = {}
        if self._outputs is None:
            return results
        for kind, mark in ((self._plain, ""), (self._weighted, "weighted_")):
            for output, listed in zip(self._outputs.names, kind, strict=True):
                prefix = "" if self._outputs.is_single or output is None else f"{output}_"
                for metric in listed:
                    name = f"{prefix}{metric.name}"
                    if name in results and mark:
                        name = f"{prefix}{mark}{metric.name}"
                    results[_free(name, results)] = metric.result()
        return results

    def reset_state(self) -> None:
        """Reset all metrics."""
        for metric in self.metrics:
            metric.reset_state()


def _free(name: str, taken: Mapping[str, Any]) -> str:
    """Return a name, with a number appended if the name is already used."""
    number, free = 0, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


# --- losses and metrics by name ---


def _loss(identifier: Any, y_true: Any, y_pred: Any) -> Any:
    if identifier is None or isinstance(identifier, Loss):
        return identifier
    if str(identifier).lower() in ("crossentropy", "ce"):
        found: Any = _by_shape(
            y_true,
            y_pred,
            one=losses.binary_crossentropy,
            number=losses.sparse_categorical_crossentropy,
            row=losses.categorical_crossentropy,
        )
    else:
        found = losses.get(identifier)
    if isinstance(found, Loss):
        return found
    return WrappedLoss(found, identifier if isinstance(identifier, str) else _name_of(found))


def _metric(identifier: Any, y_true: Any, y_pred: Any) -> Metric:
    if isinstance(identifier, Metric):
        return identifier
    if str(identifier).lower() in ("accuracy", "acc"):
        kind = _by_shape(
            y_true,
            y_pred,
            one=metrics.BinaryAccuracy,
            number=metrics.SparseCategoricalAccuracy,
            row=metrics.CategoricalAccuracy,
        )
        return kind(name=identifier)  # type: ignore[no-any-return]
    found = metrics.get(identifier)
    name = identifier if isinstance(identifier, str) else _name_of(found)
    if isinstance(found, Metric):
        found.name = name
        return found
    return MeanMetricWrapper(found, name=name)


def _by_shape(y_true: Any, y_pred: Any, *, one: Any, number: Any, row: Any) -> Any:
    """Select one of three variants by the shapes: binary, integer labels, or one-hot rows."""
    true, predicted = y_true.shape, y_pred.shape
    if predicted[-1] == 1:
        return one
    return number if len(true) < len(predicted) or true[-1] == 1 else row


def _name_of(thing: Any) -> str:
    if hasattr(thing, "name"):
        return str(thing.name)
    return snake_case(thing if hasattr(thing, "__name__") else type(thing))

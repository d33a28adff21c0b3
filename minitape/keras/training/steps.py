"""One step: what `fit`, `evaluate` and `predict` do with a batch.

`train_step` is the loop that is written by hand everywhere else, for one batch: a tape, a loss, gradients, an optimizer. A model
with a step of its own overrides it and keeps all the rest.

    compile                           what to measure by, and what steps
    train_step, test_step, predict_step
    compute_loss, compute_metrics     of these: the numbers
    compiled_loss, compiled_metrics   the names that older steps call them by

Source: https://keras.io/guides/custom_train_step_in_tensorflow/
"""

import inspect
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from minitape.autodiff.gradient_tape import GradientTape
from minitape.core import dtypes, nest
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import optimizers
from minitape.keras.metrics import Mean, Metric
from minitape.keras.training.measuring import CompiledLoss, CompiledMetrics
from minitape.keras.utils.batches import unpack_x_y_sample_weight
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.passing import cast

# What stands before a step in a loop: it takes the batches of one call from an iterator, and a program may change it.
Function = Callable[[Iterator[Any]], Any]


class Steps:
    """How a model steps: the part of `Model` that knows one batch at a time."""

    train_function: Function | None = None
    test_function: Function | None = None
    predict_function: Function | None = None

    compiled = False
    optimizer: Any = None
    loss: Any = None
    _output_names: list[str] | None = None
    _loss_takes_training = True
    _loss_tracker: Mean | None = None
    _compile_loss: CompiledLoss | None = None
    _compile_metrics: CompiledMetrics | None = None

    def compile(
        self,
        optimizer: Any = "rmsprop",
        loss: Any = None,
        loss_weights: Any = None,
        metrics: Any = None,
        weighted_metrics: Any = None,
        run_eagerly: bool = False,
        steps_per_execution: int = 1,
        jit_compile: Any = "auto",
        auto_scale_loss: bool = True,
    ) -> None:
        """Say what is to be made small, by what, and what else is to be measured.

        Args:
            optimizer: An optimizer or its name.
            loss: A loss, its name, or a function of truth and prediction; a list or dict of them for several outputs. None for
                a model whose losses come from `add_loss`, or that has a `train_step` of its own.
            loss_weights: How much each output's loss counts.
            metrics: A list of metrics, names or functions; a list or dict of such lists for several outputs. "accuracy" means
                the accuracy that fits the shapes.
            weighted_metrics: The same for metrics that heed `sample_weight` and `class_weight`.
            run_eagerly: Accepted: here all runs op by op.
            steps_per_execution: How many batches go by between two calls of the callbacks.
            jit_compile: Accepted: nothing is compiled, and the numbers are the same.
            auto_scale_loss: Accepted: it is about layers of the dtype "mixed_float16", which minitape has not.

        Raises:
            ValueError: names that there are not; metrics or weights of a wrong kind.

        Source: https://keras.io/api/models/model_training_apis/#compile-method
        """
        names = self._output_names
        self.optimizer = optimizers.get(optimizer)
        self.loss = loss
        self._compile_loss = None if loss is None else CompiledLoss(loss, loss_weights, names)
        self._compile_metrics = (
            None
            if metrics is None and weighted_metrics is None
            else CompiledMetrics(metrics, weighted_metrics, names)
        )
        self._loss_tracker = Mean(name="loss")
        self.run_eagerly, self.jit_compile = run_eagerly, jit_compile
        self.auto_scale_loss = auto_scale_loss
        self.steps_per_execution = steps_per_execution
        self.train_function = self.test_function = self.predict_function = None
        self._loss_takes_training = "training" in inspect.signature(self.compute_loss).parameters
        self.compiled = True

    # --- a batch ---

    def train_step(self, data: Any) -> dict[str, Any]:
        """Go one step down: the lesson of the whole library, with metrics.

        Args:
            data: A batch, as `fit` takes it from the data: x, (x, y) or (x, y, sample_weight).

        Returns:
            What goes into the logs.
        """
        x, y, sample_weight = unpack_x_y_sample_weight(data)
        with GradientTape() as tape:
            y_pred = self(x, training=True)  # type: ignore[operator]  # a Model is a Layer too
            loss = self._loss_of(x, y, y_pred, sample_weight, training=True)
            scaled = loss if self.optimizer is None else self.optimizer.scale_loss(loss)
        self._track(loss, x)

        weights = self.trainable_weights  # type: ignore[attr-defined]
        if weights:
            gradients = tape.gradient(scaled, weights)
            self.optimizer.apply_gradients(zip(gradients, weights, strict=True))
        else:
            warnings.warn("The model does not have any trainable weights.", stacklevel=2)
        return self.compute_metrics(x, y, y_pred, sample_weight=sample_weight)

    def test_step(self, data: Any) -> dict[str, Any]:
        """Measure, and change nothing."""
        x, y, sample_weight = unpack_x_y_sample_weight(data)
        y_pred = self(x, training=False)  # type: ignore[operator]
        self._track(self._loss_of(x, y, y_pred, sample_weight, training=False), x)
        return self.compute_metrics(x, y, y_pred, sample_weight=sample_weight)

    def predict_step(self, data: Any) -> Any:
        """Answer, and measure nothing."""
        x, _, _ = unpack_x_y_sample_weight(data)
        return self(x, training=False)  # type: ignore[operator]

    # --- its numbers ---

    def compute_loss(
        self,
        x: Any = None,
        y: Any = None,
        y_pred: Any = None,
        sample_weight: Any = None,
        training: bool = True,
    ) -> Value:
        """What is to be made small: the compiled loss, and all that `add_loss` and the regularizers add to it.

        Raises:
            ValueError: there is none of these.
        """
        parts = []
        if self._compile_loss is not None:
            compiled = self._compile_loss(y, y_pred, sample_weight)
            parts = [] if compiled is None else [compiled]
        parts += [_as_one_number(loss) for loss in self.losses]  # type: ignore[attr-defined]
        if not parts:
            raise TapeValueError(
                "No loss to compute. Provide a `loss` argument in `compile()`.",
                fix='model.compile(optimizer="adam", loss="mse")',
            )
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total

    def _loss_of(self, x: Any, y: Any, y_pred: Any, weight: Any, *, training: bool) -> Value:
        """As `compute_loss`, which a subclass may have written without `training`."""
        if self._loss_takes_training:
            return self.compute_loss(x, y, y_pred, weight, training=training)
        return self.compute_loss(x, y, y_pred, weight)

    def _track(self, loss: Value, x: Any) -> None:
        """Put the loss of a batch into the mean, as heavy as the batch is long."""
        assert self._loss_tracker is not None
        first = next(leaf for leaf in nest.flatten(x) if leaf is not None)
        self._loss_tracker.update_state(loss, sample_weight=first.shape[0])

    def compute_metrics(
        self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None
    ) -> dict[str, Any]:
        """Add a batch to the metrics; what they give so far, by name."""
        if self._compile_metrics is not None:
            self._compile_metrics.update_state(y, y_pred, sample_weight)
        return self.get_metrics_result()

    def compiled_loss(
        self, y: Any, y_pred: Any, sample_weight: Any = None, regularization_losses: Any = None
    ) -> Value:
        """`compute_loss` by the name of Keras 2; it warns.

        Args:
            y: The truth.
            y_pred: The prediction.
            sample_weight: How much each entry of the batch counts.
            regularization_losses: Accepted: the model's own losses are added in any case.

        Raises:
            ValueError: there is no loss.
        """
        warnings.warn(
            "`model.compiled_loss()` is deprecated. Instead, use "
            "`model.compute_loss(x, y, y_pred, sample_weight, training)`.",
            stacklevel=2,
        )
        return self.compute_loss(x=None, y=y, y_pred=y_pred, sample_weight=sample_weight)

    @property
    def compiled_metrics(self) -> "_MetricsOfOld":
        """Has `update_state(y, y_pred, sample_weight=None)`, as in Keras 2; it warns."""
        return _MetricsOfOld(self)

    @property
    def metrics(self) -> list[Metric]:
        """All that is measured, and begins anew each epoch: of `compile`, then what the model and its layers hold."""
        compiled: list[Metric | None] = [self._loss_tracker, self._compile_metrics]
        found = [metric for metric in compiled if metric is not None]
        if self._compile_loss is not None:
            found += self._compile_loss.metrics
        return found + list(_held_by(self))

    @property
    def metrics_names(self) -> list[str]:
        return [metric.name for metric in self.metrics]

    def reset_metrics(self) -> None:
        for metric in self.metrics:
            metric.reset_state()

    def get_metrics_result(self) -> dict[str, Any]:
        """What all metrics give, by name; a metric that gives several numbers gives a dict."""
        results: dict[str, Any] = {}
        for metric in self.metrics:
            result = metric.result()
            results.update(result if isinstance(result, dict) else {metric.name: result})
        return results


class _MetricsOfOld:
    """All metrics of a model at once.

    A mean takes in the predictions, that of the loss too, as in Keras: the "loss" in the logs of such a step is no loss.
    """

    def __init__(self, model: Steps) -> None:
        self._model = model

    def update_state(self, y: Any, y_pred: Any, sample_weight: Any = None) -> None:
        warnings.warn(
            "`model.compiled_metrics()` is deprecated. Instead, use e.g.: "
            "for metric in self.metrics: metric.update_state(y, y_pred)",
            stacklevel=2,
        )
        for metric in self._model.metrics:
            if isinstance(metric, Mean):
                metric.update_state(y_pred, sample_weight=sample_weight)
            else:
                metric.update_state(y, y_pred, sample_weight=sample_weight)


def _as_one_number(loss: Any) -> Value:
    return reduce_sum(loss if loss.dtype.is_floating else cast(loss, dtypes.float32))


def _held_by(layer: Any) -> Iterator[Metric]:
    """Metrics among the attributes of a layer, then those of its layers; a model among these looks after its own."""
    held = layer._holdings()
    yield from held.metrics
    for inner in held.layers:
        if not isinstance(inner, Steps):
            yield from _held_by(inner)

"""Define what `fit`, `evaluate` and `predict` do with a single batch.

`train_step` is the body of a hand-written training loop: a tape, a loss, gradients and an optimizer. A model with a custom step
overrides only `train_step`.

    compile                          sets the optimizer, the loss and the metrics
    train_step, test_step, predict_step
    compute_loss, compute_metrics    compute the loss and metrics of a step
    compiled_loss, compiled_metrics  the names of these methods in Keras 2

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
from minitape.keras.training.compiled_metrics import CompiledLoss, CompiledMetrics
from minitape.keras.utils.batches import unpack_x_y_sample_weight
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.identity import cast

# The function that a loop calls to process the next batches of an iterator. A program may replace this function.
Function = Callable[[Iterator[Any]], Any]


class Steps:
    """Base class of `Model` that processes one batch at a time."""

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
        """Set the optimizer, the loss and the metrics.

        Args:
            optimizer: An optimizer or its name.
            loss: A loss, its name, or a function of `y_true` and `y_pred`; for several outputs, a list or dict of losses.
                None for a model whose losses come from `add_loss`, or that defines `train_step`.
            loss_weights: Weights of the outputs' losses.
            metrics: A list of metrics, names or functions; a list or dict of such lists for several outputs. "accuracy"
                selects the accuracy that fits the shapes.
            weighted_metrics: Metrics that use `sample_weight` and `class_weight`, in the same form as `metrics`.
            run_eagerly: Ignored, because minitape always runs op by op.
            steps_per_execution: Number of batches between two callback calls.
            jit_compile: Ignored, because minitape does not compile anything.
            auto_scale_loss: Ignored, because it applies only to the dtype policy "mixed_float16", which is not supported.

        Raises:
            ValueError: a name is unknown, or metrics or weights have an invalid type.

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
        """Run one training step: compute the loss under a tape, and update the weights using its gradients.

        Args:
            data: A batch, which is x, (x, y) or (x, y, sample_weight).

        Returns:
            A dict from names to numbers, for the logs.
        """
        x, y, sample_weight = unpack_x_y_sample_weight(data)
        with GradientTape() as tape:
            y_pred = self(x, training=True)  # type: ignore[operator]  # a Model is also a Layer
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
        """Compute the loss and the metrics of a batch without changing weights.

        Args:
            data: A batch, which is x, (x, y) or (x, y, sample_weight).

        Returns:
            A dict from names to numbers, for the logs.
        """
        x, y, sample_weight = unpack_x_y_sample_weight(data)
        y_pred = self(x, training=False)  # type: ignore[operator]
        self._track(self._loss_of(x, y, y_pred, sample_weight, training=False), x)
        return self.compute_metrics(x, y, y_pred, sample_weight=sample_weight)

    def predict_step(self, data: Any) -> Any:
        """Compute the outputs for a batch.

        Args:
            data: A batch, which is x, (x, y) or (x, y, sample_weight).

        Returns:
            The outputs of the model.
        """
        x, _, _ = unpack_x_y_sample_weight(data)
        return self(x, training=False)  # type: ignore[operator]

    # --- losses and metrics ---

    def compute_loss(
        self,
        x: Any = None,
        y: Any = None,
        y_pred: Any = None,
        sample_weight: Any = None,
        training: bool = True,
    ) -> Value:
        """Compute the total loss: the compiled loss plus the losses of `add_loss` and of the regularizers.

        Args:
            x: Inputs of the batch.
            y: Targets of the batch.
            y_pred: The model's outputs.
            sample_weight: Weights of the examples; None weights all equally.
            training: Whether the step is a training step.

        Returns:
            A scalar.

        Raises:
            ValueError: there are no losses.
        """
        parts = []
        if self._compile_loss is not None:
            compiled = self._compile_loss(y, y_pred, sample_weight)
            parts = [] if compiled is None else [compiled]
        parts += [_as_one_number(loss) for loss in self.losses]  # type: ignore[attr-defined]
        if not parts:
            raise TapeValueError(
                "No loss to compute. Provide a `loss` argument in `compile()`.",
                fix='call `model.compile(optimizer="adam", loss="mse")`',
            )
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total

    def _loss_of(self, x: Any, y: Any, y_pred: Any, weight: Any, *, training: bool) -> Value:
        """Call `compute_loss`, which a subclass may have defined without the parameter `training`."""
        if self._loss_takes_training:
            return self.compute_loss(x, y, y_pred, weight, training=training)
        return self.compute_loss(x, y, y_pred, weight)

    def _track(self, loss: Value, x: Any) -> None:
        """Add the loss of a batch to the mean, weighted by the number of examples."""
        assert self._loss_tracker is not None
        first = next(leaf for leaf in nest.flatten(x) if leaf is not None)
        self._loss_tracker.update_state(loss, sample_weight=first.shape[0])

    def compute_metrics(
        self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None
    ) -> dict[str, Any]:
        """Add a batch to the metrics.

        Args:
            x: Inputs of the batch.
            y: Targets of the batch.
            y_pred: The model's outputs.
            sample_weight: Weights of the examples; None weights all equally.

        Returns:
            A dict from names to the results so far.
        """
        if self._compile_metrics is not None:
            self._compile_metrics.update_state(y, y_pred, sample_weight)
        return self.get_metrics_result()

    def compiled_loss(
        self, y: Any, y_pred: Any, sample_weight: Any = None, regularization_losses: Any = None
    ) -> Value:
        """Compute the loss. This is the deprecated name of `compute_loss` in Keras 2.

        Args:
            y: Targets of the batch.
            y_pred: The model's outputs.
            sample_weight: Weights of the examples; None weights all equally.
            regularization_losses: Ignored, because the model's own losses are always added.

        Returns:
            A scalar.

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
    def compiled_metrics(self) -> "_Keras2Metrics":
        """Return an object with `update_state(y, y_pred, sample_weight=None)`, as in Keras 2; deprecated."""
        return _Keras2Metrics(self)

    @property
    def metrics(self) -> list[Metric]:
        """Return all metrics that are reset in each epoch: those of `compile`, then those of the model and its layers."""
        compiled: list[Metric | None] = [self._loss_tracker, self._compile_metrics]
        found = [metric for metric in compiled if metric is not None]
        if self._compile_loss is not None:
            found += self._compile_loss.metrics
        return found + list(_held_by(self))

    @property
    def metrics_names(self) -> list[str]:
        """Return the names of all metrics."""
        return [metric.name for metric in self.metrics]

    def reset_metrics(self) -> None:
        """Reset all metrics."""
        for metric in self.metrics:
            metric.reset_state()

    def get_metrics_result(self) -> dict[str, Any]:
        """Return the results of all metrics by name; the entries of a metric whose result is a dict are merged.

        Returns:
            A dict.
        """
        results: dict[str, Any] = {}
        for metric in self.metrics:
            result = metric.result()
            results.update(result if isinstance(result, dict) else {metric.name: result})
        return results


class _Keras2Metrics:
    """All metrics of a model as a single object, as in Keras 2.

    As in Keras, means are updated with the predictions, including the mean of the loss, so "loss" in the logs of such a
    step is not the loss.
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
    """Yield the metrics among the attributes of a layer and of its inner layers; nested models manage their own metrics."""
    held = layer._holdings()
    yield from held.metrics
    for inner in held.layers:
        if not isinstance(inner, Steps):
            yield from _held_by(inner)

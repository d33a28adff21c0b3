"""Callbacks that monitor a metric and act when it improves or stops improving.

    Monitor              the base class, which knows the metric and the direction of an improvement
    EarlyStopping        stops the training
    ReduceLROnPlateau    reduces the learning rate

Source: https://keras.io/api/callbacks/
"""

import warnings
from typing import Any

import numpy as np

from minitape.errors import TapeValueError
from minitape.keras.metrics import Metric
from minitape.keras.naming import snake_case
from minitape.keras.training.callback import Callback
from minitape.keras.training.compiled_metrics import CompiledMetrics
from minitape.ops.axes import real_number


class Monitor(Callback):
    """Base class of callbacks that monitor one metric of the logs.

    Args:
        monitor: Name of the metric in the logs.
        mode: "min" if smaller is better, "max" if larger is better, or "auto" to infer it from the metric.
        best: Value to improve on; None if any value is an improvement.
        min_delta: Smallest change that counts as an improvement.

    Raises:
        ValueError: with "auto", the direction cannot be inferred; raised when the first value arrives.
    """

    def __init__(
        self, monitor: str = "val_loss", mode: str = "auto", best: Any = None, min_delta: float = 0
    ) -> None:
        super().__init__()
        if mode not in ("auto", "min", "max"):
            warnings.warn(
                f"{type(self).__name__} mode '{mode}' is unknown, fallback to auto mode.",
                stacklevel=3,
            )
            mode = "auto"
        self.monitor, self.mode = monitor, mode
        self.best, self.min_delta = best, abs(real_number(min_delta))

    def settle(self) -> None:
        """Infer the direction of an improvement from the compiled metrics.

        Raises:
            ValueError: the direction cannot be inferred.
        """
        if self.mode != "auto":
            return
        name = self.monitor.removeprefix("val_")
        held = [each for each in self.model.metrics if isinstance(each, CompiledMetrics)]
        compiled = [each for metrics in held for each in metrics.metrics]
        found = [_direction_of(each) for each in compiled if each.name == name]
        if name == "loss":
            self.mode = "min"
        elif found and found[0] is not None:
            self.mode = found[0]
        else:
            raise TapeValueError(
                f"{type(self).__name__} callback received monitor={self.monitor}, but it is unknown whether it should be "
                "maximized or minimized.",
                fix=f'use `{type(self).__name__}(monitor="{self.monitor}", mode="max")`, or `mode="min"`',
            )

    def is_better(self, number: float, than: float | None) -> bool:
        """Return whether `number` improves on `than` by more than `min_delta`.

        Args:
            number: The new value.
            than: The value to improve on; None if any value is an improvement.

        Returns:
            A bool.
        """
        if than is None:
            return True
        if self.mode == "min":
            return bool(number + self.min_delta < than)
        return bool(number - self.min_delta > than)

    def watched(self, logs: Any) -> Any:
        """Return the monitored value; if the logs do not contain it, warn and return None.

        Args:
            logs: Dict from metric names to floats, or None.

        Returns:
            A float or None.
        """
        number = (logs or {}).get(self.monitor)
        if number is None:
            warnings.warn(
                f"{type(self).__name__} is conditioned on metric `{self.monitor}` which is not available. "
                f"Available metrics are: {','.join(logs or {})}",
                stacklevel=4,
            )
        return number


# Parts of the names of metrics for which larger is better, and of metrics for which smaller is better.
_UP = (
    "accuracy",
    "auc",
    "precision",
    "recall",
    "iou",
    "score",
    "similarity",
    "true_",
    "r2",
    "_at_",
)
_DOWN = ("error", "crossentropy", "hinge", "divergence", "poisson", "cosh", "false_")


def _direction_of(metric: Metric) -> str | None:
    kind = snake_case(type(metric))
    if any(part in kind for part in _UP):
        return "max"
    return "min" if any(part in kind for part in _DOWN) else None


class EarlyStopping(Monitor):
    """Stop the training when a metric has not improved for some epochs.

    Args:
        monitor: Name of the metric in the logs.
        min_delta: Smallest change that counts as an improvement.
        patience: Number of epochs without an improvement before the callback acts.
        verbose: 1 prints a message when the callback acts.
        mode: "min" if smaller is better, "max" if larger is better, or "auto" to infer it from the metric.
        baseline: Value that an improvement must also beat to reset the patience.
        restore_best_weights: Whether to restore the weights of the best epoch at the end.
        start_from_epoch: Number of epochs at the start that are ignored.

    Source: https://keras.io/api/callbacks/early_stopping/
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: int = 0,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
        start_from_epoch: int = 0,
    ) -> None:
        super().__init__(monitor, mode, min_delta=min_delta)
        self.patience, self.verbose, self.baseline = patience, verbose, baseline
        self.restore_best_weights = restore_best_weights
        self.start_from_epoch = start_from_epoch
        self.wait = self.stopped_epoch = self.best_epoch = 0
        self.best_weights: Any = None

    def on_train_begin(self, logs: Any = None) -> None:
        self.wait = self.stopped_epoch = self.best_epoch = 0
        self.best = self.best_weights = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.settle()
        current = self.watched(logs)
        if current is None or epoch < self.start_from_epoch:
            return
        if self.restore_best_weights and self.best_weights is None:
            self._keep(epoch)
        self.wait += 1
        if self.is_better(current, self.best):
            self.best = current
            self._keep(epoch)
            if self.baseline is None or self.is_better(current, self.baseline):
                self.wait = 0
        elif self.wait >= self.patience and epoch > 0:
            self.stopped_epoch = epoch
            self.model.stop_training = True

    def _keep(self, epoch: int) -> None:
        self.best_epoch = epoch
        if self.restore_best_weights:
            self.best_weights = self.model.get_weights()

    def on_train_end(self, logs: Any = None) -> None:
        if self.stopped_epoch > 0 and self.verbose:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")
        if self.best_weights is not None:
            if self.verbose:
                print(
                    f"Restoring model weights from the end of the best epoch: {self.best_epoch + 1}."
                )
            self.model.set_weights(self.best_weights)


class ReduceLROnPlateau(Monitor):
    """Reduce the learning rate when a metric has not improved for some epochs.

    Args:
        monitor: Name of the metric in the logs.
        factor: Factor by which the learning rate is multiplied; below 1.
        patience: Number of epochs without an improvement before the callback acts.
        verbose: 1 prints a message when the callback acts.
        mode: "min" if smaller is better, "max" if larger is better, or "auto" to infer it from the metric.
        min_delta: Smallest change that counts as an improvement.
        cooldown: Number of epochs to wait after a reduction.
        min_lr: Lower limit of the learning rate.

    Raises:
        ValueError: `factor` is at least 1.
        TypeError: the optimizer has a schedule, so its learning rate cannot be set; raised at the first reduction.

    Source: https://keras.io/api/callbacks/reduce_lr_on_plateau/
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: int = 0,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0.0,
    ) -> None:
        super().__init__(monitor, mode, min_delta=min_delta)
        if factor >= 1.0:
            raise TapeValueError(
                f"ReduceLROnPlateau does not support a factor >= 1.0. Received factor={factor}",
                fix="pass `factor=0.5`",
            )
        self.factor, self.patience, self.verbose = factor, patience, verbose
        self.cooldown, self.min_lr = cooldown, min_lr
        self.wait = self.cooldown_counter = 0

    def on_train_begin(self, logs: Any = None) -> None:
        self.wait = self.cooldown_counter = 0
        self.best = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.settle()
        logs = {} if logs is None else logs
        logs["learning_rate"] = rate_of(self.model.optimizer)
        current = self.watched(logs)
        if current is None:
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if self.is_better(current, self.best):
            self.best = current
            self.wait = 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience and logs["learning_rate"] > np.float32(self.min_lr):
                self._reduce(epoch, logs["learning_rate"])

    def _reduce(self, epoch: int, rate: float) -> None:
        rate = max(rate * self.factor, self.min_lr)
        self.model.optimizer.learning_rate = rate
        self.cooldown_counter, self.wait = self.cooldown, 0
        if self.verbose:
            print(f"\nEpoch {epoch + 1}: ReduceLROnPlateau reducing learning rate to {rate}.")

    def in_cooldown(self) -> bool:
        """Return whether the callback is still waiting after a reduction.

        Returns:
            A bool.
        """
        return self.cooldown_counter > 0


def rate_of(optimizer: Any) -> float:
    """Return the current learning rate.

    Args:
        optimizer: The optimizer.

    Returns:
        A float.
    """
    return float(np.asarray(optimizer.learning_rate))


__all__ = ["EarlyStopping", "Monitor", "ReduceLROnPlateau", "rate_of"]

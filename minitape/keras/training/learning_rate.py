"""Callbacks that set the learning rate depending on the epoch, or stop the training at NaN.

Source: https://keras.io/api/callbacks/
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.errors import TapeRuntimeError, TapeValueError
from minitape.keras.training.callback import Callback
from minitape.keras.training.monitoring import rate_of


class LearningRateScheduler(Callback):
    """Set the learning rate before each epoch.

    Args:
        schedule: Function of the epoch and the current rate, or of the epoch alone, that returns the new rate as a float.
        verbose: 1 prints the rate.

    Raises:
        ValueError: `schedule` did not return a float; raised before an epoch.

    Source: https://keras.io/api/callbacks/learning_rate_scheduler/
    """

    def __init__(self, schedule: Callable[..., float], verbose: int = 0) -> None:
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        optimizer = self.model.optimizer
        try:
            rate = self.schedule(epoch, rate_of(optimizer))
        except TypeError:  # the function takes only the epoch
            rate = self.schedule(epoch)
        if not isinstance(rate, float | np.floating):
            raise TapeValueError(
                f"The output of the `schedule` function should be a float. Got: {rate!r}",
                fix="write `return float(rate)`",
            )
        optimizer.learning_rate = rate
        if self.verbose:
            print(f"\nEpoch {epoch + 1}: LearningRateScheduler setting learning rate to {rate}.")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if logs is not None:
            logs["learning_rate"] = rate_of(self.model.optimizer)


class TerminateOnNaN(Callback):
    """Stop the training when the loss is NaN or infinite.

    Args:
        raise_error: Whether to raise an error immediately; by default the training stops after the batch.

    Raises:
        RuntimeError: the loss is NaN or infinite and `raise_error` is True; raised after a batch.

    Source: https://keras.io/api/callbacks/terminate_on_nan/
    """

    def __init__(self, raise_error: bool = False) -> None:
        super().__init__()
        self.raise_error = raise_error

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        loss = (logs or {}).get("loss")
        if loss is None or math.isfinite(loss):
            return
        if self.raise_error:
            raise TapeRuntimeError(
                f"NaN or Inf loss encountered at batch {batch}. Loss value: {loss}.",
                fix="run `minitape explain SCRIPT`, which reports where the NaN came from",
                code="MT402",
            )
        print(f"Batch {batch}: Invalid loss, terminating training")
        self.model.stop_training = True


__all__ = ["LearningRateScheduler", "TerminateOnNaN"]

"""Callbacks, whose methods run during `fit`, `evaluate` and `predict`.

    Callback          the base class, with one method for each event; each method does nothing
    LambdaCallback    calls given functions
    History           records the metrics of each epoch

Source: https://keras.io/api/callbacks/
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core import listeners
from minitape.core.tensor import TensorLike
from minitape.errors import TapeTypeError

Numbers = dict[str, Any]


class Callback:
    """Base class of callbacks. A subclass overrides the methods for the events that it needs.

    `self.model` is the model, and `self.params` is a dict with `verbose`, `epochs` and `steps`. The argument `logs` of a
    method is a dict of plain numbers. A callback may add entries to `logs`, which later callbacks and `History` receive.

    Source: https://keras.io/api/callbacks/base_callback/
    """

    params: Any = None
    _model: Any = None  # a class attribute, so that a subclass need not call super().__init__()

    def __init__(self) -> None:
        """Do nothing, because `set_params` and `set_model` are called when the run starts."""

    @property
    def model(self) -> Any:
        """Return the model of the run."""
        return self._model

    def set_params(self, params: dict[str, Any]) -> None:
        """Set the parameters of the run.

        Args:
            params: Dict with `verbose`, `epochs` and `steps`.
        """
        self.params = params

    def set_model(self, model: Any) -> None:
        """Set the model of the run.

        Args:
            model: The model.
        """
        self._model = model

    def on_train_begin(self, logs: Any = None) -> None:
        """Called before the first epoch of `fit`.

        Args:
            logs: Dict from metric names to floats, or None.
        """

    def on_train_end(self, logs: Any = None) -> None:
        """Called after the last epoch, with its logs.

        Args:
            logs: Dict from metric names to floats, or None.
        """

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Called before each epoch.

        Args:
            epoch: Index of the epoch, starting at 0.
            logs: Dict from metric names to floats, or None.
        """

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Called after each epoch and its validation, with the metrics of the epoch and the validation.

        Args:
            epoch: Index of the epoch, starting at 0.
            logs: Dict from metric names to floats, or None.
        """

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called before each training step.

        Args:
            batch: Index of the batch in this epoch or call, starting at 0.
            logs: Dict from metric names to floats, or None.
        """
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called after each training step, with the metrics of the epoch so far.

        Args:
            batch: Index of the batch in this epoch or call, starting at 0.
            logs: Dict from metric names to floats, or None.
        """
        self.on_batch_end(batch, logs=logs)

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called before each training step. This is the older name of `on_train_batch_begin`.

        Args:
            batch: Index of the batch in this epoch or call, starting at 0.
            logs: Dict from metric names to floats, or None.
        """

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called after each training step. This is the older name of `on_train_batch_end`.

        Args:
            batch: Index of the batch in this epoch or call, starting at 0.
            logs: Dict from metric names to floats, or None.
        """

    def on_test_begin(self, logs: Any = None) -> None:
        """Called before `evaluate`, and before the validation of `fit`.

        Args:
            logs: Dict from metric names to floats, or None.
        """

    def on_test_end(self, logs: Any = None) -> None:
        """Called after `evaluate`, and after the validation of `fit`, with its metrics.

        Args:
            logs: Dict from metric names to floats, or None.
        """

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called before each batch of `evaluate` or of the validation.

        Args:
            batch: Index of the batch in this epoch or call, starting at 0.
            logs: Dict from metric names to floats, or None.
        """

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called after each batch of `evaluate` or of the validation, with the metrics so far.

        Args:
            batch: Index of the batch in this epoch or call, starting at 0.
            logs: Dict from metric names to floats, or None.
        """

    def on_predict_begin(self, logs: Any = None) -> None:
        """Called before `predict`.

        Args:
            logs: Dict from metric names to floats, or None.
        """

    def on_predict_end(self, logs: Any = None) -> None:
        """Called after `predict`.

        Args:
            logs: Dict from metric names to floats, or None.
        """

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called before each batch of `predict`.

        Args:
            batch: Index of the batch in this epoch or call, starting at 0.
            logs: Dict from metric names to floats, or None.
        """

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called after each batch of `predict`.

        Args:
            batch: Index of the batch in this epoch or call, starting at 0.
            logs: Dict whose entry "outputs" is the prediction.
        """


class LambdaCallback(Callback):
    """Create a callback from functions.

    Args:
        on_epoch_begin: Function to call with `epoch` and `logs`.
        on_epoch_end: Function to call with `epoch` and `logs`.
        on_train_begin: Function to call with `logs`.
        on_train_end: Function to call with `logs`.
        on_train_batch_begin: Function to call with `batch` and the keyword `logs`.
        on_train_batch_end: Function to call with `batch` and the keyword `logs`.
        **kwargs: Functions for other methods of `Callback`, by name.

    Raises:
        TypeError: a keyword is not the name of a method of `Callback`.

    Source: https://keras.io/api/callbacks/lambda_callback/
    """

    def __init__(
        self,
        on_epoch_begin: Callable[..., Any] | None = None,
        on_epoch_end: Callable[..., Any] | None = None,
        on_train_begin: Callable[..., Any] | None = None,
        on_train_end: Callable[..., Any] | None = None,
        on_train_batch_begin: Callable[..., Any] | None = None,
        on_train_batch_end: Callable[..., Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        given = {
            "on_epoch_begin": on_epoch_begin,
            "on_epoch_end": on_epoch_end,
            "on_train_begin": on_train_begin,
            "on_train_end": on_train_end,
            "on_train_batch_begin": on_train_batch_begin,
            "on_train_batch_end": on_train_batch_end,
            **kwargs,
        }
        unknown = [name for name in given if not hasattr(Callback, name)]
        if unknown:
            raise TapeTypeError(
                f"`LambdaCallback` received {unknown[0]!r}, which is not a method of `Callback`.",
                fix="use `LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, logs))`",
            )
        vars(self).update({name: ask for name, ask in given.items() if ask is not None})


class History(Callback):
    """The result of `fit`: `history` maps each metric to a list with one value per epoch; `epoch` lists the epochs.

    Source: https://keras.io/api/callbacks/
    """

    def __init__(self) -> None:
        super().__init__()
        self.history: dict[str, list[Any]] = {}

    def set_model(self, model: Any) -> None:
        super().set_model(model)
        model.history = self

    def on_train_begin(self, logs: Any = None) -> None:
        self.epoch: list[int] = []

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.epoch.append(epoch)
        for name, number in (logs or {}).items():
            self.history.setdefault(name, []).append(number)


def as_numbers(logs: Any, via: str | None = None) -> Numbers:
    """Convert logs to plain numbers, sorted by name; entries of nested dicts are merged.

    Args:
        logs: Dict from names to values.
        via: Name of the function that returns the numbers to the program; None if the numbers are for callbacks.

    Returns:
        A dict of floats; values with several elements are unchanged.
    """
    numbers: Numbers = {}
    for name, value in sorted((logs or {}).items()):
        if isinstance(value, dict):
            numbers.update(as_numbers(value, via))
        elif via is not None and isinstance(value, TensorLike) and listeners.active:
            numbers[name] = listeners.hand_out((value,), via, _as_number(value))
        else:
            numbers[name] = _as_number(value)
    return numbers


def _as_number(value: Any) -> Any:
    # This does not call `value.numpy()`, because the tracer would report a conversion to NumPy that is not in the program.
    array = value._array if isinstance(value, TensorLike) else value
    if isinstance(array, int | float):
        return float(array)
    is_number = isinstance(array, np.ndarray | np.generic) and array.size == 1
    return float(array.item()) if is_number else value

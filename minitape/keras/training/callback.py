"""Callbacks: what a program wants to be asked, or told, while `fit`, `evaluate` and `predict` run.

    Callback          the base: a method for each moment, all of which do nothing
    LambdaCallback    the same from functions
    History           keeps what each epoch ended with

Source: https://keras.io/api/callbacks/
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core import listeners
from minitape.core.tensor import ArrayFace
from minitape.errors import TapeTypeError

Numbers = dict[str, Any]


class Callback:
    """Base of callbacks: override what you want to be told.

    `self.model` is the model that is trained, `self.params` holds `verbose`, `epochs` and `steps`. What a method is given as
    `logs` is a dict of plain numbers, and may be added to: later callbacks see it, and so does `History`.

    Source: https://keras.io/api/callbacks/base_callback/
    """

    params: Any = None
    _model: Any = None  # here, so that a subclass may do without super().__init__()

    def __init__(self) -> None:
        """Nothing yet: model and params come with the run."""

    @property
    def model(self) -> Any:
        return self._model

    def set_params(self, params: dict[str, Any]) -> None:
        self.params = params

    def set_model(self, model: Any) -> None:
        self._model = model

    def on_train_begin(self, logs: Any = None) -> None:
        """Before the first epoch of `fit`."""

    def on_train_end(self, logs: Any = None) -> None:
        """After the last epoch, with its logs."""

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Before an epoch; the first is 0."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """After an epoch and its validation, with the metrics of both."""

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a step of training."""
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a step of training, with the metrics of the epoch so far."""
        self.on_batch_end(batch, logs=logs)

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """The older name of `on_train_batch_begin`."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """The older name of `on_train_batch_end`."""

    def on_test_begin(self, logs: Any = None) -> None:
        """Before `evaluate`, and before the validation of `fit`."""

    def on_test_end(self, logs: Any = None) -> None:
        """After `evaluate`, and after the validation of `fit`, with its metrics."""

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of `evaluate` or of the validation."""

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a batch of `evaluate` or of the validation."""

    def on_predict_begin(self, logs: Any = None) -> None:
        """Before `predict`."""

    def on_predict_end(self, logs: Any = None) -> None:
        """After `predict`."""

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of `predict`."""

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a batch of `predict`; its answer is `logs["outputs"]`."""


class LambdaCallback(Callback):
    """A callback from functions.

    Args:
        on_epoch_begin: Called with epoch and logs.
        on_epoch_end: Called with epoch and logs.
        on_train_begin: Called with logs.
        on_train_end: Called with logs.
        on_train_batch_begin: Called with batch and `logs=`.
        on_train_batch_end: Called with batch and `logs=`.
        kwargs: Any other method of `Callback` by its name.

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
                f"LambdaCallback was given {unknown[0]!r}, and no callback is ever asked that.",
                fix="LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, logs))",
            )
        vars(self).update({name: ask for name, ask in given.items() if ask is not None})


class History(Callback):
    """What `fit` returns: `history` holds a list for each metric, with one number an epoch; `epoch` the epochs.

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
    """Logs with their names in order, what is one number as a float, and what stands in a dict beside it.

    `via` is the function that gives them to the program; None where they are for callbacks.
    """
    numbers: Numbers = {}
    for name, value in sorted((logs or {}).items()):
        if isinstance(value, dict):
            numbers.update(as_numbers(value, via))
        elif via is not None and isinstance(value, ArrayFace) and listeners.active:
            numbers[name] = listeners.hand_out((value,), via, _as_number(value))
        else:
            numbers[name] = _as_number(value)
    return numbers


def _as_number(value: Any) -> Any:
    # Not `value.numpy()`: that is an exit to NumPy, and the program asked for none.
    array = value._array if isinstance(value, ArrayFace) else value
    is_number = isinstance(array, np.ndarray | np.generic | int | float) and np.size(array) == 1
    return float(np.asarray(array).item()) if is_number else value

"""`CallbackList`, which combines all callbacks of a run. `fit`, `evaluate`, `predict` and custom loops call only this object.

Source: https://keras.io/api/callbacks/
"""

from typing import Any

from minitape.core import nest
from minitape.errors import TapeTypeError
from minitape.keras.training.callback import Callback, History, as_numbers
from minitape.keras.training.progress import ProgbarLogger


class CallbackList(Callback):
    """Forward each event to all callbacks in order, with logs converted to plain numbers.

    Args:
        callbacks: A callback, or a structure of callbacks.
        add_history: Whether to append a `History` if there is none.
        add_progbar: Whether to append a `ProgbarLogger` if there is none.
        model: The model of the run.
        **params: Parameters of the run: verbose, epochs, steps.

    Raises:
        TypeError: an element of `callbacks` is not a callback.

    Source: https://keras.io/api/callbacks/
    """

    def __init__(
        self,
        callbacks: Any = None,
        add_history: bool = False,
        add_progbar: bool = False,
        model: Any = None,
        **params: Any,
    ) -> None:
        self.callbacks = [] if callbacks is None else nest.flatten(callbacks)
        for each in self.callbacks:
            if isinstance(each, type) or not hasattr(each, "set_model"):
                raise TapeTypeError(
                    f"`callbacks=[...]` contains {each!r}, which is not a callback.",
                    fix="pass objects, not classes: `callbacks=[tf.keras.callbacks.EarlyStopping()]`",
                )
        for kind, wanted in ((History, add_history), (ProgbarLogger, add_progbar)):
            if wanted and not any(isinstance(each, kind) for each in self.callbacks):
                self.callbacks.append(kind())
        if model is not None:
            self.set_model(model)
        self.set_params(params)

    def set_model(self, model: Any) -> None:
        super().set_model(model)
        for callback in self.callbacks:
            callback.set_model(model)

    def set_params(self, params: Any) -> None:
        super().set_params(params)
        for callback in self.callbacks:
            callback.set_params(params)

    def _run(self, moment: str, logs: Any) -> None:
        numbers = as_numbers(logs)
        for callback in self.callbacks:
            getattr(callback, moment)(numbers)

    def _epoch(self, moment: str, epoch: int, logs: Any) -> None:
        numbers = as_numbers(logs)
        for callback in self.callbacks:
            getattr(callback, moment)(epoch, numbers)

    def _batch(self, moment: str, batch: int, logs: Any) -> None:
        numbers = as_numbers(logs)
        for callback in self.callbacks:
            getattr(callback, moment)(batch, logs=numbers)

    def on_train_begin(self, logs: Any = None) -> None:
        self._run("on_train_begin", logs)

    def on_train_end(self, logs: Any = None) -> None:
        self._run("on_train_end", logs)

    def on_test_begin(self, logs: Any = None) -> None:
        self._run("on_test_begin", logs)

    def on_test_end(self, logs: Any = None) -> None:
        self._run("on_test_end", logs)

    def on_predict_begin(self, logs: Any = None) -> None:
        self._run("on_predict_begin", logs)

    def on_predict_end(self, logs: Any = None) -> None:
        self._run("on_predict_end", logs)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._epoch("on_epoch_begin", epoch, logs)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._epoch("on_epoch_end", epoch, logs)

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        self._batch("on_train_batch_begin", batch, logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self._batch("on_train_batch_end", batch, logs)

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        self._batch("on_test_batch_begin", batch, logs)

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        self._batch("on_test_batch_end", batch, logs)

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        self._batch("on_predict_batch_begin", batch, logs)

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        self._batch("on_predict_batch_end", batch, logs)

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        self._batch("on_batch_begin", batch, logs)

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        self._batch("on_batch_end", batch, logs)

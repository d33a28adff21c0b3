"""Callbacks that keep what was: weights in files, numbers in a table.

    ModelCheckpoint   weights, at each epoch or when they are the best so far
    CSVLogger         the numbers of each epoch
    TensorBoard       refused, with what to use instead

Source: https://keras.io/api/callbacks/
"""

import csv
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from minitape.core.arguments import path_given
from minitape.errors import TapeKeyError, TapeValueError, UnimplementedError
from minitape.keras.training.callback import Callback
from minitape.keras.training.saving import weights_path
from minitape.keras.training.watching import Monitor


class ModelCheckpoint(Monitor):
    """Saves the weights while a model is trained.

    Unlike TensorFlow, weights are all that can be saved, into a `.npz`: `save_weights_only` has to be True.

    Args:
        filepath: Ends in .npz; may hold {epoch} and the names of logs: "w.{epoch:02d}-{val_loss:.2f}.npz".
        monitor: The number by which an epoch is better.
        verbose: 1 prints what is saved.
        save_best_only: Save only when the number got better.
        save_weights_only: True.
        mode: "min", "max" or "auto".
        save_freq: "epoch", or after how many batches.
        initial_value_threshold: What has to be beaten first.

    Raises:
        ValueError: a file of another kind, another frequency.
        UnimplementedError: the whole model is to be saved.
        KeyError: `filepath` names a number that the logs have not; raised when it is saved.

    Source: https://keras.io/api/callbacks/model_checkpoint/
    """

    def __init__(
        self,
        filepath: Any,
        monitor: str = "val_loss",
        verbose: int = 0,
        save_best_only: bool = False,
        save_weights_only: bool = False,
        mode: str = "auto",
        save_freq: Any = "epoch",
        initial_value_threshold: float | None = None,
    ) -> None:
        super().__init__(monitor, mode, best=initial_value_threshold)
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise TapeValueError(
                f"Unrecognized save_freq: {save_freq!r}.",
                fix='save_freq="epoch", or a number of batches',
            )
        self.filepath = str(weights_path(filepath))
        if not save_weights_only:
            raise UnimplementedError(
                "minitape keeps weights in files, and the code of a model in Python: a whole model cannot be saved.",
                fix=f'ModelCheckpoint("{self.filepath}", save_weights_only=True)',
                code="MT902",
            )
        self.verbose, self.save_freq = verbose, save_freq
        self.save_best_only, self.save_weights_only = save_best_only, save_weights_only
        self._epoch = self._batches = 0

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        if self.save_freq == "epoch":
            return
        self._batches += self.model.steps_per_execution
        if self._batches >= self.save_freq:
            self._batches = 0
            self._save(logs or {}, {"batch": batch + 1})

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.settle()
        if self.save_freq == "epoch":
            self._save(logs or {}, {})

    def _save(self, logs: Any, place: dict[str, int]) -> None:
        try:
            path = self.filepath.format(**{"epoch": self._epoch + 1, **place, **logs})
        except KeyError as error:
            raise TapeKeyError(
                f"The file name {self.filepath!r} needs {error}, and the logs have {', '.join(logs)}.",
                fix='filepath="weights.{epoch:02d}.npz"',
            ) from error
        if self.save_best_only and not self._is_best(logs):
            return
        if self.verbose:
            print(f"\nEpoch {self._epoch + 1}: saving model to {path}")
        self.model.save_weights(path, overwrite=True)

    def _is_best(self, logs: Any) -> bool:
        current = logs.get(self.monitor)
        if current is None:
            warnings.warn(f"Can save best model only with {self.monitor} available.", stacklevel=6)
            return True
        self.settle()
        is_best = self.is_better(current, self.best)
        if self.verbose:
            before = "None" if self.best is None else f"{self.best:.5f}"
            change = (
                f"improved from {before} to {current:.5f}"
                if is_best
                else f"did not improve from {before}"
            )
            print(f"\nEpoch {self._epoch + 1}: {self.monitor} {change}")
        self.best = current if is_best else self.best
        return is_best


class CSVLogger(Callback):
    """Writes the numbers of each epoch into a table of comma-separated values, a line as soon as it is known.

    Args:
        filename: Its path.
        separator: What stands between two numbers.
        append: Go on with a file that is there.

    Source: https://keras.io/api/callbacks/csv_logger/
    """

    def __init__(self, filename: Any, separator: str = ",", append: bool = False) -> None:
        super().__init__()
        self.filename, self.sep, self.append = path_given(filename, "filename"), separator, append
        self._file: Any = None
        self._writer: Any = None

    def on_train_begin(self, logs: Any = None) -> None:
        path = Path(self.filename)
        self._has_head = self.append and path.exists() and path.stat().st_size > 0
        self._file = path.open("a" if self.append else "w", newline="", encoding="utf-8")
        self._writer = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        logs = logs or {}
        if self._writer is None:
            names = sorted(logs)
            if not any(name.startswith("val_") for name in names):
                names += [f"val_{name}" for name in names]  # an epoch may come that is validated
            self._writer = csv.DictWriter(
                self._file,
                ["epoch", *names],
                restval="NA",
                extrasaction="ignore",
                delimiter=self.sep,
            )
            if not self._has_head:
                self._writer.writeheader()
        self._writer.writerow({"epoch": epoch, **{name: _cell(logs[name]) for name in logs}})
        self._file.flush()

    def on_train_end(self, logs: Any = None) -> None:
        self._file.close()


def _cell(value: Any) -> Any:
    return f'"[{", ".join(map(str, value))}]"' if np.ndim(value) else value


class TensorBoard(Callback):
    """Refused: TensorBoard's files are protocol buffers, which minitape does without.

    Raises:
        UnimplementedError: always; it says what to use.

    Source: https://keras.io/api/callbacks/tensorboard/
    """

    def __init__(
        self,
        log_dir: Any = "logs",
        histogram_freq: int = 0,
        write_graph: bool = True,
        write_images: bool = False,
        write_steps_per_second: bool = False,
        update_freq: Any = "epoch",
        profile_batch: int = 0,
        embeddings_freq: int = 0,
        embeddings_metadata: Any = None,
    ) -> None:
        raise UnimplementedError(
            "minitape writes no files for TensorBoard.",
            fix='tf.keras.callbacks.CSVLogger("log.csv"), or the numbers in model.fit(...).history; '
            "minitape html script.py shows each step, with its gradients",
            code="MT902",
        )


__all__ = ["CSVLogger", "ModelCheckpoint", "TensorBoard"]

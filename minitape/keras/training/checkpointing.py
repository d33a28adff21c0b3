"""Callbacks that write files.

    ModelCheckpoint   saves weights, after each epoch or when a metric has improved
    CSVLogger         writes the metrics of each epoch
    TensorBoard       not supported

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
from minitape.keras.training.monitoring import Monitor
from minitape.keras.training.saving import weights_path


class ModelCheckpoint(Monitor):
    """Save the weights of a model during training.

    Unlike TensorFlow, only weights can be saved, to a `.npz` file: `save_weights_only` must be True.

    Args:
        filepath: Path that ends in .npz; may contain {epoch} and names of metrics, as in "w.{epoch:02d}-{val_loss:.2f}.npz".
        monitor: Name of the metric to compare.
        verbose: 1 prints a message for each file.
        save_best_only: Whether to save only when the metric has improved.
        save_weights_only: Must be True.
        mode: "min" or "max", the direction of an improvement, or "auto" to infer it from the metric.
        save_freq: "epoch", or a number of batches.
        initial_value_threshold: Value that the metric must improve on before the first file is saved.

    Raises:
        ValueError: `filepath` does not end in .npz, or `save_freq` is invalid.
        UnimplementedError: `save_weights_only` is False.
        KeyError: `filepath` contains a name that is not in the logs; raised when the file is saved.

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
                fix='pass `save_freq="epoch"`, or a number of batches',
            )
        self.filepath = str(weights_path(filepath))
        if not save_weights_only:
            raise UnimplementedError(
                "minitape saves only the weights of a model, not its code, so a whole model cannot be saved.",
                fix=f'use `ModelCheckpoint("{self.filepath}", save_weights_only=True)`',
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

    def _save(self, logs: Any, position: dict[str, int]) -> None:
        try:
            path = self.filepath.format(**{"epoch": self._epoch + 1, **position, **logs})
        except KeyError as error:
            raise TapeKeyError(
                f"The file name {self.filepath!r} contains {error}, but the logs contain only {', '.join(logs)}.",
                fix='pass `filepath="weights.{epoch:02d}.npz"`',
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
    """Write the metrics of each epoch to a file of comma-separated values; each line is written at the end of its epoch.

    Args:
        filename: Path of the file.
        separator: Separator between two values.
        append: Whether to append to an existing file.

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
                names += [
                    f"val_{name}" for name in names
                ]  # a later epoch may have validation metrics
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
    """Not supported, because the files of TensorBoard are protocol buffers, which minitape does not write.

    Args:
        log_dir: Ignored, like all other arguments.

    Raises:
        UnimplementedError: always; the message names alternatives.

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
            "minitape does not write files for TensorBoard.",
            fix='use `tf.keras.callbacks.CSVLogger("log.csv")`, or the metrics in `model.fit(...).history`; to see each step '
            "with its gradients, run `minitape html SCRIPT`",
            code="MT902",
        )


__all__ = ["CSVLogger", "ModelCheckpoint", "TensorBoard"]

"""Show the progress of a run with a bar in a terminal, and otherwise with one line per epoch.

    verbose=1, "auto"   a bar during each epoch and a line at its end in a terminal; only the line in a pipe
    verbose=2           only the line

Keras also draws its bar in pipes, which writes about a thousand characters that only a terminal would erase.

The bar uses Rich. If Rich is not installed, only the lines are printed.

Source: https://keras.io/api/callbacks/
"""

import sys
import time
from typing import Any

import numpy as np

from minitape.keras.training.callback import Callback


class ProgbarLogger(Callback):
    """Print the progress of `fit`, `evaluate` or `predict`, which add this callback if `verbose` is not 0.

    Source: https://keras.io/api/callbacks/
    """

    def __init__(self) -> None:
        super().__init__()
        self._bar: Any = None
        self._seen = 0
        self._is_fitting = False

    def on_train_begin(self, logs: Any = None) -> None:
        self._is_fitting = True

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        if self.params["epochs"] > 1:
            print(f"Epoch {epoch + 1}/{self.params['epochs']}", flush=True)
        self._begin()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self._go_on(batch, logs)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._end(logs)

    def on_train_end(self, logs: Any = None) -> None:
        self._is_fitting = False

    # Validation is part of an epoch, and its metrics are printed at the end of the epoch.

    def on_test_begin(self, logs: Any = None) -> None:
        if not self._is_fitting:
            self._begin()

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        if not self._is_fitting:
            self._go_on(batch, logs)

    def on_test_end(self, logs: Any = None) -> None:
        if not self._is_fitting:
            self._end(logs)

    def on_predict_begin(self, logs: Any = None) -> None:
        self._begin()

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        self._go_on(batch, None)

    def on_predict_end(self, logs: Any = None) -> None:
        self._end(None)

    # --- output ---

    def _begin(self) -> None:
        self._start, self._seen = time.monotonic(), 0
        if self.params["verbose"] != 2 and sys.stdout.isatty():
            self._bar = _bar(self.params["steps"])

    def _go_on(self, batch: int, logs: Any) -> None:
        self._seen = batch + 1
        if self._bar is not None:
            self._bar.update(0, completed=self._seen, numbers=_logs_text(logs))

    def _end(self, logs: Any) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        seconds = time.monotonic() - self._start
        steps = self.params["steps"] or self._seen
        each = f" - {_duration(seconds / self._seen)}/step" if self._seen else ""
        print(f"{self._seen}/{steps} - {seconds:.0f}s{each}{_logs_text(logs)}", flush=True)


def _bar(steps: int | None) -> Any:
    """Start a progress bar that disappears when it is stopped; return None if Rich is not installed."""
    try:
        # Rich is optional and needed only in a terminal.
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )
    except ImportError:
        return None
    bar = Progress(
        MofNCompleteColumn(),
        BarColumn(bar_width=20),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[numbers]}", markup=False),
        transient=True,
    )
    bar.add_task("", total=steps, numbers="")
    bar.start()
    return bar


def _logs_text(logs: Any) -> str:
    return "".join(f" - {name}: {_number(value)}" for name, value in (logs or {}).items())


def _number(value: Any) -> str:
    mean = float(np.mean(value))
    return f"{mean:.4f}" if abs(mean) > 1e-3 else f"{mean:.4e}"


def _duration(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"

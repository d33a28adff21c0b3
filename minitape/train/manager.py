"""`CheckpointManager`, which keeps the last few checkpoints in a directory, and functions that read a directory's
checkpoints.

Source: https://www.tensorflow.org/api_docs/python/tf/train/CheckpointManager
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from minitape.core.arguments import path_given
from minitape.core.values import Array
from minitape.errors import NotFoundError, TapeValueError
from minitape.ops.axes import whole_number
from minitape.train.checkpoint import Checkpoint, stored_at
from minitape.train.state import CheckpointState, file_of, read_state, write_state


class CheckpointManager:
    """Save numbered checkpoints, and delete old ones.

    Args:
        checkpoint: The `Checkpoint` to save.
        directory: The directory, which is created if necessary. If it already contains checkpoints, the manager continues
            their numbering.
        max_to_keep: Number of checkpoints to keep; None for all.
        keep_checkpoint_every_n_hours: Hours after which one more checkpoint is kept permanently; None for never.
        checkpoint_name: The part of the file name before the number.
        step_counter: Variable that counts steps; `checkpoint_interval` requires it.
        checkpoint_interval: Number of steps between checkpoints; None saves in each call.
        init_fn: Function that `restore_or_initialize` calls if there is no checkpoint.
        last_checkpoint_step: Step of the last checkpoint of an earlier run.

    Raises:
        ValueError: `max_to_keep` is below 1, or `checkpoint_interval` is given without `step_counter`.

    Source: https://www.tensorflow.org/api_docs/python/tf/train/CheckpointManager
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: Any,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
        step_counter: Any = None,
        checkpoint_interval: int | None = None,
        init_fn: Callable[[], Any] | None = None,
        last_checkpoint_step: int | None = None,
    ) -> None:
        if max_to_keep is not None and whole_number(max_to_keep) <= 0:
            raise TapeValueError(
                f"`max_to_keep` should be at least 1, or None. Received: {max_to_keep}",
                fix="max_to_keep=3",
            )
        if checkpoint_interval is not None and step_counter is None:
            raise TapeValueError(
                "`checkpoint_interval` requires `step_counter`, which counts the steps.",
                fix="`step_counter=step` with `step = tf.Variable(0)`",
            )
        self.checkpoint, self.directory = checkpoint, path_given(directory, "directory")
        self.checkpoint_interval = checkpoint_interval
        self._most, self._hours, self._name = (
            max_to_keep,
            keep_checkpoint_every_n_hours,
            checkpoint_name,
        )
        self._counter, self._init, self._last_step = step_counter, init_fn, last_checkpoint_step
        state = read_state(Path(self.directory))
        paths = [] if state is None else state.all_model_checkpoint_paths
        times = [] if state is None else state.all_model_checkpoint_timestamps
        now = time.time()
        self._written = dict(zip(paths, times or [now] * len(paths), strict=False))
        self._permanent_at = min(self._written.values(), default=now)

    @property
    def checkpoints(self) -> list[str]:
        """Return the paths of the kept checkpoints, the latest last."""
        return list(self._written)

    @property
    def latest_checkpoint(self) -> str | None:
        """Return the path of the latest checkpoint, or None if there is none."""
        return self.checkpoints[-1] if self._written else None

    def save(
        self, checkpoint_number: Any = None, check_interval: bool = True, options: Any = None
    ) -> str | None:
        """Write a checkpoint, unless too few steps have passed since the last one, and delete old checkpoints.

        Args:
            checkpoint_number: Number of the checkpoint; by default, how many times the checkpoint has been saved.
            check_interval: Whether to apply `checkpoint_interval`.
            options: Must be None.

        Returns:
            The path of the checkpoint; None if too few steps have passed.
        """
        if self.checkpoint_interval is not None:
            step = int(np.asarray(self._counter))
            if self._last_step is not None and (
                step == self._last_step
                or (check_interval and step < self._last_step + self.checkpoint_interval)
            ):
                return None
            self._last_step = step
        number = self.checkpoint.save_counter.assign_add(1)
        wanted = number if checkpoint_number is None else checkpoint_number
        prefix = os.path.join(self.directory, f"{self._name}-{int(np.asarray(wanted))}")  # noqa: PTH118  # keeps the form of the given path
        path = self.checkpoint.write(prefix, options)
        self._written.pop(path, None)
        self._written[path] = time.time()
        self._record()  # before deleting a file, so that another process always finds existing files
        self._sweep()
        self._record()
        return path

    def _record(self) -> None:
        latest = self.latest_checkpoint
        assert latest is not None
        state = CheckpointState(latest, self.checkpoints, list(self._written.values()))
        write_state(Path(self.directory), state)

    def _sweep(self) -> None:
        while self._most is not None and len(self._written) > self._most:
            path = next(iter(self._written))
            written = self._written.pop(path)
            if self._hours is not None and written - self._permanent_at >= self._hours * 3600:
                self._permanent_at = written  # this checkpoint is kept permanently
            else:
                file_of(path).unlink(missing_ok=True)

    def restore_or_initialize(self) -> str | None:
        """Restore the latest checkpoint; if no checkpoint exists, call `init_fn`.

        Returns:
            The path of the checkpoint, or None.
        """
        latest = self.latest_checkpoint
        if latest is not None:
            self.checkpoint.restore(latest).expect_partial()
            return latest
        if self._init is not None:
            self._init()
        return None


# --- the checkpoints of a directory ---


def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """Return the path of the latest checkpoint in a directory.

    Args:
        checkpoint_dir: The directory.
        latest_filename: Name of the file that lists the checkpoints; "checkpoint" by default.

    Returns:
        The path without `.npz`; None if there is no checkpoint.

    Source: https://www.tensorflow.org/api_docs/python/tf/train/latest_checkpoint
    """
    state = read_state(Path(path_given(checkpoint_dir, "checkpoint_dir")), latest_filename)
    if state is None or not file_of(state.model_checkpoint_path).exists():
        return None
    return state.model_checkpoint_path


def get_checkpoint_state(
    checkpoint_dir: Any, latest_filename: str | None = None
) -> CheckpointState | None:
    """Read the list of checkpoints of a directory.

    Args:
        checkpoint_dir: The directory.
        latest_filename: Name of the file that lists the checkpoints; "checkpoint" by default.

    Returns:
        A `CheckpointState`; None if the directory has no list of checkpoints.

    Source: https://www.tensorflow.org/api_docs/python/tf/train/get_checkpoint_state
    """
    return read_state(Path(path_given(checkpoint_dir, "checkpoint_dir")), latest_filename)


def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """Return the names and shapes of the arrays in a checkpoint.

    Args:
        ckpt_dir_or_file: Path of a checkpoint, or a directory whose latest checkpoint is read.

    Returns:
        A sorted list of pairs of name and shape.

    Raises:
        NotFoundError: the checkpoint does not exist.

    Source: https://www.tensorflow.org/api_docs/python/tf/train/list_variables
    """
    return sorted((name, list(array.shape)) for name, array in _stored(ckpt_dir_or_file).items())


def load_variable(ckpt_dir_or_file: Any, name: str) -> Array:
    """Read one array from a checkpoint.

    Args:
        ckpt_dir_or_file: Path of a checkpoint, or a directory whose latest checkpoint is read.
        name: Name of the array.

    Returns:
        A NumPy array.

    Raises:
        NotFoundError: the checkpoint does not exist, or does not contain the name.

    Source: https://www.tensorflow.org/api_docs/python/tf/train/load_variable
    """
    stored = _stored(ckpt_dir_or_file)
    if name not in stored:
        raise NotFoundError(
            f"The checkpoint does not contain {name!r}.",
            fix="`tf.train.list_variables(path)` returns the names",
        )
    return stored[name]


def _stored(path_or_folder: Any) -> dict[str, Array]:
    path = path_given(path_or_folder, "ckpt_dir_or_file")
    return stored_at((latest_checkpoint(path) or path) if Path(path).is_dir() else path)

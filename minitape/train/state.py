"""The file `checkpoint` of a directory, which lists its checkpoints and the latest one, in TensorFlow's text format.

Source: https://www.tensorflow.org/api_docs/python/tf/train/get_checkpoint_state
"""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

ENDING = ".npz"
_NAME = "checkpoint"


@dataclass(frozen=True)
class CheckpointState:
    """The paths of the latest checkpoint and of all checkpoints, and the times at which they were written."""

    model_checkpoint_path: str
    all_model_checkpoint_paths: list[str] = field(default_factory=list)
    all_model_checkpoint_timestamps: list[float] = field(default_factory=list)


def file_of(path: str) -> Path:
    """Return the file of a checkpoint.

    Args:
        path: Path of the checkpoint without `.npz`.

    Returns:
        The path with `.npz`.
    """
    return Path(f"{path}{ENDING}")


def read_state(folder: Path, name: str | None = None) -> CheckpointState | None:
    """Read the list of checkpoints of a directory.

    Args:
        folder: The directory.
        name: Name of the file; "checkpoint" by default.

    Returns:
        A `CheckpointState`; None if the directory has no list of checkpoints.
    """
    path = folder / (name or _NAME)
    if not path.is_file():
        return None
    text = path.read_text(encoding="utf-8")

    def paths(key: str) -> list[str]:
        return [
            str(folder / found) for found in re.findall(rf'^{key}: "(.*)"$', text, re.MULTILINE)
        ]

    times = re.findall(r"^all_model_checkpoint_timestamps: (\S+)$", text, re.MULTILINE)
    latest = paths("model_checkpoint_path")
    if not latest:
        return None
    return CheckpointState(latest[0], paths("all_model_checkpoint_paths"), list(map(float, times)))


def write_state(folder: Path, state: CheckpointState) -> None:
    """Write the list of checkpoints atomically, with paths relative to the directory, so that the directory can be moved.

    Args:
        folder: The directory.
        state: The list.
    """

    def line(key: str, path: str) -> str:
        return f'{key}: "{os.path.relpath(path, folder)}"'

    lines = [line("model_checkpoint_path", state.model_checkpoint_path)]
    lines += [line("all_model_checkpoint_paths", path) for path in state.all_model_checkpoint_paths]
    lines += [
        f"all_model_checkpoint_timestamps: {t}" for t in state.all_model_checkpoint_timestamps
    ]
    beside = folder / f".{_NAME}.{os.getpid()}"
    beside.write_text("\n".join(lines) + "\n", encoding="utf-8")
    beside.replace(folder / _NAME)


def record_latest(path: Path) -> None:
    """Record a checkpoint as the latest and only checkpoint of its directory.

    Args:
        path: Path of the checkpoint without `.npz`.
    """
    write_state(path.parent, CheckpointState(str(path), [str(path)]))

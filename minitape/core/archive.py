"""Stores arrays in a file in NumPy's .npz format. A file is written completely or not at all.

Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
"""

import os
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from minitape.core.values import Array
from minitape.errors import TapeValueError


def write_arrays(path: Path, arrays: Mapping[str, Array]) -> None:
    """Write arrays to a file under their names.

    The file is replaced in one step, so a reader finds either the old or the new content, even after a crash.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **dict(arrays))
        Path(beside).chmod(path.stat().st_mode if path.exists() else 0o644)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def read_arrays(path: Path) -> dict[str, Array]:
    """Return the arrays of a file by their names.

    Raises:
        FileNotFoundError: the file does not exist.
        ValueError: the file is not an archive of plain arrays.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (zipfile.BadZipFile, ValueError, EOFError, AttributeError) as error:
        raise TapeValueError(
            f"`{path}` is not a file of arrays written by minitape ({error}).",
            fix="call `model.load_weights('name.weights.npz')` with a file that `save_weights` wrote",
        ) from error

"""Download, read, shuffle and split the files of the data sets."""

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np

from minitape.core.values import Array
from minitape.errors import TapeValueError
from minitape.keras.utils.files import get_file

# The URLs and checksums that Keras uses, so that Keras and minitape can share a directory.
GOOGLE = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
TORONTO = "https://www.cs.toronto.edu/~kriz/"

Split = tuple[tuple[Array, Array], tuple[Array, Array]]

# A pickle file can call any function. The files of the data sets need only the functions that create NumPy arrays.
_HARMLESS = {
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy.core.multiarray", "_reconstruct"),
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _HARMLESS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(
            f"The file was not loaded, because it calls `{module}.{name}`, which no Keras dataset requires."
        )


def unpickled(path: Path) -> dict[str, Any]:
    """Read a dict that Python 2 pickled, without executing arbitrary code.

    Args:
        path: The file.

    Returns:
        The dict.
    """
    with path.open("rb") as file:
        entries = _Unpickler(file, encoding="bytes").load()
    return {key.decode(): value for key, value in entries.items()}


def arrays(name: str, origin: str, checksum: str) -> dict[str, Array]:
    """Read the arrays of an .npz file, including arrays of lists.

    Args:
        name: Name of the file in Keras's directory.
        origin: Name of the file at its URL.
        checksum: SHA-256 checksum.

    Returns:
        A dict from names to arrays.
    """
    import zipfile  # slow to import

    path = get_file(name, origin=GOOGLE + origin, file_hash=checksum)
    found = {}
    with zipfile.ZipFile(path) as archive:
        for member in archive.namelist():
            found[member.removesuffix(".npy")] = _array(io.BytesIO(archive.read(member)))
    return found


def _array(file: io.BytesIO) -> Array:
    version = np.lib.format.read_magic(file)
    read_header = getattr(np.lib.format, f"read_array_header_{version[0]}_{version[1]}")
    _, _, dtype = read_header(file)
    if dtype.hasobject:
        return _Unpickler(file).load()
    file.seek(0)
    return np.lib.format.read_array(file, allow_pickle=False)


def shuffled(generator: np.random.RandomState, *together: Array) -> tuple[Array, ...]:
    """Shuffle arrays in the same order, with NumPy's legacy generator, so that the same rows form the test set as in Keras.

    Args:
        generator: The generator.
        together: Arrays of the same length, to be shuffled in the same order.

    Returns:
        The shuffled arrays.
    """
    order = np.arange(len(together[0]))
    generator.shuffle(order)
    return tuple(array[order] for array in together)


def houses(arrays: dict[str, Array], test_split: float, seed: int, first: int | None) -> Split:
    """Shuffle the first rows of x and y, and split off the last fraction as the test set.

    Args:
        arrays: Dict with the arrays "x" and "y".
        test_split: Fraction of the test set.
        seed: Seed for shuffling the rows.
        first: Number of rows to use; None for all.

    Returns:
        ((x_train, y_train), (x_test, y_test)).

    Raises:
        ValueError: `test_split` is not in [0, 1).
    """
    if not 0 <= test_split < 1:
        raise TapeValueError(
            f"Invalid `test_split` argument: {test_split}. It must be between 0 and 1 (exclusive of 1).",
            fix="pass `test_split=0.2`",
        )
    x, y = shuffled(np.random.RandomState(seed), arrays["x"][:first], arrays["y"][:first])
    many = int(len(x) * (1 - test_split))
    return (x[:many], y[:many]), (x[many:], y[many:])

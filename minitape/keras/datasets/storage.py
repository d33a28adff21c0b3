"""Where the files of the collections come from; how they are read, shuffled and split."""

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np

from minitape.core.values import Array
from minitape.errors import TapeValueError
from minitape.keras.utils.files import get_file

# Addresses and checksums are those of Keras, so that its folder and this one are the same.
GOOGLE = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
TORONTO = "https://www.cs.toronto.edu/~kriz/"

Split = tuple[tuple[Array, Array], tuple[Array, Array]]

# A pickle can call anything. All that these files need is to make NumPy's arrays.
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
            f"The file wants to run {module}.{name}, which no collection needs: it is not loaded."
        )


def unpickled(path: Path) -> dict[str, Any]:
    """A dict that Python 2 wrote."""
    with path.open("rb") as file:
        entries = _Unpickler(file, encoding="bytes").load()
    return {key.decode(): value for key, value in entries.items()}


def arrays(name: str, origin: str, checksum: str) -> dict[str, Array]:
    """The arrays of an .npz file; those of lists too."""
    import zipfile  # it takes longer to load than all of the others

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
    """Arrays in another order, the same for all of them.

    NumPy's older generator, as Keras has it: so the same rows are the test.
    """
    order = np.arange(len(together[0]))
    generator.shuffle(order)
    return tuple(array[order] for array in together)


def houses(arrays: dict[str, Array], test_split: float, seed: int, first: int | None) -> Split:
    """The first rows of x and y, shuffled, and the last share of them for the test.

    Raises:
        ValueError: that share is no share.
    """
    if not 0 <= test_split < 1:
        raise TapeValueError(
            f"Invalid `test_split` argument: {test_split}. It must be between 0 and 1 (exclusive of 1).",
            fix="test_split=0.2",
        )
    x, y = shuffled(np.random.RandomState(seed), arrays["x"][:first], arrays["y"][:first])
    many = int(len(x) * (1 - test_split))
    return (x[:many], y[:many]), (x[many:], y[many:])

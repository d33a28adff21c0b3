"""Prices of houses in 20 640 blocks of California, and eight numbers about each."""

from minitape.errors import TapeValueError
from minitape.keras.datasets.storage import Split, arrays, houses


def load_data(
    version: str = "large",
    path: str = "california_housing.npz",
    test_split: float = 0.2,
    seed: int = 113,
) -> Split:
    """Numbers of shape [n, 8], and prices in dollars of shape [n].

    Args:
        version: "large", or "small" for the first 600 blocks.
        path: The name of the file in Keras's folder.
        test_split: The share that is kept for the test.
        seed: Of the order, and so of what is kept.

    Raises:
        ValueError: another `version`; `test_split` is not in [0, 1).

    Source: https://keras.io/api/datasets/california_housing/
    """
    if version not in ("small", "large"):
        raise TapeValueError(
            f"Argument `version` must be one of 'small', 'large'. Received: version={version}",
            fix='load_data(version="small")',
        )
    checksum = "1a2e3a52e0398de6463aebe6f4a8da34fb21fbb6b934cf88c3425e766f2a1a6f"
    found = arrays(path, "california_housing.npz", checksum)
    return houses(found, test_split, seed, first=600 if version == "small" else None)


__all__ = ["load_data"]

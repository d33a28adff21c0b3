"""Median house values of 20,640 blocks in California, with eight features for each block."""

from minitape.errors import TapeValueError
from minitape.keras.datasets.storage import Split, arrays, houses


def load_data(
    version: str = "large",
    path: str = "california_housing.npz",
    test_split: float = 0.2,
    seed: int = 113,
) -> Split:
    """Load the features and prices of houses in California.

    Args:
        version: "large", or "small" for the first 600 blocks.
        path: Name of the file in Keras's directory.
        test_split: Fraction of the examples for the test set.
        seed: Seed for shuffling the examples, which determines the test set.

    Returns:
        ((x_train, y_train), (x_test, y_test)): features of shape [n, 8], and prices in dollars of shape [n].

    Raises:
        ValueError: `version` is unknown, or `test_split` is not in [0, 1).

    Source: https://keras.io/api/datasets/california_housing/
    """
    if version not in ("small", "large"):
        raise TapeValueError(
            f"Argument `version` must be one of 'small', 'large'. Received: version={version}",
            fix='call `load_data(version="small")`',
        )
    checksum = "1a2e3a52e0398de6463aebe6f4a8da34fb21fbb6b934cf88c3425e766f2a1a6f"
    found = arrays(path, "california_housing.npz", checksum)
    return houses(found, test_split, seed, first=600 if version == "small" else None)


__all__ = ["load_data"]

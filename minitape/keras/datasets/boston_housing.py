"""Prices of 506 houses in Boston, and thirteen numbers about each."""

from minitape.keras.datasets.storage import Split, arrays, houses


def load_data(path: str = "boston_housing.npz", test_split: float = 0.2, seed: int = 113) -> Split:
    """float64 of shape [n, 13], and prices in thousands of dollars, float64 of shape [n].

    Args:
        path: The name of the file in Keras's folder.
        test_split: The share that is kept for the test.
        seed: Of the order, and so of what is kept.

    Raises:
        ValueError: `test_split` is not in [0, 1).

    Source: https://keras.io/api/datasets/boston_housing/, which tells that the collection has an ethical problem: one
    of its columns is made of the share of black neighbours. Prefer california_housing.
    """
    checksum = "f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5"
    return houses(arrays(path, "boston_housing.npz", checksum), test_split, seed, first=None)


__all__ = ["load_data"]

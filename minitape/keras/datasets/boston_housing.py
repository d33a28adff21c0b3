"""Prices of 506 houses in Boston, with thirteen features for each house."""

from minitape.keras.datasets.storage import Split, arrays, houses


def load_data(path: str = "boston_housing.npz", test_split: float = 0.2, seed: int = 113) -> Split:
    """Load the features and prices of 506 houses in Boston.

    Args:
        path: Name of the file in Keras's directory.
        test_split: Fraction of the examples for the test set.
        seed: Seed for shuffling the examples, which determines the test set.

    Returns:
        ((x_train, y_train), (x_test, y_test)): features, float64 of shape [n, 13], and prices in thousands of dollars,
            float64 of
        shape [n].

    Raises:
        ValueError: `test_split` is not in [0, 1).

    Source: https://keras.io/api/datasets/boston_housing/, which warns that the data set has an ethical problem: one of
    its columns is computed from the proportion of Black residents. Prefer california_housing.
    """
    checksum = "f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5"
    return houses(arrays(path, "boston_housing.npz", checksum), test_split, seed, first=None)


__all__ = ["load_data"]

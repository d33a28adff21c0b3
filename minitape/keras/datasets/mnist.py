"""Handwritten digits: 60,000 for training, 10,000 for testing."""

from minitape.keras.datasets.storage import Split, arrays


def load_data(path: str = "mnist.npz") -> Split:
    """Load grayscale images of handwritten digits.

    Args:
        path: Name of the file in Keras's directory.

    Returns:
        ((x_train, y_train), (x_test, y_test)): images, uint8 of shape [n, 28, 28], and digits, uint8 of shape [n].

    Source: https://keras.io/api/datasets/mnist/
    """
    found = arrays(
        path, "mnist.npz", "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1"
    )
    return (found["x_train"], found["y_train"]), (found["x_test"], found["y_test"])


__all__ = ["load_data"]

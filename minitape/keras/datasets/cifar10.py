"""Color images of ten kinds of objects: 50,000 for training, 10,000 for testing."""

from pathlib import Path

import numpy as np

from minitape.core.values import Array
from minitape.keras.datasets.storage import TORONTO, Split, unpickled
from minitape.keras.utils.files import get_file


def load_data() -> Split:
    """Load color images of ten kinds of objects.

    The classes: airplane, automobile, bird, cat, deer, dog, frog, horse, ship, truck.

    Returns:
        ((x_train, y_train), (x_test, y_test)): images, uint8 of shape [n, 32, 32, 3], and class indices, uint8 of shape
            [n, 1].

    Source: https://keras.io/api/datasets/cifar10/
    """
    folder = get_file(
        "cifar-10-batches-py-target",
        origin=TORONTO + "cifar-10-python.tar.gz",
        extract=True,
        file_hash="6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
    )
    files = Path(folder, "cifar-10-batches-py")
    batches = [images_and_labels(files / f"data_batch_{i}", "labels") for i in range(1, 6)]
    pictures, classes = zip(*batches, strict=True)
    train = np.concatenate(pictures), np.concatenate(classes)
    return train, images_and_labels(files / "test_batch", "labels")


def images_and_labels(path: Path, label_key: str) -> tuple[Array, Array]:
    """Read one file: rows of a red, a green and a blue plane, and a list of class indices.

    Args:
        path: The file.
        label_key: Key of the class indices in the file.

    Returns:
        Images, uint8 of shape [n, 32, 32, 3], and class indices, uint8 of shape [n, 1].
    """
    found = unpickled(path)
    planes = found["data"].reshape(-1, 3, 32, 32)
    return planes.transpose(0, 2, 3, 1), np.array(found[label_key], np.uint8)[:, None]


__all__ = ["load_data"]

"""Images of clothes: 60,000 for training, 10,000 for testing."""

import gzip

import numpy as np

from minitape.core.values import Array
from minitape.keras.datasets.storage import GOOGLE, Split
from minitape.keras.utils.files import get_file


def load_data() -> Split:
    """Load grayscale images of clothes.

    The classes: T-shirt, trouser, pullover, dress, coat, sandal, shirt, sneaker, bag, ankle boot.

    Returns:
        ((x_train, y_train), (x_test, y_test)): images, uint8 of shape [n, 28, 28], and class indices, uint8 of shape [n].

    Source: https://keras.io/api/datasets/fashion_mnist/
    """
    return _pictures_and_classes("train"), _pictures_and_classes("t10k")


def _pictures_and_classes(part: str) -> tuple[Array, Array]:
    classes = _bytes(f"{part}-labels-idx1-ubyte.gz", header=8)
    pictures = _bytes(f"{part}-images-idx3-ubyte.gz", header=16)
    return pictures.reshape(len(classes), 28, 28), classes


def _bytes(name: str, header: int) -> Array:
    path = get_file(name, origin=GOOGLE + name, cache_subdir="datasets/fashion-mnist")
    with gzip.open(path) as file:
        return np.frombuffer(file.read(), np.uint8, offset=header)


__all__ = ["load_data"]

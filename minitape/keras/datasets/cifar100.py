"""Color images of a hundred kinds of objects: 50,000 for training, 10,000 for testing."""

from pathlib import Path

import numpy as np

from minitape.errors import TapeValueError
from minitape.keras.datasets.cifar10 import images_and_labels
from minitape.keras.datasets.storage import TORONTO, Split
from minitape.keras.utils.files import get_file


def load_data(label_mode: str = "fine") -> Split:
    """Load color images of a hundred kinds of objects.

    Args:
        label_mode: "fine" for the hundred classes, "coarse" for their twenty groups.

    Returns:
        ((x_train, y_train), (x_test, y_test)): images, uint8 of shape [n, 32, 32, 3], and class indices, int64 of shape
            [n, 1].

    Raises:
        ValueError: `label_mode` is unknown.

    Source: https://keras.io/api/datasets/cifar100/
    """
    if label_mode not in ("fine", "coarse"):
        raise TapeValueError(
            f'`label_mode` must be one of `"fine"`, `"coarse"`. Received: label_mode={label_mode}.',
            fix='call `load_data(label_mode="fine")`',
        )
    folder = get_file(
        "cifar-100-python-target",
        origin=TORONTO + "cifar-100-python.tar.gz",
        extract=True,
        file_hash="85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7",
    )
    files = Path(folder, "cifar-100-python")
    x, y = images_and_labels(files / "train", f"{label_mode}_labels")
    x_test, y_test = images_and_labels(files / "test", f"{label_mode}_labels")
    return (x, y.astype(np.int64)), (x_test, y_test.astype(np.int64))


__all__ = ["load_data"]

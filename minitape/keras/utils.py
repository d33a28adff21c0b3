"""Small things around training.

Source: https://keras.io/api/utils/
"""

import random as python_random
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.lazy_namespace import telling
from minitape.ops import random
from minitape.ops.making import one_hot


def set_random_seed(seed: int) -> None:
    """Start the generators of Python, NumPy and minitape anew, so that every run is the same.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/set_random_seed
    """
    python_random.seed(seed)
    np.random.seed(seed)  # the generator that the user's own np.random calls draw from
    random.set_seed(seed)


def to_categorical(x: Any, num_classes: int | None = None) -> Any:
    """Class numbers as one-hot rows, in an array.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/to_categorical
    """
    classes = convert_to_tensor(np.asarray(x), dtype=None)
    count = int(np.max(classes._array)) + 1 if num_classes is None else num_classes
    return one_hot(
        convert_to_tensor(classes._array.astype(np.int64)), count, dtype=dtypes.float32
    ).numpy()


__getattr__ = telling(__name__)

"""Seed all random generators at once."""

import random as python_random

import numpy as np

from minitape.errors import TapeValueError
from minitape.ops import random


def set_random_seed(seed: int) -> None:
    """Seed the generators of Python, NumPy and minitape, so that every run draws the same numbers.

    Args:
        seed: An integer from 0 to 2³² - 1.

    Raises:
        ValueError: `seed` is not an integer in this range.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/set_random_seed
    """
    if not isinstance(seed, int):
        raise TapeValueError(
            f"Expected `seed` argument to be an integer. Received: seed={seed} (of type {type(seed)})",
            fix="call `set_random_seed(1)`",
        )
    if not 0 <= seed < 2**32:
        raise TapeValueError(
            f"Seed must be between 0 and 2**32 - 1. Received: seed={seed}",
            fix="call `set_random_seed(1)`",
        )
    python_random.seed(seed)
    np.random.seed(seed)  # the generator of the user's np.random calls
    random.set_seed(seed)

"""`tf.random`: random numbers, from NumPy's generator."""

from itertools import chain

from minitape.lazy_namespace import telling, with_pages
from minitape.ops.random import (
    Generator,
    categorical,
    normal,
    set_seed,
    shuffle,
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
    truncated_normal,
    uniform,
)

# A module that is imported when one of its names is first used.
_LATER = {
    "ops.functions.drawing": (
        "gamma",
        "poisson",
        "stateless_categorical",
        "stateless_gamma",
        "stateless_poisson",
    )
}

__getattr__ = with_pages(__name__, _LATER, telling(__name__))

__all__ = [
    "Generator",
    "categorical",
    "normal",
    "set_seed",
    "shuffle",
    "stateless_normal",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
    *chain.from_iterable(_LATER.values()),
]

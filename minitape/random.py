"""`tf.random`: random numbers, from NumPy's generator."""

from itertools import chain

from minitape.lazy_namespace import helpful_getattr, with_submodules
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
    "ops.functions.distributions": (
        "gamma",
        "poisson",
        "stateless_categorical",
        "stateless_gamma",
        "stateless_poisson",
    )
}

__getattr__ = with_submodules(__name__, _LATER, helpful_getattr(__name__))

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

"""`tf.random`: random numbers, from NumPy's generator."""

from minitape.lazy_namespace import telling
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

__getattr__ = telling(__name__)

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
]

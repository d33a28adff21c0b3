"""The catalogue of ops. Importing it declares them all, so that the registry is full."""

from minitape.ops import (
    arithmetic,
    broadcasting,
    comparing,
    exponential,
    joining,
    making,
    moving,
    passing,
    picking,
    products,
    random,
    shaping,
    slicing,
    trigonometry,
)

__all__ = [
    "arithmetic",
    "broadcasting",
    "comparing",
    "exponential",
    "joining",
    "making",
    "moving",
    "passing",
    "picking",
    "products",
    "random",
    "shaping",
    "slicing",
    "trigonometry",
]

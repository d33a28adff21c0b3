"""Pictures in another size, by straight lines between their points.

A new point lies where the middle of its square falls on the old picture; its value is a mean of the two old points
around it, along each axis. So resizing is a product with a matrix for the height and one for the width.

Source: https://www.tensorflow.org/api_docs/python/tf/image/resize, method "bilinear".
"""

from typing import Any

import numpy as np

from minitape.core.values import Array, Value
from minitape.ops.products import einsum


def enlarged(x: Value, size: tuple[int, int]) -> Value:
    """Pictures [batch, height, width, channels] in the given height and width."""
    kind = x.dtype.numpy
    down = _weights(int(x.shape[1]), size[0], kind)
    across = _weights(int(x.shape[2]), size[1], kind)
    return einsum("ph,bhwc,qw->bpqc", down, x, across)


def _weights(old: int, new: int, kind: Any) -> Array:
    """Row i: how much of each old point the new point i is made of."""
    at = np.clip((np.arange(new) + 0.5) * (old / new) - 0.5, 0, old - 1)
    before = np.floor(at).astype(int)
    after = np.minimum(before + 1, old - 1)
    share = at - before
    weights = np.zeros((new, old))
    rows = np.arange(new)
    np.add.at(weights, (rows, before), 1 - share)
    np.add.at(weights, (rows, after), share)
    return weights.astype(kind)

"""Sums and means over the neighbours of each atom."""

import numpy as np


def scatter_sum(values, index, size):
    """Adds up the rows of values that have the same index."""
    out = np.zeros((size, values.shape[-1]), dtype="float32")
    np.add.at(out, index, values)
    return out


def degree(index, size):
    return np.maximum(np.bincount(index, minlength=size), 1).astype("float32")


def scatter_mean(values, index, size):
    return scatter_sum(values, index, size) / degree(index, size)[:, np.newaxis]

"""Images processed in strips: for any strip size, the values are those of the definition, computed element by element."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from minitape.ops import im2col
from minitape.ops.im2col import convolved, filter_cotangent, image_cotangent, strips
from minitape.ops.windows import Window, window_counts

WINDOWS = [
    Window((3, 3), (1, 1), ((1, 1), (1, 1)), (1, 1)),
    Window((2, 3), (2, 1), ((0, 1), (2, 0)), (1, 2)),
    Window((3, 2), (3, 2), ((0, 0), (0, 0)), (2, 1)),
]
# [channels of a group, filters] for images of 4 channels: one group, two groups, one or two filters for each channel.
FILTERS = [(4, 3), (2, 6), (1, 4), (1, 8)]


def uses(window: Window, shape: Any, filters: Any) -> Any:
    """Each product that the definition adds up, as the indices of its three numbers in y, x and the filters."""
    depth, count = filters[2:]
    per_group = count // (shape[3] // depth)
    down, across = window_counts(shape, window)
    (top, _), (left, _) = window.padding
    for n, p, q, i, j in product(
        range(shape[0]), range(down), range(across), *map(range, window.size)
    ):
        h = p * window.strides[0] + i * window.dilations[0] - top
        w = q * window.strides[1] + j * window.dilations[1] - left
        if 0 <= h < shape[1] and 0 <= w < shape[2]:
            for f, c in product(range(count), range(depth)):
                yield (n, p, q, f), (n, h, w, f // per_group * depth + c), (i, j, c, f)


@pytest.mark.parametrize("places_at_a_time", [1, 4, 12, 1000])
@pytest.mark.parametrize("filters", FILTERS)
@pytest.mark.parametrize("window", WINDOWS)
def test_strips_of_any_size_equal_the_definition(
    window: Window, filters: Any, places_at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(im2col, "_BYTES_AT_A_TIME", 1)
    monkeypatch.setattr(im2col, "_ROWS_AT_LEAST", places_at_a_time)
    random = np.random.default_rng(0)
    x = random.integers(-3, 4, (3, 6, 5, 4)).astype(np.float64)
    f = random.integers(-3, 4, (*window.size, *filters)).astype(np.float64)
    ybar = random.integers(-3, 4, (3, *window_counts(x.shape, window), filters[1])).astype(
        np.float64
    )
    y, xbar, fbar = np.zeros_like(ybar), np.zeros_like(x), np.zeros_like(f)
    for at_y, at_x, at_f in uses(window, x.shape, f.shape):
        y[at_y] += x[at_x] * f[at_f]
        xbar[at_x] += ybar[at_y] * f[at_f]
        fbar[at_f] += ybar[at_y] * x[at_x]
    np.testing.assert_array_equal(convolved(x, f, window=window), y)
    np.testing.assert_array_equal(image_cotangent(f, ybar, shape=x.shape, window=window), xbar)
    np.testing.assert_array_equal(filter_cotangent(x, ybar, shape=f.shape, window=window), fbar)


@pytest.mark.parametrize("shape", [(3, 40, 40), (100, 4, 4), (1, 5000, 3), (2, 1, 2000), (0, 4, 4)])
@pytest.mark.parametrize("bytes_each", [0, 36, 5000, 10**7])
def test_each_index_is_in_one_strip(shape: Any, bytes_each: int) -> None:
    visits = np.zeros(shape, int)
    for strip in strips(shape, bytes_each):
        assert visits[strip].size
        visits[strip] += 1
    assert (visits == 1).all()

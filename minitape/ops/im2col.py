"""The arithmetic of convolution, in which the windows are rows of a matrix that is multiplied by the filters.

    convolved           one row for each position, one column for each filter element and channel: y = rows · filters
    image_cotangent     the gradient of the input: ȳ · filtersᵀ, added where windows overlap
    filter_cotangent    the gradient of the filters: rowsᵀ · ȳ

If the window has n elements, the rows of an image need n times its memory. So the computation proceeds in *strips*, which
are a few images or a few lines of one image, so that a strip stays in the processor's cache until it is multiplied.

For groups of channels, there is one product for each group. If each group has one channel, a matrix product has nothing to sum
over within a group, so each filter element is multiplied directly.

Images have shape [batch, height, width, channels], filters [height, width, channels of a group, filters].
"""

import math
from collections.abc import Iterator

import numpy as np

from minitape.core.blas import product
from minitape.core.values import Array, Ints
from minitape.ops.windows import (
    Window,
    bordered,
    empty_canvas,
    patches,
    taps,
    without_border,
)

Strip = tuple[slice, slice]

# The size of a strip is about that of a processor's cache, but a strip has enough rows for an efficient product.
_BYTES_AT_A_TIME = 1 << 20
_ROWS_AT_LEAST = 256


def strips(shape: Ints, bytes_each: int) -> Iterator[Strip]:
    """Yield the output positions [batch, height, width] in strips, each given by its images and their lines.

    Args:
        shape: The shape [batch, height, width] of the positions.
        bytes_each: The size of the row of one position.
    """
    count, down, across = shape
    wanted = max(_BYTES_AT_A_TIME // max(bytes_each, 1), _ROWS_AT_LEAST)
    pictures = max(1, wanted // max(down * across, 1))
    cuts = max(1, down * across // wanted)
    lines = max(1, -(-down // cuts))
    for first in range(0, count, pictures):
        for top in range(0, down, lines):
            yield (
                slice(first, min(first + pictures, count)),
                slice(top, min(top + lines, down)),
            )


def _under(whole: Array, strip: Strip, window: Window) -> Array:
    """Return the part of padded images that the windows of a strip cover, as a view."""
    pictures, lines = strip
    step, reach = window.strides[0], (window.size[0] - 1) * window.dilations[0] + 1
    return whole[pictures, lines.start * step : (lines.stop - 1) * step + reach]


# --- one matrix for each group ---


def _written_out(seen: Array, groups: int) -> Array:
    """Return the windows as rows, [groups, positions, elements × channels]: one row for each position of each image."""
    *outer, channels = seen.shape
    depth = channels // groups
    split = seen.reshape(*outer, groups, depth) if groups > 1 else seen[..., np.newaxis, :]
    rows, columns = math.prod(outer[:3]), math.prod(outer[3:]) * depth
    return split.transpose(5, 0, 1, 2, 3, 4, 6).reshape(groups, rows, columns)


def _matrices(filters: Array, groups: int) -> Array:
    """Return the filters as matrices, [groups, elements × channels, filters]."""
    count = filters.shape[-1] // groups
    return filters.reshape(-1, groups, count).transpose(1, 0, 2)


def _rows(y: Array, groups: int) -> Array:
    """Return the output as rows, [groups, positions, filters]."""
    return y.reshape(-1, groups, y.shape[-1] // groups).transpose(1, 0, 2)


def _split(y: Array, groups: int) -> Array:
    """Return the channels split into groups, [batch, height, width, groups, channels], as a view."""
    return y.reshape(*y.shape[:3], groups, y.shape[-1] // groups)


def _by_channel(groups: int, filters: Ints) -> bool:
    """Return whether each channel is a group of its own; for a single channel the result is False, because a matrix product is
    faster.
    """
    return groups > 1 and filters[-2] == 1


def convolved(x: Array, filters: Array, *, window: Window) -> Array:
    """Return the convolution of images with filters.

    Args:
        x: A tensor of shape [batch, height, width, channels].
        filters: A tensor of shape [height, width, channels of a group, filters].
        window: Strides, padding and dilations.

    Returns:
        A tensor of shape [batch, output height, output width, filters].
    """
    groups = x.shape[-1] // filters.shape[-2]
    whole = bordered(x, window, 0)
    seen = patches(whole, window)
    y = np.zeros((*seen.shape[:3], filters.shape[-1]), x.dtype)
    matrices = _matrices(filters, groups)
    for strip in strips(seen.shape[:3], math.prod(seen.shape[3:]) * x.itemsize):
        if _by_channel(groups, filters.shape):
            split = _split(y[strip], groups)
            for tap, weights in zip(
                taps(_under(whole, strip, window), window), matrices.swapaxes(0, 1)
            ):
                split += np.einsum("nhwg,gf->nhwgf", tap, weights)
        else:
            answers = product(_written_out(seen[strip], groups), matrices)
            y[strip] = answers.transpose(1, 0, 2).reshape(y[strip].shape)
    return y


def image_cotangent(filters: Array, ybar: Array, *, shape: Ints, window: Window) -> Array:
    """Return the cotangent of images of shape `shape`.

    Args:
        filters: A tensor of shape [height, width, channels of a group, filters].
        ybar: The cotangent of the output.
        shape: The shape of the images.
        window: Strides, padding and dilations.
    """
    depth = filters.shape[-2]
    groups = shape[-1] // depth
    matrices = _matrices(filters, groups)
    canvas = empty_canvas(shape, window, ybar.dtype)
    for strip in strips(ybar.shape[:3], math.prod(window.size) * shape[-1] * ybar.itemsize):
        part = _under(canvas, strip, window)
        if _by_channel(groups, filters.shape):
            owed = _split(ybar[strip], groups)
            for tap, weights in zip(taps(part, window), matrices.swapaxes(0, 1)):
                tap += np.einsum("nhwgf,gf->nhwg", owed, weights)
        else:
            contributions = product(_rows(ybar[strip], groups), matrices.transpose(0, 2, 1))
            contributions = contributions.reshape(groups, *ybar[strip].shape[:3], -1, depth)
            of_taps = contributions.transpose(4, 1, 2, 3, 0, 5)
            for tap, contribution in zip(taps(_split(part, groups), window), of_taps):
                tap += contribution
    return without_border(canvas, shape, window)


def filter_cotangent(x: Array, ybar: Array, *, shape: Ints, window: Window) -> Array:
    """Return the cotangent of filters of shape `shape`.

    Args:
        x: A tensor of shape [batch, height, width, channels].
        ybar: The cotangent of the output.
        shape: The shape of the filters.
        window: Strides, padding and dilations.
    """
    groups = x.shape[-1] // shape[-2]
    whole = bordered(x, window, 0)
    seen = patches(whole, window)
    total = np.zeros((groups, math.prod(shape[:3]), shape[-1] // groups), x.dtype)
    for strip in strips(seen.shape[:3], math.prod(seen.shape[3:]) * x.itemsize):
        if _by_channel(groups, shape):
            owed = _split(ybar[strip], groups)
            for tap, own in zip(taps(_under(whole, strip, window), window), total.swapaxes(0, 1)):
                own += np.einsum("nhwg,nhwgf->gf", tap, owed)
        else:
            rows = _written_out(seen[strip], groups)
            total += product(rows.transpose(0, 2, 1), _rows(ybar[strip], groups))
    return total.transpose(1, 0, 2).reshape(shape)

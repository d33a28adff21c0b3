"""Gradients of images, and the similarity of two images.

    image_gradients, sobel_edges, total_variation    differences of neighboring pixels
    psnr                                             by the mean squared difference
    ssim, ssim_multiscale                            by mean, contrast and structure within a window

None of these functions has a rule of its own, because the tape records their steps.

Source: Z. Wang, A. Bovik, H. Sheikh, E. Simoncelli, "Image quality assessment: from error visibility to structural similarity"
(2004); Z. Wang, E. Simoncelli, A. Bovik, "Multiscale structural similarity for image quality assessment" (2003).
"""

import math
from typing import Any

import numpy as np

from minitape.core.batched import raw_dtype
from minitape.core.convert import as_array, read_once
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError, TapeValueError, Teaching
from minitape.ops.activations import relu
from minitape.ops.arithmetic import square, squared_difference
from minitape.ops.broadcasting import reduce_mean, reduce_sum
from minitape.ops.complex_numbers import abs
from minitape.ops.convolution import depthwise_conv2d
from minitape.ops.cumulative import reduce_prod
from minitape.ops.exponential import log
from minitape.ops.images.adjustment import convert_image_dtype
from minitape.ops.images.pictures import as_images
from minitape.ops.joining import stack
from minitape.ops.pooling import avg_pool2d
from minitape.ops.reshaping import _reshape
from minitape.ops.slicing import pad

# --- differences of neighboring pixels ---


def _steps(x: Value) -> tuple[Value, Value]:
    """Return the difference between each pixel and the pixel before it, vertically and horizontally."""
    return (
        x[..., 1:, :, :] - x[..., :-1, :, :],
        x[..., 1:, :] - x[..., :-1, :],
    )


def image_gradients(image: Value) -> tuple[Value, Value]:
    """Return the difference between each pixel and the next one, vertically and horizontally; 0 at the last pixel.

    Args:
        image: A tensor of shape [batch, height, width, channels] with a number dtype.

    Returns:
        Two tensors in the shape of `image`: vertical, horizontal.

    Raises:
        ValueError: the rank is not 4.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/image_gradients
    """
    x = _batch_of_pictures(image, "image_gradients")
    down, across = _steps(x)
    return (
        pad(down, [[0, 0], [0, 1], [0, 0], [0, 0]]),
        pad(across, [[0, 0], [0, 0], [0, 1], [0, 0]]),
    )


def _batch_of_pictures(image: Any, op: str) -> Value:
    x = read_once(image)
    if len(x.shape) != 4:
        raise TapeValueError(
            f"`{op}` requires a tensor of shape `[batch_size, h, w, d]`, but got shape {tuple(x.shape)}.",
            fix="use `x[tf.newaxis]` for a batch of one image",
            code="MT507",
        )
    return x


def total_variation(images: Value, name: str | None = None) -> Value:
    """Return the sum of the absolute differences of neighboring pixels, which is a measure of noise.

    Args:
        images: A tensor of shape [batch, height, width, channels] or [height, width, channels] with a number dtype.
        name: Ignored.

    Returns:
        One number for each image.

    Raises:
        ValueError: the rank is neither 3 nor 4.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is 0 where two neighbors are equal.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/total_variation
    """
    x = as_images(images, "total_variation")
    down, across = _steps(x)
    axes = [-3, -2, -1]
    return reduce_sum(abs(down), axis=axes) + reduce_sum(abs(across), axis=axes)


_SOBEL = (
    ((-1, -2, -1), (0, 0, 0), (1, 2, 1)),
    ((-1, 0, 1), (-2, 0, 2), (-1, 0, 1)),
)


def sobel_edges(image: Value) -> Value:
    """Return the vertical and horizontal Sobel derivatives at each pixel.

    Args:
        image: A tensor of shape [batch, height, width, channels] with a float dtype.

    Returns:
        A tensor of shape [batch, height, width, channels, 2].

    Raises:
        ValueError: the rank is not 4.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/sobel_edges
    """
    x = _batch_of_pictures(image, "sobel_edges")
    both = np.moveaxis(np.array(_SOBEL, raw_dtype(x)), 0, -1)
    filters = np.repeat(both[:, :, None, :], x.shape[-1], axis=2)
    bordered = pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    edges = depthwise_conv2d(bordered, filters, [1, 1, 1, 1], "VALID")
    return _reshape(edges, shape=(*x.shape, 2))


# --- similarity of two images ---


def _two(
    a: Any, b: Any, max_val: Any, op: str, error: type[Teaching] = TapeValueError
) -> tuple[Value, Value, Array]:
    """Return the two images as float32, and `max_val` on that scale; raise `error` if the shapes do not fit."""
    first, second = read_once(a), read_once(b)
    shapes = tuple(first.shape), tuple(second.shape)
    fits = min(map(len, shapes)) >= 3 and shapes[0][-3:] == shapes[1][-3:]
    if not fits or not _broadcasts(shapes[0][:-3], shapes[1][:-3]):
        raise error(
            f"`{op}`: the images have incompatible shapes, {shapes[0]} and {shapes[1]}.",
            fix="pass two images with the same height, width and number of channels",
            code="MT507",
        )
    top = as_array(as_array(max_val, None).astype(raw_dtype(first)), None)
    scale = np.asarray(convert_image_dtype(top, np.float32)).astype(np.float32)[()]
    return convert_image_dtype(first, np.float32), convert_image_dtype(second, np.float32), scale


def _broadcasts(a: Ints, b: Ints) -> bool:
    return all(1 in sizes or len(set(sizes)) == 1 for sizes in zip(a[::-1], b[::-1]))


def psnr(a: Value, b: Value, max_val: Any, name: str | None = None) -> Value:
    """Return the peak signal-to-noise ratio of two images, in decibels; higher is more similar.

    Args:
        a: A tensor of shape [..., height, width, channels] with a real dtype.
        b: The same shape and dtype.
        max_val: The range of the values: 255 for uint8, 1.0 for floats.
        name: Ignored.

    Returns:
        A float32 tensor with one number for each pair.

    Raises:
        InvalidArgumentError: the shapes do not fit.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is NaN for two equal images.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/psnr
    """
    x, y, top = _two(a, b, max_val, "psnr", InvalidArgumentError)
    error = reduce_mean(squared_difference(x, y), axis=[-3, -2, -1])
    highest = np.float32(20) * np.log(top) / np.log(np.float32(10))
    return highest - log(error) * np.float32(10 / math.log(10))


def ssim(
    img1: Value,
    img2: Value,
    max_val: Any,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
    return_index_map: bool = False,
) -> Value:
    """Return the structural similarity of two images; 1 if they are equal.

    Args:
        img1: A tensor of shape [..., height, width, channels] with a real dtype.
        img2: A tensor with the shape and dtype of `img1`.
        max_val: The range of the values.
        filter_size: The size of the Gaussian window.
        filter_sigma: The standard deviation of the window.
        k1: A small constant that keeps the denominator of the mean term above 0.
        k2: A small constant that keeps the denominator of the contrast term above 0.
        return_index_map: Whether to return a number for each position of the window instead of their mean.

    Returns:
        A float32 tensor with one number for each pair (or position).

    Raises:
        ValueError: the shapes do not fit.
        InvalidArgumentError: the images are smaller than the window.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/ssim; Wang et al. (2004).
    """
    x, y, top = _two(img1, img2, max_val, "ssim")
    luminance, contrast = _similarities(x, y, top, filter_size, filter_sigma, k1, k2)
    whole = luminance * contrast
    return reduce_mean(whole if return_index_map else reduce_mean(whole, axis=[-3, -2]), axis=[-1])


def _similarities(
    x: Value, y: Value, top: Array, size: int, sigma: float, k1: float, k2: float
) -> tuple[Value, Value]:
    """Return the similarity of the means, and the similarity of the contrast and structure, for each position of the window."""
    height, width, channels = x.shape[-3:]
    if min(height, width) < size:
        raise InvalidArgumentError(
            f"`ssim`: the window has {size} rows and columns, but the images have {height} rows and {width} columns.",
            fix=f"pass `filter_size={min(height, width)}`",
            code="MT507",
        )
    bell = _gaussian(size, sigma, channels)

    def seen(z: Value) -> Value:
        flat = _reshape(z, shape=(math.prod(z.shape[:-3]), *z.shape[-3:]))
        means = depthwise_conv2d(flat, bell, [1, 1, 1, 1], "VALID")
        return _reshape(means, shape=(*z.shape[:-3], *means.shape[1:]))

    little, less = (np.float32(k1) * top) ** 2, (np.float32(k2) * top) ** 2
    mean_x, mean_y = seen(x), seen(y)
    product = mean_x * mean_y * 2.0
    squares = square(mean_x) + square(mean_y)
    luminance = (product + little) / (squares + little)
    both = seen(x * y) * 2.0
    each = seen(square(x) + square(y))
    return luminance, (both - product + less) / (each - squares + less)


def _gaussian(size: int, sigma: float, channels: int) -> Array:
    """Return Gaussian weights that add up to 1, for a depthwise convolution."""
    line = np.arange(size, dtype=np.float32) - np.float32((size - 1) / 2)
    line = np.square(line) * (np.float32(-0.5) / np.square(np.float32(sigma)))
    weights = np.exp(line[:, None] + line)
    weights = (weights / weights.sum()).astype(np.float32)
    return np.repeat(weights[:, :, None, None], channels, axis=2)


_WEIGHTS_OF_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def ssim_multiscale(
    img1: Value,
    img2: Value,
    max_val: Any,
    power_factors: Any = _WEIGHTS_OF_SCALES,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Value:
    """Return the structural similarity of two images at several scales.

    Args:
        img1: A tensor of shape [..., height, width, channels] with a real dtype.
        img2: A tensor with the shape and dtype of `img1`.
        max_val: The range of the values.
        power_factors: The weight of each scale; each scale is half the size of the one before.
        filter_size: Has the same meaning as in `ssim`.
        filter_sigma: Has the same meaning as in `ssim`.
        k1: Has the same meaning as in `ssim`.
        k2: Has the same meaning as in `ssim`.

    Returns:
        A float32 tensor with one number for each pair.

    Raises:
        ValueError: the shapes do not fit.
        InvalidArgumentError: at the smallest scale, the images are smaller than the window.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/ssim_multiscale; Wang et al. (2003).
    """
    x, y, top = _two(img1, img2, max_val, "ssim_multiscale")
    powers = np.asarray(power_factors, np.float32)
    scores = []
    for scale in range(len(powers)):
        if scale:
            x, y = _half_as_large(x), _half_as_large(y)
        luminance, contrast = _similarities(x, y, top, filter_size, filter_sigma, k1, k2)
        is_last = scale == len(powers) - 1
        score = luminance * contrast if is_last else contrast
        scores.append(relu(reduce_mean(score, axis=[-3, -2])))
    return reduce_mean(reduce_prod(stack(scores, axis=-1) ** powers, axis=[-1]), axis=[-1])


def _half_as_large(x: Value) -> Value:
    """Return the mean of each 2 × 2 pixels; an odd last row or column is repeated."""
    flat = _reshape(x, shape=(math.prod(x.shape[:-3]), *x.shape[-3:]))
    down, across = x.shape[-3] % 2, x.shape[-2] % 2
    if down or across:
        flat = pad(flat, [[0, 0], [0, down], [0, across], [0, 0]], mode="SYMMETRIC")
    small = avg_pool2d(flat, 2, 2, "VALID")
    return _reshape(small, shape=(*x.shape[:-3], *small.shape[1:]))

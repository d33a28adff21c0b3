"""Brightness, contrast and dtypes of images.

    convert_image_dtype              0 to 1 for floats, 0 to the maximum for integers
    adjust_brightness, adjust_gamma  add a number, and raise to a power
    adjust_contrast                  scale the distance from the mean of the image; its gradient raises LookupError, as in
                                     TensorFlow
    per_image_standardization        mean 0 and standard deviation 1

All functions compute with floats; an image of integers is converted to floats and back.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_array, read_once
from minitape.core.declaration import not_registered
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, TapeAttributeError, TapeValueError
from minitape.ops.arithmetic import floordiv
from minitape.ops.axes import real_number
from minitape.ops.broadcasting import reduce_mean
from minitape.ops.clipping import saturate_cast
from minitape.ops.identity import cast, identity
from minitape.ops.images.pictures import with_axes
from minitape.ops.minmax import maximum
from minitape.ops.rules import one_by_one
from minitape.ops.statistics import reduce_std


def convert_image_dtype(
    image: Value, dtype: Any, saturate: bool = False, name: str | None = None
) -> Value:
    """Convert an image to a different dtype, so that 1.0 corresponds to the largest integer.

    Args:
        image: A tensor of any shape with a float or integer dtype.
        dtype: A float or integer dtype.
        saturate: Whether a value out of range becomes the nearest limit.
        name: Ignored.

    Returns:
        A tensor with the shape of `image` and dtype `dtype`.

    Raises:
        AttributeError: one of the dtypes is neither a float nor an integer dtype.

    Gradient: Between float dtypes, derivatives of any order are supported, including batched ones. A conversion to or from
    integers has no gradient.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/convert_image_dtype
    """
    x, wanted = read_once(image), dtypes.as_dtype(dtype)
    have = dtypes.as_dtype(raw_dtype(x))
    for each, what in ((wanted, "dtype"), (have, "image dtype")):
        if not (each.is_floating or each.is_integer):
            raise TapeAttributeError(
                f"{what} must be either floating point or integer, but is {each.name}.",
                fix="use `tf.image.convert_image_dtype(image, tf.float32)`",
            )
    as_wanted = saturate_cast if saturate else cast
    if have == wanted:
        return identity(x)
    if have.is_floating and wanted.is_floating:
        return cast(x, wanted)
    if have.is_integer and wanted.is_floating:
        return cast(x, wanted) * (1.0 / have.max)
    if have.is_floating:
        return as_wanted(
            x * (wanted.max + 0.5), wanted
        )  # 0.5 is added because the cast rounds down
    if have.max > wanted.max:
        return as_wanted(floordiv(x, (have.max + 1) // (wanted.max + 1)), wanted)
    return as_wanted(x, wanted) * ((wanted.max + 1) // (have.max + 1))


def _of_floats(image: Any, change: Callable[[Value], Value], *, saturate: bool = True) -> Value:
    """Apply a change to an image of floats, and return the result in the original dtype."""
    x = read_once(image)
    have = raw_dtype(x)
    small = have in (np.float16, np.float32)
    changed = change(x if small else convert_image_dtype(x, dtypes.float32))
    return convert_image_dtype(changed, have, saturate=saturate)


def adjust_brightness(image: Value, delta: Any) -> Value:
    """Add a number to each element.

    Args:
        image: A tensor of any shape with a real dtype.
        delta: The number to add, on a scale on which black is 0 and white is 1.

    Returns:
        A tensor with the shape and dtype of `image`.

    Gradient: Derivatives of any order with respect to float images are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/adjust_brightness
    """
    return _of_floats(image, lambda x: x + cast(delta, raw_dtype(x)))


def adjust_gamma(image: Value, gamma: Any = 1, gain: Any = 1) -> Value:
    """Return gain · image ^ gamma for each element.

    Args:
        image: A tensor of any shape with a real dtype.
        gamma: The exponent; above 1 darkens, below 1 brightens.
        gain: A factor.

    Returns:
        A tensor with the shape and dtype of `image`.

    Raises:
        ValueError: `gamma` is negative.

    Gradient: Derivatives of any order with respect to float images are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/adjust_gamma
    """
    if np.any(as_array(gamma, None) < 0):
        raise TapeValueError(
            f"Gamma should be a non-negative real number, but is {gamma}.", fix="pass `gamma=0.5`"
        )
    return _of_floats(image, lambda x: gain * x**gamma)


def _contrast_kernel(x: Array, factor: Array) -> Array:
    mean = x.mean(axis=(-3, -2), keepdims=True)
    return ((x - mean) * factor + mean).astype(x.dtype)


_adjust_contrast: Primitive = Primitive(
    "AdjustContrastv2",
    _contrast_kernel,
    vjp=not_registered(reason="TensorFlow has no rule for `adjust_contrast`"),
    batch=one_by_one,
    dtype_kinds="f",
    same_dtype_args=(0,),
)


def adjust_contrast(images: Value, contrast_factor: Any) -> Value:
    """Scale the distance of each element from the mean of its image and channel.

    Args:
        images: A tensor of shape [..., height, width, channels] with a real dtype.
        contrast_factor: The factor.

    Returns:
        A tensor with the shape and dtype of `images`.

    Raises:
        InvalidArgumentError: the input has fewer than 3 axes.

    Gradient: Requesting it raises LookupError, as in TensorFlow. The expression `mean + (images - mean) * factor` has a gradient.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/adjust_contrast
    """
    factor = np.float32(real_number(contrast_factor))
    x = with_axes(images, "adjust_contrast", InvalidArgumentError)
    return _of_floats(x, lambda each: _adjust_contrast(each, factor))


def per_image_standardization(image: Value) -> Value:
    """Scale each image to mean 0 and standard deviation 1; an image that is nearly constant is only shifted.

    Args:
        image: A tensor of shape [..., height, width, channels] with a real dtype.

    Returns:
        A float32 tensor with the shape of `image`.

    Raises:
        ValueError: the input has fewer than 3 axes.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/per_image_standardization
    """
    x = cast(with_axes(image, "per_image_standardization"), np.float32)
    count = int(np.prod(x.shape[-3:]))
    axes = [-1, -2, -3]
    mean = reduce_mean(x, axis=axes, keepdims=True)
    least = np.float32(1) / np.sqrt(np.float32(count))
    return (x - mean) / maximum(reduce_std(x, axis=axes, keepdims=True), least)

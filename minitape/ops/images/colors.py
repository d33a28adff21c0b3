"""Color spaces.

    rgb_to_grayscale, grayscale_to_rgb           the brightness; the same number three times
    rgb_to_yiq, rgb_to_yuv and back              brightness and two differences, by one matrix each
    rgb_to_hsv ↔ hsv_to_rgb                      hue, saturation, value
    adjust_hue, adjust_saturation                rotate the hue, scale the saturation

As in TensorFlow, hsv_to_rgb has no gradient, and the gradients of adjust_hue and adjust_saturation raise LookupError.
"""

from typing import Any

import numpy as np

from minitape.core.batched import raw_dtype
from minitape.core.convert import read_once
from minitape.core.declaration import no_gradient, not_registered
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.errors import TapeValueError
from minitape.ops.arithmetic import divide_no_nan
from minitape.ops.axes import real_number
from minitape.ops.identity import _cast
from minitape.ops.images.adjustment import _of_floats, convert_image_dtype
from minitape.ops.images.pictures import with_colors
from minitape.ops.joining import _pack, _unpack, tile
from minitape.ops.products import tensordot
from minitape.ops.reshaping import expand_dims
from minitape.ops.rules import leading_axes, one_by_one

_BRIGHTNESS = (0.2989, 0.5870, 0.1140)


def rgb_to_grayscale(images: Value, name: str | None = None) -> Value:
    """Return the perceived brightness of colors.

    Args:
        images: A tensor of shape [..., 3] with a real dtype.
        name: Ignored.

    Returns:
        A tensor of shape [..., 1], of the same dtype.

    Raises:
        InvalidArgumentError: the last axis does not have size 3.

    Gradient: Derivatives of any order with respect to float images are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/rgb_to_grayscale
    """
    x = with_colors(images, "rgb_to_grayscale")
    brightness = np.array(_BRIGHTNESS, np.float32)
    gray = tensordot(convert_image_dtype(x, np.float32), brightness, [[-1], [-1]])
    return convert_image_dtype(expand_dims(gray, -1), raw_dtype(x))


def grayscale_to_rgb(images: Value, name: str | None = None) -> Value:
    """Repeat a single channel three times.

    Args:
        images: A tensor of shape [..., 1] and any dtype.
        name: Ignored.

    Returns:
        A tensor of shape [..., 3], of the same dtype.

    Raises:
        ValueError: the last axis does not have size 1.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/grayscale_to_rgb
    """
    x = read_once(images)
    if len(x.shape) < 2 or x.shape[-1] != 1:
        raise TapeValueError(
            f"A grayscale image must be at least two-dimensional, and its last dimension must have size 1, but its "
            f"shape is {tuple(x.shape)}.",
            fix="use `x[..., tf.newaxis]` for one channel",
            code="MT507",
        )
    return tile(x, [*[1] * (len(x.shape) - 1), 3])


# --- one matrix each ---

_YIQ = (
    (0.299, 0.59590059, 0.2115),
    (0.587, -0.27455667, -0.52273617),
    (0.114, -0.32134392, 0.31119955),
)
_FROM_YIQ = (
    (1, 1, 1),
    (0.95598634, -0.27201283, -1.10674021),
    (0.6208248, -0.64720424, 1.70423049),
)
_YUV = (
    (0.299, -0.14714119, 0.61497538),
    (0.587, -0.28886916, -0.51496512),
    (0.114, 0.43601035, -0.10001026),
)
_FROM_YUV = ((1, 1, 1), (0, -0.394642334, 2.03206185), (1.13988303, -0.58062185, 0))


def _mixed(images: Any, matrix: Any, op: str) -> Value:
    x = with_colors(images, op)
    return tensordot(x, np.array(matrix, raw_dtype(x)), [[-1], [0]])


def rgb_to_yiq(images: Value) -> Value:
    """Convert RGB to YIQ, the color space of NTSC.

    Args:
        images: A tensor of shape [..., 3] with a float dtype.

    Returns:
        A tensor with the shape and dtype of `images`.

    Raises:
        InvalidArgumentError: the last axis does not have size 3.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/rgb_to_yiq
    """
    return _mixed(images, _YIQ, "rgb_to_yiq")


def yiq_to_rgb(images: Value) -> Value:
    """Convert YIQ to RGB: the inverse of `rgb_to_yiq`.

    Args:
        images: A tensor of shape [..., 3] with a float dtype.

    Returns:
        A tensor with the shape and dtype of `images`.

    Raises:
        InvalidArgumentError: the last axis does not have size 3.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/yiq_to_rgb
    """
    return _mixed(images, _FROM_YIQ, "yiq_to_rgb")


def rgb_to_yuv(images: Value) -> Value:
    """Convert RGB to YUV, the color space of PAL.

    Args:
        images: A tensor of shape [..., 3] with a float dtype.

    Returns:
        A tensor with the shape and dtype of `images`.

    Raises:
        InvalidArgumentError: the last axis does not have size 3.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/rgb_to_yuv
    """
    return _mixed(images, _YUV, "rgb_to_yuv")


def yuv_to_rgb(images: Value) -> Value:
    """Convert YUV to RGB: the inverse of `rgb_to_yuv`.

    Args:
        images: A tensor of shape [..., 3] with a float dtype.

    Returns:
        A tensor with the shape and dtype of `images`.

    Raises:
        InvalidArgumentError: the last axis does not have size 3.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/yuv_to_rgb
    """
    return _mixed(images, _FROM_YUV, "yuv_to_rgb")


# --- hue, saturation, value ---


def _no_nan(a: Array, b: Array) -> Array:
    return np.where(b == 0, 0, a / np.where(b == 0, 1, b))


def _to_hsv_kernel(x: Array) -> Array:
    """Compute the hue in sixths of the color wheel. If channels are equal, red counts as larger than green, and green as larger
    than blue.
    """
    red, green, blue = np.moveaxis(x, -1, 0)
    value = x.max(axis=-1)
    spread = value - x.min(axis=-1)
    saturation = np.where(value > 0, _no_nan(spread, value), 0)
    hue = np.where(
        value == red,
        _no_nan(green - blue, spread),
        np.where(value == green, 2 + _no_nan(blue - red, spread), 4 + _no_nan(red - green, spread)),
    )
    hue = np.where(spread > 0, hue / 6, 0)
    return np.stack([np.where(hue < 0, hue + 1, hue), saturation, value], axis=-1).astype(x.dtype)


def _from_hsv_kernel(x: Array) -> Array:
    """Compute each channel as a ramp around the color wheel, clipped at its top and bottom."""
    hue, saturation, value = np.moveaxis(x, -1, 0)
    sixths = (hue * 6).astype(x.dtype)
    ramps = np.stack([abs(sixths - 3) - 1, 2 - abs(sixths - 2), 2 - abs(sixths - 4)], axis=-1)
    pale = 1 - saturation[..., None] * (1 - np.clip(ramps, 0, 1))
    return (value[..., None] * pale).astype(x.dtype)


def _to_hsv_vjp(ybar: Value, y: Value, x: Value) -> Value:
    """Use that the order of the channels is locally constant, and that for a constant order, hue and saturation are quotients."""
    red, green, blue = colors = _unpack(x, axis=len(x.shape) - 1)
    dtype = raw_dtype(x)

    def is_so(condition: Value) -> Value:
        return _cast(condition, dtype=dtype)

    largest = (
        is_so((red >= blue) & (red >= green)),
        is_so((green > red) & (green >= blue)),
        is_so((blue > red) & (blue > green)),
    )
    smallest = (
        is_so((red < blue) & (red < green)),
        is_so((green <= red) & (green < blue)),
        is_so((blue <= red) & (blue <= green)),
    )
    of_hue, of_saturation, of_value = _unpack(ybar, axis=len(x.shape) - 1)
    high = sum(m * c for m, c in zip(largest, colors, strict=True))
    low = sum(m * c for m, c in zip(smallest, colors, strict=True))
    spread = high - low
    # The two numbers are equal, but where the channel is the largest, TensorFlow uses the output, which affects the second
    # derivative.
    _, saturation, value = _unpack(y, axis=len(x.shape) - 1)
    of_output = saturation * value
    differences = (green - blue, blue - red, red - green)
    apart = sum(m * d for m, d in zip(largest, differences, strict=True))
    contributions = []
    for i, color in enumerate(colors):
        # The hue is apart / spread / 6, where apart is the channel after the largest minus the one before it.
        ahead, behind = largest[i - 1], largest[(i + 1) % 3]
        by_hue = divide_no_nan(ahead - behind, spread)
        by_hue += divide_no_nan(apart * smallest[i], spread * spread)
        by_hue -= divide_no_nan(apart * largest[i], of_output * of_output)
        by_saturation = divide_no_nan(largest[i] * low, high * high)
        by_saturation -= divide_no_nan(smallest[i], high)
        contributions.append(
            of_hue * by_hue / 6.0
            + of_saturation * by_saturation * is_so(color > 0.0)
            + of_value * largest[i]
        )
    return _pack(*contributions, axis=len(x.shape) - 1)


_to_hsv: Primitive = Primitive(
    "RGBToHSV",
    _to_hsv_kernel,
    vjp=(_to_hsv_vjp,),
    batch=leading_axes,
    residuals="xy",
    rule="value: ȳ goes to the largest   "
    "saturation, hue: ȳ times the derivatives of quotients of the largest, the smallest and the other",
    dtype_kinds="f",
)

_from_hsv: Primitive = Primitive(
    "HSVToRGB",
    _from_hsv_kernel,
    vjp=no_gradient(reason="TensorFlow defines no gradient for `hsv_to_rgb`"),
    batch=leading_axes,
    dtype_kinds="f",
)


def rgb_to_hsv(images: Value, name: str | None = None) -> Value:
    """Convert RGB to hue, saturation and value, each from 0 to 1.

    Args:
        images: A tensor of shape [..., 3] with a float dtype, from 0 to 1.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `images`.

    Raises:
        InvalidArgumentError: the last axis does not have size 3.

    Gradient: Derivatives of any order are supported, including batched ones. If channels are equal, red counts as larger than
    green, and green as larger than blue. For gray, the gradient through hue and saturation is 0. The tape keeps the input and the
    output.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/rgb_to_hsv
    """
    return _to_hsv(with_colors(images, "rgb_to_hsv"))


def hsv_to_rgb(images: Value, name: str | None = None) -> Value:
    """Convert hue, saturation and value to RGB.

    Args:
        images: A tensor of shape [..., 3] with a float dtype, from 0 to 1.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `images`.

    Raises:
        InvalidArgumentError: the last axis does not have size 3.

    Gradient: There is none, as in TensorFlow.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/hsv_to_rgb
    """
    return _from_hsv(with_colors(images, "hsv_to_rgb"))


# --- hue and saturation ---


def _hue_kernel(x: Array, delta: Array) -> Array:
    hsv = _to_hsv_kernel(x)
    hsv[..., 0] = (hsv[..., 0] + delta) % 1
    return _from_hsv_kernel(hsv)


def _saturation_kernel(x: Array, factor: Array) -> Array:
    hsv = _to_hsv_kernel(x)
    hsv[..., 1] = np.clip(hsv[..., 1] * factor, 0, 1)
    return _from_hsv_kernel(hsv)


_adjust_hue: Primitive = Primitive(
    "AdjustHue",
    _hue_kernel,
    vjp=not_registered(reason="TensorFlow has no rule for `adjust_hue`"),
    batch=one_by_one,
    dtype_kinds="f",
    same_dtype_args=(0,),
)

_adjust_saturation: Primitive = Primitive(
    "AdjustSaturation",
    _saturation_kernel,
    vjp=not_registered(reason="TensorFlow has no rule for `adjust_saturation`"),
    batch=one_by_one,
    dtype_kinds="f",
    same_dtype_args=(0,),
)


def adjust_hue(image: Value, delta: Any, name: str | None = None) -> Value:
    """Rotate the hue.

    Args:
        image: A tensor of shape [..., 3] with a real dtype.
        delta: The angle as a fraction of the color wheel, from -1 to 1.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `image`.

    Raises:
        InvalidArgumentError: the last axis does not have size 3.
        ValueError: `delta` is out of range.

    Gradient: Requesting it raises LookupError, as in TensorFlow.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/adjust_hue
    """
    rotation = np.float32(real_number(delta))
    if not -1 <= rotation <= 1:
        raise TapeValueError(
            f"`delta` must be in the interval [-1, 1], but is {rotation}.", fix="pass `delta=0.1`"
        )
    x = with_colors(image, "adjust_hue")
    return _of_floats(x, lambda each: _adjust_hue(each, rotation), saturate=False)


def adjust_saturation(image: Value, saturation_factor: Any, name: str | None = None) -> Value:
    """Scale the saturation.

    Args:
        image: A tensor of shape [..., 3] with a real dtype.
        saturation_factor: The factor.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `image`.

    Raises:
        InvalidArgumentError: the last axis does not have size 3.

    Gradient: Requesting it raises LookupError, as in TensorFlow.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/adjust_saturation
    """
    factor = np.float32(real_number(saturation_factor))
    x = with_colors(image, "adjust_saturation")
    return _of_floats(x, lambda each: _adjust_saturation(each, factor), saturate=False)

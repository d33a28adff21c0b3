"""Resize images.

    resize ↔ its gradient    two matrices (resampling.py); the gradient multiplies by their transposes
    resize_with_pad          resize to fit, with padding

As in TensorFlow, the gradients have no rules of their own, so a second derivative is None for bilinear, and raises LookupError
for the other methods.
"""

from types import MappingProxyType
from typing import Any

import numpy as np

from minitape.core.convert import read_once
from minitape.core.declaration import no_gradient, not_registered
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError, TapeValueError, code_list
from minitape.ops.axes import as_ints, whole_number
from minitape.ops.comparison import REALS
from minitape.ops.identity import cast
from minitape.ops.images.framing import pad_to_bounding_box
from minitape.ops.images.pictures import as_images
from minitape.ops.images.resampling import nearest_rows, weights
from minitape.ops.rules import leading_axes


class ResizeMethod:
    """The methods of `tf.image.resize`."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


def _through(x: Array, rows: Array, columns: Array) -> Array:
    """Multiply the rows and columns of images [..., height, width, channels] by two matrices."""
    *leading, height, width, channels = x.shape
    mixed = np.matmul(rows.astype(x.dtype), x.reshape(-1, height, width * channels))
    mixed = np.matmul(columns.astype(x.dtype), mixed.reshape(-1, width, channels))
    return mixed.reshape(*leading, len(rows), len(columns), channels)


def _resize_kernel(x: Array, *, size: Ints, method: str, antialias: bool = False) -> Array:
    height, width = x.shape[-3:-1]
    return _through(
        x, weights(method, height, size[0], antialias), weights(method, width, size[1], antialias)
    )


def _back_kernel(ybar: Array, *, size: Ints, method: str, antialias: bool = False) -> Array:
    """Return the gradient of `_resize_kernel`; `size` is that of the resized image."""
    height, width = ybar.shape[-3:-1]
    return _through(
        ybar,
        weights(method, size[0], height, antialias).T,
        weights(method, size[1], width, antialias).T,
    )


def _nearest_kernel(x: Array, *, size: Ints, method: str) -> Array:
    """Copy elements without arithmetic, so that integers stay integers."""
    rows = nearest_rows(x.shape[-3], size[0])
    columns = nearest_rows(x.shape[-2], size[1])
    return x[..., rows[:, None], columns, :]


def _resizer(
    name: str, kernel: Any, back: Primitive, rule: str, dtype_kinds: str = "f"
) -> Primitive:
    return Primitive(
        name,
        kernel,
        vjp=(lambda ybar, y, x, size, **how: back(ybar, size=tuple(x.shape[-3:-1]), **how),),
        batch=leading_axes,
        rule=rule,
        dtype_kinds=dtype_kinds,
    )


_FIXED = "TensorFlow has no second-order rule for this resize"

_bilinear_back: Primitive = Primitive(
    "ResizeBilinearGrad",
    _back_kernel,
    vjp=no_gradient(reason=_FIXED),
    batch=leading_axes,
    dtype_kinds="f",
)
_nearest_back: Primitive = Primitive(
    "ResizeNearestNeighborGrad",
    _back_kernel,
    vjp=not_registered(reason=_FIXED),
    batch=leading_axes,
    dtype_kinds="f",
)
_bicubic_back: Primitive = Primitive(
    "ResizeBicubicGrad",
    _back_kernel,
    vjp=not_registered(reason=_FIXED),
    batch=leading_axes,
    dtype_kinds="f",
)
_curve_back: Primitive = Primitive(
    "ScaleAndTranslateGrad",
    _back_kernel,
    vjp=not_registered(reason=_FIXED),
    batch=leading_axes,
    dtype_kinds="f",
)

_resize_bilinear = _resizer(
    "ResizeBilinear",
    _resize_kernel,
    _bilinear_back,
    "x̄: each input pixel receives the ȳ of the neighboring output pixels, weighted by distance",
)
_resize_nearest = _resizer(
    "ResizeNearestNeighbor",
    _nearest_kernel,
    _nearest_back,
    "x̄ = the sum of ȳ over the output pixels that copied the element",
    dtype_kinds=REALS,
)
_resize_bicubic = _resizer(
    "ResizeBicubic", _resize_kernel, _bicubic_back, "x̄ = ȳ times the transposed matrix of weights"
)
_resize_by_curve = _resizer(
    "ScaleAndTranslate", _resize_kernel, _curve_back, "x̄ = ȳ times the transposed matrix of weights"
)
_resize_area: Primitive = Primitive(
    "ResizeArea",
    _resize_kernel,
    vjp=not_registered(reason="TensorFlow has no rule for the resize method `AREA`"),
    batch=leading_axes,
    dtype_kinds="f",
)

_RESIZERS = MappingProxyType(
    {
        "bilinear": _resize_bilinear,
        "nearest": _resize_nearest,
        "bicubic": _resize_bicubic,
        "area": _resize_area,
    }
)
_CURVES = ("lanczos3", "lanczos5", "gaussian", "mitchellcubic")
_WITHOUT_SKIPPING = MappingProxyType({"bilinear": "triangle", "bicubic": "keyscubic"})


def resize(
    images: Value,
    size: Any,
    method: str = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Value:
    """Resize images.

    Args:
        images: A tensor of shape [batch, height, width, channels] or [height, width, channels] with a real dtype.
        size: New height and width.
        method: "bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian" or "mitchellcubic".
        preserve_aspect_ratio: Whether to keep the aspect ratio; `size` is then only the maximum size.
        antialias: Whether to average the input rows that would be skipped. "nearest" and "area" ignore it.
        name: Ignored.

    Returns:
        The images with the new height and width: float32, or the dtype of `images` for "nearest".

    Raises:
        ValueError: the rank is neither 3 nor 4, `size` does not have two elements, or the method is unknown.
        InvalidArgumentError: the new size is not positive.

    Gradient: The first derivative is supported, including for batches. The second derivative is None for "bilinear", and raises
    LookupError for the other methods. "area" has no gradient, so requesting one raises LookupError. The tape keeps only the
    shape.

    Unlike in TensorFlow, "bicubic" has a gradient for float16 too (None in TensorFlow), and methods with antialiasing or a kernel
    have a gradient for dtypes other than float32 (TensorFlow raises InvalidArgumentError).

    Source: https://www.tensorflow.org/api_docs/python/tf/image/resize
    """
    x = as_images(images, "resize")
    if method not in _RESIZERS and method not in _CURVES:
        raise TapeValueError(
            f"Resize method is not implemented: {method}.",
            fix=f'pass `method="bilinear"`, or one of {code_list((*_RESIZERS, *_CURVES)[1:])}',
        )
    wanted = _size_for(x, size, preserve_aspect_ratio)
    if method == "nearest":
        return _resize_nearest(x, size=wanted, method=method)
    x = cast(x, np.float32)
    if method in _CURVES or (antialias and method in _WITHOUT_SKIPPING):
        curve = _WITHOUT_SKIPPING.get(method, method)
        return _resize_by_curve(x, size=wanted, method=curve, antialias=bool(antialias))
    return _RESIZERS[method](x, size=wanted, method=method)


def _size_for(x: Value, size: Any, keeps_ratio: bool) -> Ints:
    numbers = np.asarray(read_once(size))
    if numbers.shape != (2,) or numbers.dtype.kind not in "iu":
        raise TapeValueError(
            f"`size` must be a 1-D int32 tensor of 2 elements, `new_height` and `new_width`, but is {size}.",
            fix="pass `size=[224, 224]`",
        )
    wanted = as_ints(numbers)
    if min(wanted) <= 0:
        raise InvalidArgumentError(
            f"`resize`: output dimensions must be positive, but are {list(wanted)}.",
            fix="pass `size=[224, 224]`",
        )
    if not keeps_ratio:
        return wanted
    old = np.array(x.shape[-3:-1], np.float32)
    scale = (np.array(wanted, np.float32) / old).min()
    height, width = np.rint(scale * old).astype(int).tolist()
    return height, width


def resize_with_pad(
    image: Value,
    target_height: Any,
    target_width: Any,
    method: str = ResizeMethod.BILINEAR,
    antialias: bool = False,
) -> Value:
    """Resize images to fit into a height and width, with the same aspect ratio, and pad them with zeros.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels] with a real dtype.
        target_height: The height of the result.
        target_width: The width of the result.
        method: Has the same meaning as in `resize`.
        antialias: Has the same meaning as in `resize`.

    Returns:
        The images with the new height and width.

    Raises:
        ValueError: the rank is neither 3 nor 4, or a size is not positive.

    Gradient: It is computed as for `resize`.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/resize_with_pad
    """
    x = as_images(image, "resize_with_pad")
    target = np.array([whole_number(target_height), whole_number(target_width)], np.float32)
    if min(target) <= 0:
        raise TapeValueError(
            f"`resize_with_pad`: `target_height` and `target_width` must be > 0, but are {int(target[0])} and {int(target[1])}.",
            fix="use `tf.image.resize_with_pad(image, 224, 224)`",
        )
    old = np.array(x.shape[-3:-1], np.float32)
    fitting = old / (old / target).max()
    border = np.maximum(np.floor((target - fitting) / 2), 0).astype(int).tolist()
    smaller = resize(x, np.floor(fitting).astype(int), method, antialias=antialias)
    return pad_to_bounding_box(smaller, *border, *target.astype(int).tolist())

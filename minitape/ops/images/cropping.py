"""Parts of images.

    crop_and_resize ↔ gradient of the images, gradient of the boxes    crop boxes and resize all of them to the same size
    extract_patches ↔ its transpose                                    all elements of a sliding window

As in TensorFlow, the gradients of `crop_and_resize` have no rules of their own, so a second derivative raises LookupError.
"""

from typing import Any

import numpy as np

from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, read_once
from minitape.core.declaration import not_registered
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.ops.axes import as_ints, real_number
from minitape.ops.identity import cast
from minitape.ops.images.pictures import as_images
from minitape.ops.indexing import check_rows
from minitape.ops.reshaping import _reshape
from minitape.ops.rules import Stacked, one_by_one
from minitape.ops.windows import (
    Window,
    bordered,
    empty_canvas,
    pair,
    taps,
    window_for,
    without_border,
)

# --- crop and resize ---


def _sampled(boxes: Array, old: int, new: int, axis: int) -> Array:
    """Return the coordinate in the image of each row of each crop, in the shape [boxes, new]."""
    first, last = boxes[:, axis, None], boxes[:, axis + 2, None]
    if new == 1:
        return (first + last) * boxes.dtype.type(0.5 * (old - 1))
    step = (last - first) * boxes.dtype.type(old - 1) / boxes.dtype.type(new - 1)
    return first * boxes.dtype.type(old - 1) + np.arange(new, dtype=boxes.dtype) * step


class _Corners:
    """The four pixels around each sampled position, and its distance from the upper left one."""

    def __init__(self, shape: Ints, boxes: Array, indices: Array, size: Ints) -> None:
        height, width = shape[1:3]
        ys, xs = _sampled(boxes, height, size[0], 0), _sampled(boxes, width, size[1], 1)
        inside_y, inside_x = (ys >= 0) & (ys <= height - 1), (xs >= 0) & (xs <= width - 1)
        self.inside = (inside_y[:, :, None] & inside_x[:, None, :])[..., None]
        ys, xs = np.where(inside_y, ys, 0)[:, :, None], np.where(inside_x, xs, 0)[:, None, :]
        self.pictures = indices[:, None, None]
        self.top, self.bottom = np.floor(ys).astype(int), np.ceil(ys).astype(int)
        self.left, self.right = np.floor(xs).astype(int), np.ceil(xs).astype(int)
        self.closest = np.floor(ys + 0.5).astype(int), np.floor(xs + 0.5).astype(int)
        self.down = (ys - self.top)[..., None].astype(boxes.dtype)
        self.across = (xs - self.left)[..., None].astype(boxes.dtype)

    def pixels_and_weights(self, method: str) -> list[tuple[tuple[Array, ...], Array]]:
        """Return the pixels that contribute to a new pixel, and their weights."""
        if method == "nearest":
            return [((self.pictures, *self.closest), np.ones_like(self.down * self.across))]
        down, across = self.down, self.across
        return [
            ((self.pictures, self.top, self.left), (1 - down) * (1 - across)),
            ((self.pictures, self.top, self.right), (1 - down) * across),
            ((self.pictures, self.bottom, self.left), down * (1 - across)),
            ((self.pictures, self.bottom, self.right), down * across),
        ]


def _crop_kernel(
    image: Array, boxes: Array, indices: Array, *, size: Ints, method: str, outside: float
) -> Array:
    check_rows(indices, len(image))
    corners = _Corners(image.shape, boxes, indices, size)
    inner = sum(
        image[positions] * weight for positions, weight in corners.pixels_and_weights(method)
    )
    return np.where(corners.inside, inner, image.dtype.type(outside))


def _crop_back_to_image(
    ybar: Array, boxes: Array, indices: Array, *, shape: Ints, size: Ints, method: str
) -> Array:
    corners = _Corners(shape, boxes, indices, size)
    canvas = np.zeros(shape, ybar.dtype)
    owed = ybar * corners.inside
    for positions, weight in corners.pixels_and_weights(method):
        np.add.at(canvas, positions, owed * weight)
    return canvas


def _crop_back_to_boxes(
    ybar: Array, image: Array, boxes: Array, indices: Array, *, size: Ints
) -> Array:
    """Compute the derivatives of the new pixels with respect to their positions, and of the positions with respect to the
    corners of the box.
    """
    corners = _Corners(image.shape, boxes, indices, size)
    upper_left, upper_right, lower_left, lower_right = (
        image[positions] for positions, _ in corners.pixels_and_weights("bilinear")
    )
    down, across = corners.down, corners.across
    owed = ybar * corners.inside
    by_y = (1 - across) * (lower_left - upper_left) + across * (lower_right - upper_right)
    by_x = (1 - down) * (upper_right - upper_left) + down * (lower_right - lower_left)
    of_rows, of_columns = (owed * by_y).sum(axis=(2, 3)), (owed * by_x).sum(axis=(1, 3))
    first_y, last_y = _ends(of_rows, image.shape[1])
    first_x, last_x = _ends(of_columns, image.shape[2])
    return np.stack([first_y, first_x, last_y, last_x], axis=1).astype(boxes.dtype)


def _ends(owed: Array, old: int) -> tuple[Array, Array]:
    """Distribute cotangents to the two ends of a side, weighted by distance."""
    count = owed.shape[1]
    near_last = np.full(1, 0.5) if count == 1 else np.linspace(0, 1, count)
    near_last = near_last.astype(owed.dtype) * (old - 1)
    return (owed * (old - 1 - near_last)).sum(axis=1), (owed * near_last).sum(axis=1)


_crop_to_image: Primitive = Primitive(
    "CropAndResizeGradImage",
    _crop_back_to_image,
    vjp=not_registered(reason="TensorFlow has no second-order rule for `crop_and_resize`"),
    batch=one_by_one,
    dtype_kinds="f",
    same_dtype_args=(0, 1),
)

_crop_to_boxes: Primitive = Primitive(
    "CropAndResizeGradBoxes",
    _crop_back_to_boxes,
    vjp=not_registered(reason="TensorFlow has no second-order rule for `crop_and_resize`"),
    batch=one_by_one,
    dtype_kinds="f",
    same_dtype_args=(0, 1, 2),
)


def _crop_image_vjp(
    ybar: Value,
    y: Value,
    image: Value,
    boxes: Value,
    indices: Value,
    *,
    size: Ints,
    method: str,
    outside: float,
) -> Value:
    shape = tuple(image.shape)
    return _crop_to_image(ybar, boxes, indices, shape=shape, size=size, method=method)


_crop_and_resize: Primitive = Primitive(
    "CropAndResize",
    _crop_kernel,
    vjp=(
        _crop_image_vjp,
        lambda ybar, y, image, boxes, indices, size, method, outside: _crop_to_boxes(
            ybar, image, boxes, indices, size=size
        ),
        None,
    ),
    batch=one_by_one,
    residuals=("bc", "abc", ""),
    rule="images: each pixel receives the ȳ of the positions near the pixel   boxes: ȳ times the change of the pixels "
    "along each side",
    dtype_kinds="f",
    same_dtype_args=(0, 1),
)


def crop_and_resize(
    image: Value,
    boxes: Value,
    box_indices: Value,
    crop_size: Any,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
    name: str | None = None,
) -> Value:
    """Crop boxes from images and resize all of them to the same size.

    Args:
        image: A tensor of shape [batch, height, width, channels] with a real dtype.
        boxes: A tensor of shape [n, 4]: top, left, bottom, right, from 0 to 1; float32. A box may be flipped, or extend beyond
            the image.
        box_indices: A tensor of shape [n]: the image of each box.
        crop_size: Height and width of the results.
        method: "bilinear" or "nearest".
        extrapolation_value: The value outside an image.
        name: Ignored.

    Returns:
        A tensor of shape [n, *crop_size, channels] and dtype float32.

    Raises:
        ValueError: the rank is not 4, the boxes are not float32, or the method is unknown.
        InvalidArgumentError: the shapes do not fit, or an image index is out of range.

    Gradient: The first derivative with respect to images and boxes is supported, including for batches. A higher derivative
    raises LookupError. The gradient of the boxes is that of "bilinear" for both methods. The tape keeps images, boxes and
    indices.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/crop_and_resize
    """
    x = cast(as_images(image, "crop_and_resize"), np.float32)
    where, which = as_operand(boxes, dtype=np.float32), read_once(box_indices)
    if raw_dtype(where) != np.float32:
        raise TapeValueError(
            f"`crop_and_resize`: Tensor conversion requested dtype float32 for boxes of dtype {raw_dtype(where)}.",
            fix="use `tf.cast(boxes, tf.float32)`",
            code="MT506",
        )
    size = as_ints(crop_size)
    if method not in ("bilinear", "nearest"):
        raise InvalidArgumentError(
            f"`crop_and_resize`: `method` must be 'bilinear' or 'nearest', but is {method!r}.",
            fix='pass `method="bilinear"`',
        )
    if len(size) != 2 or min(size) <= 0:
        raise InvalidArgumentError(
            f"`crop_and_resize`: `crop_size` must be two positive numbers, but is {size}.",
            fix="pass `crop_size=[24, 24]`",
        )
    if len(x.shape) != 4 or tuple(where.shape) != (*which.shape, 4) or len(which.shape) != 1:
        raise InvalidArgumentError(
            "`crop_and_resize` requires `images` of shape `[batch, height, width, channels]`, `boxes` of shape `[n, 4]` and "
            f"`box_indices` of shape `[n]`, but the shapes are {tuple(x.shape)}, {tuple(where.shape)} and {tuple(which.shape)}.",
            fix="use `tf.image.crop_and_resize(images, [[0.0, 0.0, 0.5, 0.5]], [0], [24, 24])`",
            code="MT507",
        )
    return _crop_and_resize(
        x, where, which, size=size, method=method, outside=real_number(extrapolation_value)
    )


# --- patches ---


def _patches_kernel(x: Array, *, window: Window) -> Array:
    return np.concatenate(list(taps(bordered(x, window, 0), window)), axis=-1)


def _put_together_kernel(patches: Array, *, shape: Ints, window: Window) -> Array:
    canvas = empty_canvas(shape, window, patches.dtype)
    seen = np.split(patches, patches.shape[-1] // shape[-1], axis=-1)
    for position, patch in zip(taps(canvas, window), seen, strict=True):
        position += patch
    return without_border(canvas, shape, window)


def _as_longer_batch(op: Primitive, _: Stacked, x: Value, **settings: Any) -> Value:
    """Batch rule of an op on images, which treats a batch of batches as one larger batch."""
    count, size = x.shape[:2]
    if "shape" in settings:
        settings["shape"] = (count * settings["shape"][0], *settings["shape"][1:])
    y = op(_reshape(x, shape=(count * size, *x.shape[2:])), **settings)
    return _reshape(y, shape=(count, y.shape[0] // count, *y.shape[1:]))


_patches: Primitive = Primitive(
    "ExtractImagePatches",
    _patches_kernel,
    vjp=(lambda ybar, y, x, window: _put_together(ybar, shape=tuple(x.shape), window=window),),
    batch=_as_longer_batch,
    rule="x̄ = the sum of ȳ over all windows that contain the element",
)

_put_together: Primitive = Primitive(
    "ExtractImagePatchesGrad",
    _put_together_kernel,
    vjp=(lambda ybar, y, x, shape, window: _patches(ybar, window=window),),
    batch=_as_longer_batch,
    rule="the elements of ȳ in each window",
)


def extract_patches(
    images: Value, sizes: Any, strides: Any, rates: Any, padding: str, name: str | None = None
) -> Value:
    """Return all elements of a sliding window at each position, stored in the channels.

    Args:
        images: A tensor of shape [batch, height, width, channels] with a number dtype.
        sizes: The size of the window: [1, height, width, 1].
        strides: The step of the window: [1, vertical, horizontal, 1].
        rates: The distance between two elements of the window: [1, vertical, horizontal, 1].
        padding: "VALID" or "SAME".
        name: Ignored.

    Returns:
        A tensor of shape [batch, output height, output width, window height × window width × channels].

    Raises:
        InvalidArgumentError: the rank is not 4, a setting does not have four numbers, the window does not fit, or the padding is
            unknown.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/extract_patches
    """
    x = read_once(images)
    for what, numbers in (("sizes", sizes), ("strides", strides), ("rates", rates)):
        if len(x.shape) != 4 or len(as_ints(numbers)) != 4:
            raise InvalidArgumentError(
                f"`extract_patches`: `images` must have 4 axes, and `{what}` must have 4 numbers, but the shape is "
                f"{tuple(x.shape)}, "
                f"and `{what}={numbers}`.",
                fix="use `tf.image.extract_patches(images, [1, 3, 3, 1], [1, 1, 1, 1], [1, 1, 1, 1], 'VALID')`",
                code="MT507",
            )
    size = pair(sizes, "extract_patches", "sizes")
    shape = tuple(x.shape)
    return _patches(x, window=window_for("extract_patches", shape, size, strides, padding, rates))

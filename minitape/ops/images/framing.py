"""Crop, pad, flip and rotate images.

    crop_to_bounding_box, central_crop    crop
    pad_to_bounding_box                   pad with zeros
    resize_with_crop_or_pad               crop or pad on each side
    flip_left_right, flip_up_down         flip
    rot90, transpose                      rotate by 90 degrees, swap rows and columns

None of these functions has a rule of its own, because the tape records slices, padding and reversals.
"""

from typing import Any

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.ops.axes import real_number, whole_number
from minitape.ops.identity import identity_for_users
from minitape.ops.images.pictures import as_images
from minitape.ops.reordering import reverse
from minitape.ops.reshaping import transpose as axes_in_order
from minitape.ops.slicing import pad


def _require(holds: bool, op: str, words: str, fix: str) -> None:
    """Raise an error if a condition is false.

    Raises:
        ValueError: the condition is false.
    """
    if not holds:
        raise TapeValueError(f"`{op}`: {words}.", fix=fix, code="MT507")


def crop_to_bounding_box(
    image: Value, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Value:
    """Crop images to a box.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels].
        offset_height: The number of rows above the box.
        offset_width: The number of columns left of the box.
        target_height: The height of the box.
        target_width: The width of the box.

    Returns:
        The images with the new height and width.

    Raises:
        ValueError: the rank is neither 3 nor 4, or the box exceeds the image.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient outside the box is 0.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/crop_to_bounding_box
    """
    op = "crop_to_bounding_box"
    x = as_images(image, op)
    top, left, height, width = map(int, (offset_height, offset_width, target_height, target_width))
    rows, columns = x.shape[-3:-1]
    fix = f"use a box inside {rows} rows and {columns} columns"
    _require(left >= 0, op, f"`offset_width` must be >= 0, but is {left}", fix)
    _require(top >= 0, op, f"`offset_height` must be >= 0, but is {top}", fix)
    _require(width > 0, op, f"`target_width` must be > 0, but is {width}", fix)
    _require(height > 0, op, f"`target_height` must be > 0, but is {height}", fix)
    _require(
        columns >= left + width, op, f"the width must be >= target + offset, but is {columns}", fix
    )
    _require(rows >= top + height, op, f"the height must be >= target + offset, but is {rows}", fix)
    return x[..., top : top + height, left : left + width, :]


def pad_to_bounding_box(
    image: Value, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Value:
    """Pad images with zeros to a larger size.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels].
        offset_height: The number of rows of zeros above.
        offset_width: The number of columns of zeros on the left.
        target_height: The height of the result.
        target_width: The width of the result.

    Returns:
        The images with the new height and width.

    Raises:
        ValueError: the rank is neither 3 nor 4, or the image does not fit into the result.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/pad_to_bounding_box
    """
    op = "pad_to_bounding_box"
    x = as_images(image, op)
    top, left = whole_number(offset_height), whole_number(offset_width)
    below = whole_number(target_height) - top - x.shape[-3]
    right = whole_number(target_width) - left - x.shape[-2]
    fix = f"use a target of at least {top + x.shape[-3]} rows and {left + x.shape[-2]} columns"
    _require(top >= 0, op, f"`offset_height` must be >= 0, but is {top}", "pass `offset_height=0`")
    _require(left >= 0, op, f"`offset_width` must be >= 0, but is {left}", "pass `offset_width=0`")
    _require(right >= 0, op, f"the width must be <= target - offset, but is {x.shape[-2]}", fix)
    _require(below >= 0, op, f"the height must be <= target - offset, but is {x.shape[-3]}", fix)
    batch = [[0, 0]] * (len(x.shape) - 3)
    return pad(x, [*batch, [top, below], [left, right], [0, 0]])


def central_crop(image: Value, central_fraction: Any) -> Value:
    """Crop images to their center.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels].
        central_fraction: The fraction of height and width to keep, above 0 and up to 1.

    Returns:
        The cropped images.

    Raises:
        ValueError: the rank is neither 3 nor 4, or the fraction is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient outside the center is 0.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/central_crop
    """
    fraction = real_number(central_fraction)
    _require(
        0 < fraction <= 1,
        "central_crop",
        f"`central_fraction` must be within (0, 1], but is {fraction}",
        "pass `central_fraction=0.5`",
    )
    x = as_images(image, "central_crop")
    if fraction == 1:
        return x
    rows, columns = x.shape[-3:-1]
    top, left = int((rows - rows * fraction) / 2), int((columns - columns * fraction) / 2)
    return x[..., top : rows - top, left : columns - left, :]


def resize_with_crop_or_pad(image: Value, target_height: Any, target_width: Any) -> Value:
    """Crop images where they are too large, and pad them with zeros where they are too small.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels].
        target_height: The height of the result.
        target_width: The width of the result.

    Returns:
        The images with the new height and width.

    Raises:
        ValueError: the rank is neither 3 nor 4, or a size is not positive.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/resize_with_crop_or_pad
    """
    op = "resize_with_crop_or_pad"
    x = as_images(image, op)
    height, width = whole_number(target_height), whole_number(target_width)
    _require(
        width > 0, op, f"`target_width` must be > 0, but is {width}", "pass `target_width=224`"
    )
    _require(
        height > 0, op, f"`target_height` must be > 0, but is {height}", "pass `target_height=224`"
    )
    rows, columns = x.shape[-3:-1]
    inner = crop_to_bounding_box(
        x,
        max((rows - height) // 2, 0),
        max((columns - width) // 2, 0),
        min(height, rows),
        min(width, columns),
    )
    return pad_to_bounding_box(
        inner, max((height - rows) // 2, 0), max((width - columns) // 2, 0), height, width
    )


# --- flips and rotations ---


def flip_left_right(image: Value) -> Value:
    """Flip images horizontally.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels].

    Returns:
        A tensor with the shape and dtype of `image`.

    Raises:
        ValueError: the rank is neither 3 nor 4.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/flip_left_right
    """
    return reverse(as_images(image, "flip_left_right"), [-2])


def flip_up_down(image: Value) -> Value:
    """Flip images vertically.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels].

    Returns:
        A tensor with the shape and dtype of `image`.

    Raises:
        ValueError: the rank is neither 3 nor 4.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/flip_up_down
    """
    return reverse(as_images(image, "flip_up_down"), [-3])


def transpose(image: Value, name: str | None = None) -> Value:
    """Swap rows and columns of images.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels].
        name: Ignored.

    Returns:
        The images with height and width swapped.

    Raises:
        ValueError: the rank is neither 3 nor 4.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/transpose
    """
    x = as_images(image, "transpose")
    return axes_in_order(x, [0, 2, 1, 3] if len(x.shape) == 4 else [1, 0, 2])


def rot90(image: Value, k: Any = 1, name: str | None = None) -> Value:
    """Rotate images counter-clockwise by multiples of 90 degrees.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels].
        k: The number of rotations by 90 degrees; negative rotates clockwise.
        name: Ignored.

    Returns:
        The rotated images.

    Raises:
        ValueError: the rank is neither 3 nor 4.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/rot90
    """
    x = as_images(image, "rot90")
    match whole_number(k) % 4:
        case 1:
            return transpose(flip_left_right(x))
        case 2:
            return reverse(x, [-3, -2])
        case 3:
            return flip_left_right(transpose(x))
        case _:
            return identity_for_users(x)

"""The part of a picture that is shown, and which way up.

    crop_to_bounding_box, central_crop    cut off what is outside
    pad_to_bounding_box                   zeros around
    resize_with_crop_or_pad               whichever is needed, at each side
    flip_left_right, flip_up_down         turned over
    rot90, transpose                      turned by quarters, mirrored at the diagonal

None has a rule of its own: the tape sees slices, borders and reversals.
"""

from typing import Any

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.ops.axes import real_number, whole_number
from minitape.ops.images.pictures import as_pictures
from minitape.ops.moving import reverse
from minitape.ops.passing import identity_for_users
from minitape.ops.shaping import transpose as axes_in_order
from minitape.ops.slicing import pad


def _claim(holds: bool, op: str, words: str, fix: str) -> None:
    """Raises:
    ValueError: the claim does not hold.
    """
    if not holds:
        raise TapeValueError(f"{op}: {words}.", fix=fix, code="MT507")


def crop_to_bounding_box(
    image: Value, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Value:
    """The part of a picture in a box.

    Args:
        image: Shape [batch, height, width, channels] or [height, width, channels].
        offset_height: How many rows are above the box.
        offset_width: How many columns are left of it.
        target_height: Of the box.
        target_width: Of the box.

    Raises:
        ValueError: the input is no picture, or the box does not lie inside it.

    Gradient: to any order, batched; 0 outside the box.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/crop_to_bounding_box
    """
    op = "crop_to_bounding_box"
    x = as_pictures(image, op)
    top, left, height, width = map(int, (offset_height, offset_width, target_height, target_width))
    rows, columns = x.shape[-3:-1]
    fix = f"a box inside {rows} rows and {columns} columns"
    _claim(left >= 0, op, f"offset_width must be >= 0, but is {left}", fix)
    _claim(top >= 0, op, f"offset_height must be >= 0, but is {top}", fix)
    _claim(width > 0, op, f"target_width must be > 0, but is {width}", fix)
    _claim(height > 0, op, f"target_height must be > 0, but is {height}", fix)
    _claim(columns >= left + width, op, f"width must be >= target + offset: {columns}", fix)
    _claim(rows >= top + height, op, f"height must be >= target + offset: {rows}", fix)
    return x[..., top : top + height, left : left + width, :]


def pad_to_bounding_box(
    image: Value, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Value:
    """A picture in a larger field of zeros.

    Args:
        image: Shape [batch, height, width, channels] or [height, width, channels].
        offset_height: How many rows of zeros come above it.
        offset_width: How many columns of zeros come left of it.
        target_height: Of the result.
        target_width: Of the result.

    Raises:
        ValueError: the input is no picture, or does not fit into the result.

    Gradient: to any order, batched.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/pad_to_bounding_box
    """
    op = "pad_to_bounding_box"
    x = as_pictures(image, op)
    top, left = whole_number(offset_height), whole_number(offset_width)
    below = whole_number(target_height) - top - x.shape[-3]
    right = whole_number(target_width) - left - x.shape[-2]
    fix = f"a target of at least {top + x.shape[-3]} rows and {left + x.shape[-2]} columns"
    _claim(top >= 0, op, f"offset_height must be >= 0, but is {top}", "offset_height=0")
    _claim(left >= 0, op, f"offset_width must be >= 0, but is {left}", "offset_width=0")
    _claim(right >= 0, op, f"width must be <= target - offset: {x.shape[-2]}", fix)
    _claim(below >= 0, op, f"height must be <= target - offset: {x.shape[-3]}", fix)
    batch = [[0, 0]] * (len(x.shape) - 3)
    return pad(x, [*batch, [top, below], [left, right], [0, 0]])


def central_crop(image: Value, central_fraction: Any) -> Value:
    """The middle of a picture.

    Args:
        image: Shape [batch, height, width, channels] or [height, width, channels].
        central_fraction: How much of the height and of the width stays, above 0 and up to 1.

    Raises:
        ValueError: the input is no picture, or there is no such fraction.

    Gradient: to any order, batched; 0 outside the middle.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/central_crop
    """
    fraction = real_number(central_fraction)
    _claim(
        0 < fraction <= 1,
        "central_crop",
        f"central_fraction must be within (0, 1], but is {fraction}",
        "central_fraction=0.5",
    )
    x = as_pictures(image, "central_crop")
    if fraction == 1:
        return x
    rows, columns = x.shape[-3:-1]
    top, left = int((rows - rows * fraction) / 2), int((columns - columns * fraction) / 2)
    return x[..., top : rows - top, left : columns - left, :]


def resize_with_crop_or_pad(image: Value, target_height: Any, target_width: Any) -> Value:
    """A picture with its borders cut off where it is too large, and zeros around where it is too small.

    Args:
        image: Shape [batch, height, width, channels] or [height, width, channels].
        target_height: Of the result.
        target_width: Of the result.

    Raises:
        ValueError: the input is no picture, or the target is not positive.

    Gradient: to any order, batched.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/resize_with_crop_or_pad
    """
    op = "resize_with_crop_or_pad"
    x = as_pictures(image, op)
    height, width = whole_number(target_height), whole_number(target_width)
    _claim(width > 0, op, f"target_width must be > 0, but is {width}", "target_width=224")
    _claim(height > 0, op, f"target_height must be > 0, but is {height}", "target_height=224")
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


# --- which way up ---


def flip_left_right(image: Value) -> Value:
    """A picture as in a mirror beside it.

    Args:
        image: Shape [batch, height, width, channels] or [height, width, channels].

    Raises:
        ValueError: the input is no picture.

    Gradient: to any order, batched.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/flip_left_right
    """
    return reverse(as_pictures(image, "flip_left_right"), [-2])


def flip_up_down(image: Value) -> Value:
    """A picture as in a mirror under it.

    Args:
        image: Shape [batch, height, width, channels] or [height, width, channels].

    Raises:
        ValueError: the input is no picture.

    Gradient: to any order, batched.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/flip_up_down
    """
    return reverse(as_pictures(image, "flip_up_down"), [-3])


def transpose(image: Value, name: str | None = None) -> Value:
    """A picture with rows for columns.

    Args:
        image: Shape [batch, height, width, channels] or [height, width, channels].
        name: Ignored.

    Raises:
        ValueError: the input is no picture.

    Gradient: to any order, batched.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/transpose
    """
    x = as_pictures(image, "transpose")
    return axes_in_order(x, [0, 2, 1, 3] if len(x.shape) == 4 else [1, 0, 2])


def rot90(image: Value, k: Any = 1, name: str | None = None) -> Value:
    """A picture turned by quarters, counter-clockwise.

    Args:
        image: Shape [batch, height, width, channels] or [height, width, channels].
        k: How many quarters; negative turns the other way.
        name: Ignored.

    Raises:
        ValueError: the input is no picture.

    Gradient: to any order, batched.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/rot90
    """
    x = as_pictures(image, "rot90")
    match whole_number(k) % 4:
        case 1:
            return transpose(flip_left_right(x))
        case 2:
            return reverse(x, [-3, -2])
        case 3:
            return flip_left_right(transpose(x))
        case _:
            return identity_for_users(x)

"""Random changes of images.

    random_flip_left_right, random_flip_up_down, random_crop           flips and crops
    random_brightness, random_contrast, random_hue, random_saturation  changes by a random amount
    stateless_random_...                                               the same result whenever the seed is the same

Each function draws random numbers and then changes the image with another function, whose gradient is used.

Unlike in TensorFlow, the numbers come from NumPy's generator, so they differ for the same seed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core.batched import raw_dtype
from minitape.core.convert import read_once
from minitape.core.values import Ints, Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.ops.axes import as_ints, real_number
from minitape.ops.identity import identity_for_users
from minitape.ops.images.adjustment import adjust_brightness, adjust_contrast
from minitape.ops.images.colors import adjust_hue, adjust_saturation
from minitape.ops.images.pictures import as_images
from minitape.ops.random import stateless_uniform, uniform
from minitape.ops.reordering import reverse
from minitape.ops.slicing import slice_for_users

# A function that draws numbers between two limits, in a given shape.
Drawn = Callable[[Ints, float, float], Any]


def _by(seed: Any) -> Drawn:
    return lambda shape, low, high: uniform(shape, low, high, seed=seed)


def _always_by(seed: Any) -> Drawn:
    return lambda shape, low, high: stateless_uniform(shape, seed, low, high)


# --- flips and crops ---


def _flipped(image: Any, axis: int, drawn: Drawn, op: str) -> Value:
    """Flip each image with probability 1/2."""
    x = as_images(image, op)
    if len(x.shape) == 3:
        turned = float(drawn((), 0.0, 1.0)) < 0.5
        return reverse(x, [axis]) if turned else identity_for_users(x)
    coins = np.rint(np.asarray(drawn((x.shape[0], 1, 1, 1), 0.0, 1.0))).astype(raw_dtype(x))
    return reverse(x, [axis]) * coins + x * (1 - coins).astype(coins.dtype)


def random_flip_left_right(image: Value, seed: Any = None) -> Value:
    """Flip each image horizontally with probability 1/2.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels].
        seed: An integer, which is combined with the seed of `tf.random.set_seed`.

    Returns:
        A tensor with the shape and dtype of `image`.

    Raises:
        ValueError: the rank is neither 3 nor 4.

    Gradient: Derivatives of any order are supported, including batched ones. Each pixel's cotangent returns to the pixel's
    original position.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/random_flip_left_right
    """
    return _flipped(image, -2, _by(seed), "random_flip_left_right")


def random_flip_up_down(image: Value, seed: Any = None) -> Value:
    """Flip each image vertically with probability 1/2.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels].
        seed: An integer, which is combined with the seed of `tf.random.set_seed`.

    Returns:
        A tensor with the shape and dtype of `image`.

    Raises:
        ValueError: the rank is neither 3 nor 4.

    Gradient: Derivatives of any order are supported, including batched ones. Each pixel's cotangent returns to the pixel's
    original position.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/random_flip_up_down
    """
    return _flipped(image, -3, _by(seed), "random_flip_up_down")


def stateless_random_flip_left_right(image: Value, seed: Any) -> Value:
    """Apply `random_flip_left_right` with random numbers that depend only on `seed`.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels].
        seed: Two integers.

    Returns:
        A tensor with the shape and dtype of `image`.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/stateless_random_flip_left_right
    """
    return _flipped(image, -2, _always_by(seed), "stateless_random_flip_left_right")


def stateless_random_flip_up_down(image: Value, seed: Any) -> Value:
    """Apply `random_flip_up_down` with random numbers that depend only on `seed`.

    Args:
        image: A tensor of shape [batch, height, width, channels] or [height, width, channels].
        seed: Two integers.

    Returns:
        A tensor with the shape and dtype of `image`.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/stateless_random_flip_up_down
    """
    return _flipped(image, -3, _always_by(seed), "stateless_random_flip_up_down")


def _cropped(value: Any, size: Any, drawn: Drawn, op: str) -> Value:
    x, wanted = read_once(value), as_ints(size)
    shape = tuple(x.shape)
    if len(wanted) != len(shape) or any(a < b for a, b in zip(shape, wanted)):
        raise InvalidArgumentError(
            f"`{op}`: Need value.shape >= size, got {list(shape)} and {list(wanted)}.",
            fix=f"pass a `size` of {len(shape)} numbers that do not exceed {list(shape)}",
            code="MT507",
        )
    choices = np.array(shape) - wanted + 1
    start = np.floor(np.asarray(drawn((len(shape),), 0.0, 1.0)) * choices).astype(np.int32)
    return slice_for_users(x, start, wanted)


def random_crop(value: Value, size: Any, seed: Any = None, name: str | None = None) -> Value:
    """Return a part of a given size at a random position.

    Args:
        value: A tensor of any shape and dtype.
        size: The size of the part along each axis.
        seed: An integer, which is combined with the seed of `tf.random.set_seed`.
        name: Ignored.

    Returns:
        A tensor of shape `size`, with the dtype of `value`.

    Raises:
        InvalidArgumentError: the part is larger than `value`.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient outside the part is 0.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/random_crop
    """
    return _cropped(value, size, _by(seed), "random_crop")


def stateless_random_crop(value: Value, size: Any, seed: Any, name: str | None = None) -> Value:
    """Apply `random_crop` with random numbers that depend only on `seed`.

    Args:
        value: A tensor of any shape and dtype.
        size: The size of the part along each axis.
        seed: Two integers.
        name: Ignored.

    Returns:
        A tensor of shape `size`, with the dtype of `value`.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/stateless_random_crop
    """
    return _cropped(value, size, _always_by(seed), "stateless_random_crop")


# --- random amounts ---


def _within(max_delta: Any, limit: float | None = None) -> tuple[float, float]:
    most = real_number(max_delta)
    if most < 0 or (limit is not None and most > limit):
        raise TapeValueError(
            f"`max_delta` must be non-negative{'' if limit is None else f' and <= {limit}'}, but is {most}.",
            fix="pass `max_delta=0.1`",
        )
    return -most, most


def _between(lower: Any, upper: Any) -> tuple[float, float]:
    least, most = real_number(lower), real_number(upper)
    if least < 0 or most <= least:
        raise TapeValueError(
            f"`lower` must be non-negative and less than `upper`, but they are {least} and {most}.",
            fix="pass `lower=0.8, upper=1.2`",
        )
    return least, most


def random_brightness(image: Value, max_delta: Any, seed: Any = None) -> Value:
    """Add the same random number to all elements of an image.

    Args:
        image: A tensor of any shape with a real dtype.
        max_delta: The limit of the random number, which is between -max_delta and max_delta.
        seed: An integer, which is combined with the seed of `tf.random.set_seed`.

    Returns:
        A tensor with the shape and dtype of `image`.

    Raises:
        ValueError: `max_delta` is negative.

    Gradient: It is the same as the gradient of `adjust_brightness`.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/random_brightness
    """
    return adjust_brightness(image, _by(seed)((), *_within(max_delta)))


def stateless_random_brightness(image: Value, max_delta: Any, seed: Any) -> Value:
    """Apply `random_brightness` with random numbers that depend only on `seed`.

    Args:
        image: A tensor of any shape with a real dtype.
        max_delta: The limit of the random number, which is between -max_delta and max_delta.
        seed: Two integers.

    Returns:
        A tensor with the shape and dtype of `image`.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/stateless_random_brightness
    """
    return adjust_brightness(image, _always_by(seed)((), *_within(max_delta)))


def random_contrast(image: Value, lower: Any, upper: Any, seed: Any = None) -> Value:
    """Change the contrast by a random factor.

    Args:
        image: A tensor of shape [..., height, width, channels] with a real dtype.
        lower: The minimum factor.
        upper: The maximum factor.
        seed: An integer, which is combined with the seed of `tf.random.set_seed`.

    Returns:
        A tensor with the shape and dtype of `image`.

    Raises:
        ValueError: `lower` is negative, or `upper` is not greater.

    Gradient: Requesting it raises LookupError, as for `adjust_contrast`.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/random_contrast
    """
    return adjust_contrast(image, _by(seed)((), *_between(lower, upper)))


def stateless_random_contrast(image: Value, lower: Any, upper: Any, seed: Any) -> Value:
    """Apply `random_contrast` with random numbers that depend only on `seed`.

    Args:
        image: A tensor of shape [..., height, width, channels] with a real dtype.
        lower: The minimum factor.
        upper: The maximum factor.
        seed: Two integers.

    Returns:
        A tensor with the shape and dtype of `image`.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/stateless_random_contrast
    """
    return adjust_contrast(image, _always_by(seed)((), *_between(lower, upper)))


def random_hue(image: Value, max_delta: Any, seed: Any = None) -> Value:
    """Rotate the hue by a random angle.

    Args:
        image: A tensor of shape [..., 3] with a real dtype.
        max_delta: The maximum angle in either direction as a fraction of the color wheel, up to 0.5.
        seed: An integer, which is combined with the seed of `tf.random.set_seed`.

    Returns:
        A tensor with the shape and dtype of `image`.

    Raises:
        ValueError: `max_delta` is negative or above 0.5.

    Gradient: Requesting it raises LookupError, as for `adjust_hue`.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/random_hue
    """
    return adjust_hue(image, _by(seed)((), *_within(max_delta, 0.5)))


def stateless_random_hue(image: Value, max_delta: Any, seed: Any) -> Value:
    """Apply `random_hue` with random numbers that depend only on `seed`.

    Args:
        image: A tensor of shape [..., 3] with a real dtype.
        max_delta: The maximum angle in either direction as a fraction of the color wheel, up to 0.5.
        seed: Two integers.

    Returns:
        A tensor with the shape and dtype of `image`.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/stateless_random_hue
    """
    return adjust_hue(image, _always_by(seed)((), *_within(max_delta, 0.5)))


def random_saturation(image: Value, lower: Any, upper: Any, seed: Any = None) -> Value:
    """Change the saturation by a random factor.

    Args:
        image: A tensor of shape [..., 3] with a real dtype.
        lower: The minimum factor.
        upper: The maximum factor.
        seed: An integer, which is combined with the seed of `tf.random.set_seed`.

    Returns:
        A tensor with the shape and dtype of `image`.

    Raises:
        ValueError: `lower` is negative, or `upper` is not greater.

    Gradient: Requesting it raises LookupError, as for `adjust_saturation`.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/random_saturation
    """
    return adjust_saturation(image, _by(seed)((), *_between(lower, upper)))


def stateless_random_saturation(image: Value, lower: Any, upper: Any, seed: Any = None) -> Value:
    """Apply `random_saturation` with random numbers that depend only on `seed`.

    Args:
        image: A tensor of shape [..., 3] with a real dtype.
        lower: The minimum factor.
        upper: The maximum factor.
        seed: Two integers.

    Returns:
        A tensor with the shape and dtype of `image`.

    Source: https://www.tensorflow.org/api_docs/python/tf/image/stateless_random_saturation
    """
    return adjust_saturation(image, _always_by(seed)((), *_between(lower, upper)))

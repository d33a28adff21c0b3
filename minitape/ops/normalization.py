"""Normalization and dropout, composed of other ops.

    batch_normalization           to a given mean and variance
    local_response_normalization  divide by the magnitude of the neighboring channels
    dropout                       zeros at random positions

Mean and variance are computed in `statistics.py`.
"""

from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, convert_to_tensor, is_engine_value, read_once
from minitape.core.values import Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.ops import random
from minitape.ops.arithmetic import pow, rsqrt, square
from minitape.ops.axes import real_number, whole_number
from minitape.ops.creation import zeros_like
from minitape.ops.identity import cast
from minitape.ops.indexing import _select
from minitape.ops.products import matmul_primitive


def batch_normalization(
    x: Value,
    mean: Value,
    variance: Value,
    offset: Any,
    scale: Any,
    variance_epsilon: Any,
    name: str | None = None,
) -> Value:
    """Return scale · (x - mean) / √(variance + epsilon) + offset.

    Args:
        x: A tensor of any shape with a float dtype.
        mean: A tensor whose shape broadcasts to the shape of `x`, like the parameters that follow.
        variance: The variance, such as the one that `tf.nn.moments` computes.
        offset: The new mean; None for 0.
        scale: The new standard deviation; None for 1.
        variance_epsilon: A small number that keeps the root above 0.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Raises:
        TypeError: `variance_epsilon` is not a number.

    Unlike in TensorFlow, a list is converted to a tensor; TensorFlow adds and negates the list itself, as Python does.

    Gradient: Derivatives of any order with respect to the first five inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/batch_normalization; Ioffe, Szegedy, arXiv 1502.03167.
    """
    factor = rsqrt(read_once(variance) + variance_epsilon)
    if scale is not None:
        factor = factor * scale
    shift = -(mean * factor) if offset is None else offset - mean * factor
    value = as_operand(x)
    dtype = raw_dtype(value)
    return value * cast(factor, dtype) + cast(shift, dtype)


def local_response_normalization(
    input: Value,
    depth_radius: int = 5,
    bias: float = 1,
    alpha: float = 1,
    beta: float = 0.5,
    name: str | None = None,
) -> Value:
    """Return x / (bias + alpha · Σ x²)^beta, with the sum over channels at a distance of at most `depth_radius`.

    Args:
        input: A tensor of shape [batch, height, width, channels] with a float dtype.
        depth_radius: The maximum distance.
        bias: Keeps the divisor above 0.
        alpha: The weight of the sum.
        beta: The exponent.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: the rank is not 4.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/local_response_normalization; Krizhevsky et al. 2012, section 3.3.
    """
    x = read_once(input)
    if len(x.shape) != 4:
        raise InvalidArgumentError(
            f"`local_response_normalization` requires a batch of images, but the shape is {tuple(x.shape)}.",
            fix="pass an input of shape `[batch, height, width, channels]`",
            code="MT507",
        )
    radius = whole_number(depth_radius)
    channel = np.arange(x.shape[-1])
    near = abs(channel[:, None] - channel) <= radius
    # A sum over neighbors is a product with a matrix that has ones near its diagonal.
    total = matmul_primitive(square(x), near.astype(raw_dtype(x)))
    return x * pow(bias + alpha * total, -beta)


def dropout(
    x: Value, rate: Any, noise_shape: Any = None, seed: Any = None, name: str | None = None
) -> Value:
    """Set a random fraction of the elements to 0, and scale the others up so that the mean is kept.

    Args:
        x: A tensor of any shape with a float dtype.
        rate: The fraction that is set to 0, at least 0 and below 1.
        noise_shape: The shape of the random mask, which broadcasts to `x`: if an axis has size 1, all elements along it are kept
            or dropped together. The shape of `x` by default.
        seed: An integer for reproducible random numbers.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Raises:
        ValueError: `rate` is out of range, or `x` does not have a float dtype.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is ȳ/(1 - rate) where an element was
    kept, and 0 where it was dropped. A `rate` that is a tensor has a gradient too.

    Unlike in TensorFlow, for the same seed, different elements are dropped.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/dropout; Srivastava et al. 2014.
    """
    value = read_once(x)
    if dtypes.kind_of(raw_dtype(value)) != "f":
        raise TapeValueError(
            "`x.dtype` must be a floating point tensor as `x` will be scaled. Received: "
            f"{raw_dtype(value)}",
            fix="use `tf.cast(x, tf.float32)`",
            code="MT506",
        )
    fraction = real_number(rate)
    if not 0 <= fraction < 1:
        raise TapeValueError(
            f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}",
            fix="pass `rate=0.5`, which drops half of the elements on average",
        )
    if not fraction:
        return value
    wanted = value.shape if noise_shape is None else noise_shape
    shape = [own if size is None else size for size, own in zip(wanted, value.shape)]
    is_kept = random.uniform(shape, seed=seed) >= fraction
    rate = convert_to_tensor(rate, value.dtype) if is_engine_value(rate) else fraction
    enlarged = value * (1.0 / (1.0 - rate))
    return _select(is_kept, enlarged, zeros_like(enlarged))

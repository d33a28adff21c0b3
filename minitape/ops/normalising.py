"""What keeps the signals of a network in bounds, put together from other ops.

    batch_normalization           to a wanted mean and variance
    local_response_normalization  divided by the size of the neighbouring channels
    dropout                       zeros in random places, so that no unit relies on another

Mean and variance themselves are among the statistics.
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
from minitape.ops.making import zeros_like
from minitape.ops.passing import cast
from minitape.ops.picking import _select
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
    """scale · (x - mean) / √(variance + epsilon) + offset.

    Args:
        x: Any shape; a float dtype.
        mean: A shape that broadcasts to that of `x`, as those of all that follow.
        variance: As `tf.nn.moments` gives it.
        offset: The new mean; None for 0.
        scale: The new standard deviation; None for 1.
        variance_epsilon: Keeps the root away from 0.
        name: Ignored.

    Raises:
        TypeError: `variance_epsilon` is no number.

    Unlike TensorFlow, which adds and negates lists as Python does, this takes a list for a value.

    Gradient: to any order, batched; for all five.

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
    """x / (bias + alpha · Σ x²)^beta, the sum over the channels at most `depth_radius` away.

    Args:
        input: Shape [batch, height, width, channels]; a float dtype.
        depth_radius: How far neighbours reach.
        bias: Keeps the divisor away from 0.
        alpha: The weight of the sum.
        beta: The power.
        name: Ignored.

    Gradient: to any order, batched.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/local_response_normalization; Krizhevsky et al. 2012, section 3.3.
    """
    x = read_once(input)
    if len(x.shape) != 4:
        raise InvalidArgumentError(
            f"`local_response_normalization` needs a batch of images, but the shape is {tuple(x.shape)}.",
            fix="an input of shape [batch, height, width, channels]",
            code="MT507",
        )
    radius = whole_number(depth_radius)
    channel = np.arange(x.shape[-1])
    near = abs(channel[:, None] - channel) <= radius
    # A sum over neighbours is a product with a matrix that has ones near its diagonal.
    total = matmul_primitive(square(x), near.astype(raw_dtype(x)))
    return x * pow(bias + alpha * total, -beta)


def dropout(
    x: Value, rate: Any, noise_shape: Any = None, seed: Any = None, name: str | None = None
) -> Value:
    """Zeros for a random share of the elements, and the others enlarged so that the mean is kept.

    Args:
        x: Any shape; a float dtype.
        rate: Which share: at least 0 and below 1.
        noise_shape: Where it has 1, all elements along that axis share one fate; the shape of `x` by default.
        seed: Of the random numbers.
        name: Ignored.

    Raises:
        ValueError: `rate` is no such share, or `x` is not floating point.

    Gradient: to any order, batched: ȳ/(1 - rate) where an element was kept, 0 where it was dropped. A `rate` that is a tensor
    has one too.

    Unlike TensorFlow: other elements for the same seed.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/dropout; Srivastava et al. 2014.
    """
    value = read_once(x)
    if dtypes.kind_of(raw_dtype(value)) != "f":
        raise TapeValueError(
            "`x.dtype` must be a floating point tensor as `x` will be scaled. Received: "
            f"{raw_dtype(value)}",
            fix="tf.cast(x, tf.float32)",
            code="MT506",
        )
    share = real_number(rate)
    if not 0 <= share < 1:
        raise TapeValueError(
            f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}",
            fix="rate=0.5 drops every second element on average",
        )
    if not share:
        return value
    wanted = value.shape if noise_shape is None else noise_shape
    shape = [own if size is None else size for size, own in zip(wanted, value.shape)]
    is_kept = random.uniform(shape, seed=seed) >= share
    rate = convert_to_tensor(rate, value.dtype) if is_engine_value(rate) else share
    enlarged = value * (1.0 / (1.0 - rate))
    return _select(is_kept, enlarged, zeros_like(enlarged))

"""Statistics and norms, composed of other ops.

    reduce_variance, reduce_std, moments    mean and variance
    reduce_logsumexp                        log Σ eˣ without overflow
    norm, l2_normalize                      norms, and vectors of norm 1
    weighted_moments                        mean and variance with weights
    count_nonzero, zero_fraction            counts: not differentiable

None of these functions has a rule of its own, because each is a formula, and the tape records its steps. So each has the
singularities of its steps. For example, the square root has an infinite derivative at 0, so the gradient is NaN for the standard
deviation of equal values and for the norm of a zero vector.
"""

from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import flag
from minitape.core.batched import raw_dtype
from minitape.core.convert import convert_to_tensor, read_once
from minitape.core.declaration import DIFFERENTIABLE_KINDS
from minitape.core.values import Ints, Value
from minitape.errors import TapeTypeError, TapeValueError
from minitape.ops.arithmetic import (
    _conjugate,
    divide_no_nan,
    pow,
    rsqrt,
    sqrt,
    square,
    squared_difference,
)
from minitape.ops.axes import canonical_axes, canonical_axis
from minitape.ops.broadcasting import reduce_mean, reduce_sum
from minitape.ops.comparison import is_finite
from minitape.ops.complex_numbers import abs, complex, conj, imag, real
from minitape.ops.creation import zeros_like
from minitape.ops.exponential import exp, log
from minitape.ops.factorization import svd
from minitape.ops.identity import cast, stop_gradient
from minitape.ops.indexing import _select
from minitape.ops.minmax import maximum, reduce_max
from minitape.ops.reshaping import reshape, squeeze, transpose


def reduce_variance(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Return the variance along `axis`.

    Args:
        input_tensor: A tensor of any shape with a float or complex dtype. The variance of complex numbers is real.
        axis: One axis or several; None for all.
        keepdims: Whether to keep the reduced axes with size 1.
        name: Ignored.

    Returns:
        A tensor with a real dtype, without the reduced axes.

    Raises:
        TypeError: the values are integers or not numeric.
        InvalidArgumentError: an axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_variance
    """
    x = read_once(input_tensor)
    if raw_dtype(x).kind not in DIFFERENTIABLE_KINDS:
        raise TapeTypeError(
            f"`reduce_variance` requires a float dtype, but got {raw_dtype(x)}.",
            fix="use `tf.cast(x, tf.float32)`",
            code="MT506",
        )
    mean = reduce_mean(x, axis, keepdims=True)
    if raw_dtype(x).kind == "c":
        distances = x - mean
        return reduce_mean(real(distances * conj(distances)), axis, keepdims)
    return reduce_mean(square(x - mean), axis, keepdims)


def reduce_std(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Return the standard deviation along `axis`.

    Args:
        input_tensor: A tensor of any shape with a float or complex dtype. The result for complex numbers is real.
        axis: One axis or several; None for all.
        keepdims: Whether to keep the reduced axes with size 1.
        name: Ignored.

    Returns:
        A tensor with a real dtype, without the reduced axes.

    Raises:
        TypeError: the values are integers or not numeric.
        InvalidArgumentError: an axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is NaN where all values are equal,
    because the derivative of the square root is infinite at 0, and that of the variance is 0.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_std
    """
    return sqrt(reduce_variance(input_tensor, axis, keepdims))


def moments(
    x: Value, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Value, Value]:
    """Return mean and variance over `axes`.

    Args:
        x: A tensor of any shape with a float dtype. float16 is computed in float32.
        axes: One axis or several.
        shift: Ignored, as in TensorFlow.
        keepdims: Whether to keep the reduced axes with size 1.
        name: Ignored.

    Returns:
        The mean and the variance, without the reduced axes.

    Raises:
        InvalidArgumentError: an axis is out of range.

    Gradient: As in TensorFlow, the mean inside the variance is treated as a constant. The first derivative is the same, because
    the derivative of the variance with respect to that mean is 0, but the second derivative of the variance is incomplete.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/moments
    """
    given = read_once(x)
    is_half = raw_dtype(given) == np.float16
    value = cast(given, dtypes.float32) if is_half else given
    mean = reduce_mean(value, axes, keepdims=True)
    variance = reduce_mean(squared_difference(value, stop_gradient(mean)), axes, keepdims=True)
    if not flag(keepdims, "keepdims"):
        mean, variance = squeeze(mean, axes), squeeze(variance, axes)
    if is_half:
        return cast(mean, dtypes.float16), cast(variance, dtypes.float16)
    return mean, variance


def sufficient_statistics(
    x: Value, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Value, Value, Value, Value | None]:
    """Return the count, sum and sum of squares over `axes`, from which mean and variance can be computed.

    Args:
        x: A tensor of any shape with a float dtype.
        axes: One axis or several.
        shift: A value that is subtracted from each number first; a value near the mean preserves precision.
        keepdims: Whether to keep the reduced axes with size 1.
        name: Ignored.

    Returns:
        The count, the sum, the sum of squares, and `shift`.

    Raises:
        InvalidArgumentError: an axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/sufficient_statistics
    """
    value = read_once(x)
    over = canonical_axes(axes, len(value.shape), "sufficient_statistics")
    count = np.prod([value.shape[axis] for axis in over], dtype=raw_dtype(value))
    moved = value if shift is None else value - shift
    squares = square(value) if shift is None else squared_difference(value, shift)
    given = None if shift is None else convert_to_tensor(shift, dtype_hint=raw_dtype(value))
    return (
        convert_to_tensor(count),
        reduce_sum(moved, over, keepdims=keepdims),
        reduce_sum(squares, over, keepdims=keepdims),
        given,
    )


def normalize_moments(
    counts: Value, mean_ss: Value, variance_ss: Value, shift: Value | None, name: str | None = None
) -> tuple[Value, Value]:
    """Return mean and variance, computed from the results of `sufficient_statistics`.

    Args:
        counts: The count.
        mean_ss: The sum.
        variance_ss: The sum of squares.
        shift: The value that was subtracted from each number, or None.
        name: Ignored.

    Returns:
        The mean and the variance.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/normalize_moments
    """
    inverse_count = 1.0 / read_once(counts)
    moved = read_once(mean_ss) * inverse_count
    mean = moved if shift is None else moved + shift
    return mean, read_once(variance_ss) * inverse_count - square(moved)


def weighted_moments(
    x: Value,
    axes: Any,
    frequency_weights: Value,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Value, Value]:
    """Return weighted mean and variance over `axes`; both are 0 where all weights are 0.

    Args:
        x: A tensor of any shape with a float dtype. float16 is computed in float32.
        axes: One axis or several.
        frequency_weights: The weights, whose shape broadcasts to the shape of `x`.
        keepdims: Whether to keep the reduced axes with size 1.
        name: Ignored.

    Returns:
        The mean and the variance, without the reduced axes.

    Raises:
        InvalidArgumentError: an axis is out of range.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/weighted_moments
    """
    value = read_once(x)
    is_half = raw_dtype(value) == np.float16
    value = cast(value, dtypes.float32) if is_half else value
    weights = cast(read_once(frequency_weights), raw_dtype(value)) + zeros_like(value)
    total = reduce_sum(weights, axes, keepdims=True)
    mean = divide_no_nan(reduce_sum(weights * value, axes, keepdims=True), total)
    distances = squared_difference(value, mean)
    variance = divide_no_nan(reduce_sum(weights * distances, axes, keepdims=True), total)
    if not flag(keepdims, "keepdims"):
        mean, variance = squeeze(mean, axes), squeeze(variance, axes)
    if is_half:
        return cast(mean, dtypes.float16), cast(variance, dtypes.float16)
    return mean, variance


def reduce_logsumexp(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Return log Σ eˣ along `axis`.

    Args:
        input_tensor: A tensor of any shape with a float dtype. The largest element is subtracted first, so nothing overflows.
        axis: One axis or several; None for all.
        keepdims: Whether to keep the reduced axes with size 1.
        name: Ignored.

    Returns:
        A tensor with the dtype of `input_tensor`, without the reduced axes.

    Raises:
        InvalidArgumentError: an axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The first derivative is softmax.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_logsumexp
    """
    x = read_once(input_tensor)
    largest = reduce_max(x, axis, keepdims=True)
    # The subtracted number is added again, so its derivative is 0; inf - inf would be NaN.
    shift = stop_gradient(_select(is_finite(largest), largest, zeros_like(largest)))
    is_kept = flag(keepdims, "keepdims")
    result = log(reduce_sum(exp(x - shift), axis, is_kept))
    return result + (shift if is_kept else reshape(shift, result.shape))


def norm(
    tensor: Value,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
) -> Value:
    """Return the norm of vectors or matrices.

    Args:
        tensor: A tensor of any shape with a float dtype.
        ord: "euclidean" (or "fro"), 1, 2, np.inf, or any positive p: (Σ|x|ᵖ)^(1/p). For matrices, 2 is the largest singular
            value.
        axis: None for all elements as one vector, an integer for vectors along this axis, or a tuple of two axes for matrices.
        keepdims: Whether to keep the reduced axes with size 1.
        name: Ignored.

    Returns:
        A tensor with the dtype of `tensor`, without the reduced axes.

    Raises:
        ValueError: the norm is not supported, or `axis` does not select vectors or matrices.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is NaN at a zero vector, where the norm
    has a kink.

    Source: https://www.tensorflow.org/api_docs/python/tf/norm
    """
    is_matrix = isinstance(axis, list | tuple) and len(axis) == 2
    _check_norm(ord, axis, is_matrix)
    x = read_once(tensor)
    if is_matrix and ord == 2:
        length = _largest_singular_value(
            x, tuple(canonical_axis(each, len(x.shape), "norm") for each in axis)
        )
    elif ord in ("euclidean", "fro", 2):
        length = sqrt(reduce_sum(_conjugate(x) * x, axis, keepdims=True))
    elif ord == 1:
        length = reduce_sum(abs(x), axis[0] if is_matrix else axis, keepdims=True)
        length = reduce_max(length, axis[1], keepdims=True) if is_matrix else length
    elif ord == np.inf:
        rows = reduce_sum(abs(x), axis[1], keepdims=True) if is_matrix else abs(x)
        length = reduce_max(rows, axis[0] if is_matrix else axis, keepdims=True)
    else:
        length = pow(reduce_sum(pow(abs(x), float(ord)), axis, keepdims=True), 1.0 / ord)
    return length if flag(keepdims, "keepdims") else squeeze(length, axis)


def _largest_singular_value(x: Value, axes: Ints) -> Value:
    """Return the spectral norm of the matrices along two axes, which keep size 1."""
    rest = tuple(i for i in range(len(x.shape)) if i not in axes)
    largest = reduce_max(svd(transpose(x, (*rest, *axes)), compute_uv=False), axis=-1)
    return reshape(largest, [1 if i in axes else size for i, size in enumerate(x.shape)])


def reduce_euclidean_norm(
    input_tensor: Value, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Return the Euclidean norm along `axis`.

    Args:
        input_tensor: A tensor of any shape with a number dtype, which is also the dtype of the norm. For integers, the norm is
            truncated.
        axis: One axis or several; None for all.
        keepdims: Whether to keep the reduced axes with size 1.
        name: Ignored.

    Returns:
        A tensor with the dtype of `input_tensor`, without the reduced axes.

    Raises:
        InvalidArgumentError: an axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is NaN at a zero vector, where the norm
    has a kink.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_euclidean_norm
    """
    x = read_once(input_tensor)
    have = raw_dtype(x)
    if have.kind in "iu":
        length = reduce_euclidean_norm(cast(x, dtypes.float64), axis, keepdims)
        return cast(length, have)
    return sqrt(reduce_sum(_conjugate(x) * x, axis, keepdims))


def normalize(
    tensor: Value, ord: Any = "euclidean", axis: Any = None, name: str | None = None
) -> tuple[Value, Value]:
    """Return `tensor` divided by its norm, and the norm.

    Args:
        tensor: A tensor of any shape with a float dtype.
        ord: Has the same meaning as in `norm`.
        axis: Has the same meaning as in `norm`.
        name: Ignored.

    Returns:
        The normalized tensor, and its norm with axes of size 1.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is NaN at a zero vector.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/normalize
    """
    x = read_once(tensor)
    length = norm(x, ord, axis, keepdims=True)
    return x / length, length


def _check_norm(ord: Any, axis: Any, is_matrix: bool) -> None:
    if not is_matrix and not (axis is None or isinstance(axis, int)):
        raise TapeValueError(
            f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}",
            fix="pass `axis=-1`",
        )
    known = ("euclidean", "fro", 1, 2, np.inf) if is_matrix else ("euclidean", 1, 2, np.inf)
    is_power = not is_matrix and np.isreal(ord) and isinstance(ord, int | float) and ord > 0
    if isinstance(ord, np.ndarray | list) or (not is_power and ord not in known):
        raise TapeValueError(
            f"'ord' must be a supported norm in {known}, got {ord!r}", fix="use `tf.norm(x)`"
        )


def l2_normalize(
    x: Value,
    axis: Any = None,
    epsilon: float = 1e-12,
    name: str | None = None,
    dim: Any = None,
) -> Value:
    """Return `x` divided by its Euclidean norm along `axis`.

    Args:
        x: A tensor of any shape with a float dtype.
        axis: One axis or several; None for all.
        epsilon: The minimum squared norm for the division, so that a zero vector remains 0.
        name: Ignored.
        dim: The older name of `axis`.

    Returns:
        A tensor with the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: an axis is out of range.
        ValueError: both `axis` and `dim` are given.

    Gradient: Derivatives of any order are supported, including batched ones. At a zero vector the gradient is ȳ/√epsilon, which
    is large.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/l2_normalize
    """
    if axis is not None and dim is not None:
        raise TapeValueError("Cannot specify both 'axis' and 'dim'.", fix=f"pass `axis={axis!r}`")
    value = read_once(x)
    along = dim if axis is None else axis
    if raw_dtype(value).kind == "c":
        squares = reduce_sum(real(value) ** 2 + imag(value) ** 2, along, keepdims=True)
        inverse = rsqrt(maximum(squares, epsilon))
        return complex(real(value) * inverse, imag(value) * inverse)
    squares = reduce_sum(square(value), along, keepdims=True)
    return value * rsqrt(maximum(squares, epsilon))


def count_nonzero(
    input: Value,
    axis: Any = None,
    keepdims: bool | None = None,
    dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Value:
    """Return the number of elements along `axis` that are not 0.

    Args:
        input: A tensor of any shape with numbers, strings or bool.
        axis: One axis or several; None for all.
        keepdims: Whether to keep the reduced axes with size 1.
        dtype: The dtype of the count; int64 by default.
        name: Ignored.

    Returns:
        The counts, without the reduced axes.

    Raises:
        InvalidArgumentError: an axis is out of range.

    Gradient: There is none, because a count is an integer.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/count_nonzero
    """
    x = read_once(input)
    is_counted = x if raw_dtype(x).kind == "b" else x != zeros_like(x)
    count = reduce_sum(cast(is_counted, dtypes.int64), axis, flag(keepdims, "keepdims"))
    return cast(count, dtype)


def zero_fraction(value: Value, name: str | None = None) -> Value:
    """Return the fraction of elements that are 0.

    Args:
        value: A tensor of any shape with numbers or bool.
        name: Ignored.

    Returns:
        A scalar float32.

    Gradient: There is none, because the fraction is piecewise constant.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/zero_fraction
    """
    x = read_once(value)
    size = int(np.prod(x.shape, dtype=np.int64))
    return 1.0 - cast(count_nonzero(x), dtypes.float32) / float(size)

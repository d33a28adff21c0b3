"""Special functions, elementwise.

    lgamma → digamma → polygamma     the logarithm of the gamma function, and its derivatives
    zeta                             the Hurwitz zeta function, from which polygamma is computed
    erfinv, erfcinv, ndtri           the inverses of erf, erfc and the normal distribution function
    xlogy, xlog1py, xdivy            x·log y, x·log(1 + y), x/y, and 0 where x is 0, even if y is NaN or infinite
    lbeta, polyval                   composed of other functions

NumPy has none of these functions. The kernels compute in float64; comments state the formulas.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core.convert import as_operand, read_once
from minitape.core.declaration import DIFFERENTIABLE_KINDS
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.errors import TapeValueError
from minitape.ops.arithmetic import pow, square
from minitape.ops.broadcasting import reduce_sum, sum_to
from minitape.ops.creation import ones_like, zeros_like
from minitape.ops.exponential import _each, exp
from minitape.ops.indexing import _select
from minitape.ops.rules import elementwise


def _in_float64(function: Callable[..., Array]) -> Callable[..., Array]:
    """Return a kernel that computes in float64 and returns the dtype of its input."""

    def kernel(*arrays: Array) -> Array:
        y = function(*(np.asarray(array, np.float64) for array in arrays))
        return y.astype(arrays[0].dtype)[()]

    return kernel


# --- the gamma function and its derivatives ---


def _lgamma_of(x: float) -> float:
    is_pole = x == -math.inf or (x <= 0 and x == math.floor(x))
    return math.inf if is_pole else math.lgamma(x)


lgamma: Primitive = Primitive(
    "Lgamma",
    _each(_lgamma_of),
    vjp=(lambda ybar, y, x: ybar * digamma(x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ·digamma x",
    dtype_kinds="f",
)

# B₂ₖ / 2k for k = 1, 2 ...: the coefficients of digamma's asymptotic series, which is exact for x ≥ 10.
_DIGAMMA_TAIL = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)


def _digamma(x: Array) -> Array:
    """Shift x to where the asymptotic series is exact; below 0 use the reflection formula ψ(x) = ψ(1 - x) - π / tan πx."""
    is_mirrored = x <= 0
    z = np.where(is_mirrored, 1 - x, x)
    total = np.zeros_like(z)
    for _ in range(10):
        is_small = z < 10
        total -= np.where(is_small, 1 / np.where(is_small, z, 1), 0)
        z = np.where(is_small, z + 1, z)
    tail = sum(c / z ** (2 * k) for k, c in enumerate(_DIGAMMA_TAIL, start=1))
    total += np.log(z) - 0.5 / z - tail
    is_pole = is_mirrored & (x == np.floor(x))
    angle = np.pi * np.where(is_pole, 0.5, x - np.floor(x))
    mirrored = np.where(is_pole, np.nan, total - np.pi / np.tan(np.where(is_mirrored, angle, 0.5)))
    return np.where(is_mirrored, mirrored, total)


digamma: Primitive = Primitive(
    "Digamma",
    _in_float64(_digamma),
    vjp=(lambda ybar, y, x: ybar * polygamma(1.0, x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ·polygamma(1, x)",
    dtype_kinds="f",
)

# (2k)! / B₂ₖ for k = 1, 2 ...: the corrections of the Euler-Maclaurin formula.
_ZETA_TAIL = (12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1307674368000 / 691, 74724249600.0)


def _zeta(s: Array, q: Array) -> Array:
    """Return Σ (q + k)⁻ˢ. For an integer s, the terms with q + k < 0 equal a sum of terms with positive bases, up to the sign.

    Adding them one by one would take -q steps.
    """
    s, q = np.broadcast_arrays(s, q)
    is_pole = (q <= 0) & (q == np.floor(q))
    fraction = np.where(is_pole, 0.5, q - np.floor(q))
    total = _zeta_above(s, np.where(q > 0, q, fraction))
    below = _zeta_above(s, 1 - fraction) - _zeta_above(s, np.where(q < 0, 1 - q, 1.0))
    is_even = np.isinf(s) | (s % 2 == 0)
    sign = np.where(s == np.floor(s), np.where(is_even, 1.0, -1.0), np.nan)
    total = np.where(q < 0, total + sign * below, total)
    total = np.where(is_pole, np.where(is_even, np.inf, np.nan), total)
    return np.where(s == 1, np.inf, np.where(s < 1, np.nan, total))


def _zeta_above(s: Array, q: Array) -> Array:
    """Return the values for q > 0, with the first terms added directly and the other terms by the Euler-Maclaurin formula."""
    total, z = np.zeros(q.shape), q.copy()
    while np.any(z < 12):
        is_near = z < 12
        total += np.where(is_near, np.power(z, -s), 0)
        z = np.where(is_near, z + 1, z)
    power = np.power(z, -s)
    rest = power * (z / (s - 1) + 0.5)
    rising = s * power / z
    for k, c in enumerate(_ZETA_TAIL):
        rest += rising / c
        rising = rising * (s + 2 * k + 1) * (s + 2 * k + 2) / (z * z)
    return np.where(
        power == 0, total, total + rest
    )  # 0, even where it was computed as 0 times infinity


zeta: Primitive = Primitive(
    "Zeta",
    _in_float64(_zeta),
    vjp=(None, lambda ybar, y, s, q: sum_to(ybar * (-s * zeta(s + 1.0, q)), q)),
    batch=elementwise,
    residuals=("", "ab"),
    rule="q̄ = -ȳ·s·zeta(s + 1, q)",
    dtype_kinds="f",
)


def _polygamma(n: Array, x: Array) -> Array:
    """Return (-1)ⁿ⁺¹·n!·zeta(n + 1, x); digamma for n = 0."""
    n, x = np.broadcast_arrays(n, x)
    is_order = (n >= 0) & (n == np.floor(n))
    order = np.where(is_order, n, 1.0)
    size = np.asarray(_factorial(order), np.float64) * _zeta(order + 1, x)
    derivatives = np.where(order % 2 == 0, -size, size)
    return np.where(is_order, np.where(n == 0, _digamma(x), derivatives), np.nan)


_factorial = np.frompyfunc(lambda n: math.gamma(n + 1) if n <= 170 else math.inf, 1, 1)

polygamma: Primitive = Primitive(
    "Polygamma",
    _in_float64(_polygamma),
    vjp=(None, lambda ybar, y, n, x: sum_to(ybar * polygamma(n + 1.0, x), x)),
    batch=elementwise,
    residuals=("", "ab"),
    rule="x̄ = ȳ·polygamma(n + 1, x)",
    dtype_kinds="f",
)


def lbeta(x: Value, name: str | None = None) -> Value:
    """Return the logarithm of the beta function of each vector: Σ lgamma x - lgamma Σ x.

    Args:
        x: A tensor of shape [..., n] with a float dtype.
        name: Ignored.

    Returns:
        A tensor of shape [...].

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/lbeta
    """
    value = read_once(x)
    return reduce_sum(lgamma(value), axis=-1) - lgamma(reduce_sum(value, axis=-1))


# --- inverse functions ---

_ERF_DERIVATIVE = 2 / math.sqrt(math.pi)


def _erfinv_of(x: float, left: float) -> float:
    """Return the y ≥ 0 with erf y = x; `left` is 1 - x, which is more accurate than x near 1."""
    if left <= 0 or math.isnan(x):
        return math.inf if left == 0 else math.nan
    # S. Winitzki's approximation has three correct digits; each step of Halley's method triples their number.
    logarithm = math.log(left * (2 - left))
    half = 2 / (math.pi * 0.147) + logarithm / 2
    y = math.sqrt(max(math.sqrt(half * half - logarithm / 0.147) - half, 0.0))
    for _ in range(3):
        short = x - math.erf(y) if x < 0.5 else math.erfc(y) - left
        step = short / (_ERF_DERIVATIVE * math.exp(-y * y))
        y += step / (1 - step * y)
    return y


def _either_side(x: float) -> float:
    return math.copysign(_erfinv_of(abs(x), 1 - abs(x)), x)


erfinv: Primitive = Primitive(
    "Erfinv",
    _each(_either_side),
    vjp=(lambda ybar, y, x: ybar * (exp(square(y)) / _ERF_DERIVATIVE),),
    batch=elementwise,
    residuals="y",
    rule="x̄ = ȳ·√π/2·e^(y²)",
    dtype_kinds="f",
)


def _ndtri_of(p: float) -> float:
    y = _erfinv_of(1 - 2 * p, 2 * p) if p <= 0.5 else -_erfinv_of(2 * p - 1, 2 * (1 - p))
    return -math.sqrt(2) * y


ndtri: Primitive = Primitive(
    "Ndtri",
    _each(_ndtri_of),
    vjp=(lambda ybar, y, x: ybar * (math.sqrt(2 * math.pi) * exp(square(y) / 2.0)),),
    batch=elementwise,
    residuals="y",
    rule="x̄ = ȳ·√(2π)·e^(y²/2)",
    dtype_kinds="f",
)


def erfcinv(x: Value, name: str | None = None) -> Value:
    """Return the inverse of `erfc`.

    Args:
        x: Between 0 and 2; a float dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is computed as for ndtri(x/2).

    Source: https://www.tensorflow.org/api_docs/python/tf/math/erfcinv
    """
    return -ndtri(read_once(x) * 0.5) * math.sqrt(0.5)


# --- products that are 0 where x is 0 ---


def _unless_zero(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """Return a kernel whose result is 0 where x is 0, even if y makes the function infinite or NaN."""

    def kernel(x: Array, y: Array) -> Array:
        is_zero = x == 0
        safe = np.where(is_zero, y.dtype.type(1), y)
        return np.where(is_zero, x.dtype.type(0), function(x, safe))[()]

    return kernel


def _one_unless_zero(x: Value) -> Value:
    return _select(x != zeros_like(x), ones_like(x), zeros_like(x))


xlogy: Primitive = Primitive(
    "Xlogy",
    _unless_zero(lambda x, y: x * np.log(y)),
    vjp=(
        lambda zbar, z, x, y: sum_to(zbar * xlogy(_one_unless_zero(x), y), x),
        lambda zbar, z, x, y: sum_to(zbar * xdivy(x, y), y),
    ),
    batch=elementwise,
    residuals="ab",
    rule="x̄ = z̄·log y   ȳ = z̄·x/y, and 0 where x is 0",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

xlog1py: Primitive = Primitive(
    "Xlog1py",
    _unless_zero(lambda x, y: x * np.log1p(y)),
    vjp=(
        lambda zbar, z, x, y: sum_to(zbar * xlog1py(_one_unless_zero(x), y), x),
        lambda zbar, z, x, y: sum_to(zbar * xdivy(x, y + 1.0), y),
    ),
    batch=elementwise,
    residuals="ab",
    rule="x̄ = z̄·log(1 + y)   ȳ = z̄·x/(1 + y), and 0 where x is 0",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

xdivy: Primitive = Primitive(
    "Xdivy",
    _unless_zero(lambda x, y: x / y),
    vjp=(
        lambda zbar, z, x, y: sum_to(zbar * xdivy(_one_unless_zero(x), y), x),
        lambda zbar, z, x, y: sum_to(zbar * xdivy(-x, pow(y, 2.0)), y),
    ),
    batch=elementwise,
    residuals="ab",
    rule="x̄ = z̄/y   ȳ = -z̄·x/y², and 0 where x is 0",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)


def polyval(coeffs: Any, x: Value, name: str | None = None) -> Value:
    """Evaluate a polynomial by Horner's scheme.

    Args:
        coeffs: A list of coefficients, highest power first.
        x: A tensor of any shape with a number dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Raises:
        ValueError: `coeffs` is not a list.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/polyval
    """
    if not isinstance(coeffs, list):
        raise TapeValueError(
            f"Argument coeffs must be list type. Received type {type(coeffs)}.",
            fix="use a list such as in `tf.math.polyval([3.0, 2.0, 1.0], x)`, which is 3x² + 2x + 1",
        )
    value = read_once(x)
    result = zeros_like(value)
    for each in coeffs:
        result = result * value + as_operand(each, value)
    return result

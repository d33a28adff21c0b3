"""The regularized incomplete gamma and beta functions.

    igamma, igammac    the lower and the upper gamma function; the derivative with respect to a is a series
    betainc            the lower beta function; TensorFlow defines only the derivative with respect to x

Source: NIST Digital Library of Mathematical Functions, 8.7, 8.9, 8.17; W. Lentz, "Generating Bessel functions in Mie scattering
calculations using continued fractions" (1976).
"""

import math
from collections.abc import Iterator

import numpy as np

from minitape.core.declaration import not_registered
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.ops.broadcasting import sum_to
from minitape.ops.exponential import exp, log
from minitape.ops.rules import elementwise
from minitape.ops.special import _digamma, _in_float64, lgamma, xlog1py, xlogy

_lgamma = np.frompyfunc(math.lgamma, 1, 1)


def _log_gamma(x: Array) -> Array:
    return np.asarray(_lgamma(x), np.float64)


_TINY = 1e-300


def _fraction(steps: Iterator[tuple[Array, Array]], first: Array) -> Array:
    """Evaluate a continued fraction first + a₁/(b₁ + a₂/(b₂ + …)) by Lentz's method, until it converges."""
    f = np.where(first == 0, _TINY, first)
    c, d = f.copy(), np.zeros_like(f)
    for a, b in steps:
        d = b + a * d
        d = 1 / np.where(d == 0, _TINY, d)
        c = b + a / c
        c = np.where(c == 0, _TINY, c)
        f = f * (c * d)
        if np.all((abs(c * d - 1) < 1e-15) | ~np.isfinite(f)):
            break
    return f


_MOST_STEPS = 20000


def _below(a: Array, x: Array) -> Array:
    """xᵃ·e⁻ˣ·Σ xⁿ/Γ(a + n + 1), whose terms have the same sign."""
    term = np.exp(a * np.log(np.where(x > 0, x, 1)) - x - _log_gamma(a + 1))
    total = term.copy()
    for n in range(1, _MOST_STEPS):
        term = term * (x / (a + n))
        total += term
        if np.all(term <= 1e-17 * total):
            break
    return total


def _above(a: Array, x: Array) -> Array:
    """xᵃ·e⁻ˣ/Γ(a) divided by the continued fraction x + 1 - a + 1·(a - 1)/(x + 3 - a + …)."""
    steps = ((-n * (n - a), x + 2 * n + 1 - a) for n in range(1, _MOST_STEPS))
    return np.exp(a * np.log(x) - x - _log_gamma(a)) / _fraction(iter(steps), x + 1 - a)


def _lower_and_upper(a: Array, x: Array) -> tuple[Array, Array, Array]:
    """Return the lower and the upper function, each by the formula that is accurate at x, and where they are defined."""
    a, x = np.broadcast_arrays(a, x)
    holds = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    by_series = x < a + 1
    safe_a, safe_x = np.where(holds, a, 1.0), np.where(holds, x, 0.5)
    low = _below(np.where(by_series, safe_a, 1.0), np.where(by_series, safe_x, 0.5))
    high = _above(np.where(by_series, 1.0, safe_a), np.where(by_series, 3.0, safe_x))
    return np.where(by_series, low, 1 - high), np.where(by_series, 1 - low, high), holds


def _igamma(a: Array, x: Array) -> Array:
    low, _, holds = _lower_and_upper(a, x)
    edge = np.where(x == 0, 0.0, np.where((x == np.inf) & (a > 0), 1.0, np.nan))
    edge = np.where((a == np.inf) & np.isfinite(x), 0.0, edge)
    return np.where(holds, low, edge)


def _igammac(a: Array, x: Array) -> Array:
    _, high, holds = _lower_and_upper(a, x)
    edge = np.where((x == 0) & (a > 0), 1.0, np.where((x == np.inf) & (a > 0), 0.0, np.nan))
    edge = np.where((a == np.inf) & np.isfinite(x), 1.0, edge)
    return np.where(holds, high, edge)


def _by_a(a: Array, x: Array) -> Array:
    """Return the series of `_below`, with each term multiplied by its derivative: log x - ψ(a + n + 1)."""
    a, x = np.broadcast_arrays(a, x)
    holds = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    safe_a, safe_x = np.where(holds, a, 1.0), np.where(holds, x, 0.5)
    term = np.exp(safe_a * np.log(safe_x) - safe_x - _log_gamma(safe_a + 1))
    derivative = np.log(safe_x) - _digamma(safe_a + 1)
    total = term * derivative
    for n in range(1, _MOST_STEPS):
        term = term * (safe_x / (safe_a + n))
        derivative = derivative - 1 / (safe_a + n)
        total = total + term * derivative
        if np.all((abs(term * derivative) <= 1e-18) & (safe_a + n > safe_x)):
            break
    is_zero = (x == 0) | ((x == np.inf) & (a > 0)) | ((a == np.inf) & np.isfinite(x))
    return np.where(holds, total, np.where(is_zero & (a >= 0), 0.0, np.nan))


_igamma_by_a: Primitive = Primitive(
    "IgammaGradA",
    _in_float64(_by_a),
    vjp=not_registered(
        reason="TensorFlow has no second-order rule for `igamma` with respect to `a`"
    ),
    batch=elementwise,
    dtype_kinds="f",
)


def _by_x(a: Value, x: Value) -> Value:
    """Return the density xᵃ⁻¹·e⁻ˣ/Γ(a), computed with logarithms so that no power overflows."""
    return exp(-x + (a - 1.0) * log(x) - lgamma(a))


igamma: Primitive = Primitive(
    "Igamma",
    _in_float64(_igamma),
    vjp=(
        lambda ybar, y, a, x: sum_to(ybar * _igamma_by_a(a, x), a),
        lambda ybar, y, a, x: sum_to(ybar * _by_x(a, x), x),
    ),
    batch=elementwise,
    residuals="ab",
    rule="x̄ = ȳ·xᵃ⁻¹·e⁻ˣ/Γ(a)   ā = ȳ·∂y/∂a",
    dtype_kinds="f",
)

igammac: Primitive = Primitive(
    "Igammac",
    _in_float64(_igammac),
    vjp=(
        lambda ybar, y, a, x: -sum_to(ybar * _igamma_by_a(a, x), a),
        lambda ybar, y, a, x: -sum_to(ybar * _by_x(a, x), x),
    ),
    batch=elementwise,
    residuals="ab",
    rule="x̄ = -ȳ·xᵃ⁻¹·e⁻ˣ/Γ(a)   ā = -ȳ·∂igamma/∂a",
    dtype_kinds="f",
)


def _beta_steps(a: Array, b: Array, x: Array) -> Iterator[tuple[Array, Array]]:
    one = np.ones_like(x)
    yield -(a + b) * x / (a + 1), one
    for m in range(1, _MOST_STEPS):
        yield m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), one
        yield -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), one


def _betainc(a: Array, b: Array, x: Array) -> Array:
    """Return a continued fraction, evaluated on the side on which it converges fast."""
    a, b, x = np.broadcast_arrays(a, b, x)
    holds = (a > 0) & (b > 0) & (x > 0) & (x < 1)
    p, q, z = np.where(holds, a, 1.0), np.where(holds, b, 1.0), np.where(holds, x, 0.5)
    turned = z > (p + 1) / (p + q + 2)
    p, q, z = np.where(turned, q, p), np.where(turned, p, q), np.where(turned, 1 - z, z)
    front = p * np.log(z) + q * np.log1p(-z) + _log_gamma(p + q) - _log_gamma(p) - _log_gamma(q)
    integral = np.exp(front) / p / _fraction(_beta_steps(p, q, z), np.ones_like(z))
    integral = np.where(turned, 1 - integral, integral)
    edge = np.where((a > 0) & (b > 0) & ((x == 0) | (x == 1)), x, np.nan)
    return np.where(holds, integral, edge)


def _betainc_by_x(a: Value, b: Value, x: Value) -> Value:
    logarithm = lgamma(a) + lgamma(b) - lgamma(a + b)
    return exp(xlog1py(b - 1.0, -x) + xlogy(a - 1.0, x) - logarithm)


betainc: Primitive = Primitive(
    "Betainc",
    _in_float64(_betainc),
    vjp=(
        None,
        None,
        lambda ybar, y, a, b, x: sum_to(ybar * _betainc_by_x(a, b, x), x),
    ),
    batch=elementwise,
    residuals=("", "", "abc"),
    rule="x̄ = ȳ·xᵃ⁻¹·(1 - x)ᵇ⁻¹/B(a, b)",
    dtype_kinds="f",
)

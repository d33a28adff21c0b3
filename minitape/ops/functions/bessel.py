"""Bessel functions of orders 0 and 1.

    j0, j1    first kind; y0, y1 second kind
    i0, i1    modified, growing; k0, k1 decaying; the variants with e are scaled by e^-|x| or eˣ, so that nothing overflows

Each function is an integral. For small x it is computed numerically: the trapezoidal rule is exact to full precision for
periodic or decaying integrands, Gauss's rule for all other integrands. For large x there are series in 1/x.

Source: NIST Digital Library of Mathematical Functions, chapter 10: 10.9.1, 10.9.7 (J, Y), 10.32.1, 10.32.9 (I, K), 10.17, 10.40
(large x).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.ops.arithmetic import reciprocal, sign
from minitape.ops.comparison import equal
from minitape.ops.creation import ones_like, zeros_like
from minitape.ops.indexing import _select
from minitape.ops.rules import elementwise
from minitape.ops.special import _in_float64

# Above this value, the series in 1/x is exact.
_FAR = 40.0


def _circle(order: int) -> tuple[Array, Array]:
    """Return points on half a circle and their weights in a mean: equal, or sin² for order 1."""
    angles = (np.arange(120) + 0.5) * (np.pi / 120)
    return np.cos(angles), (np.sin(angles) ** 2 if order else np.ones(120)) / 120


def _where(x: Array, near: Callable[[Array], Array], far: Callable[[Array], Array]) -> Array:
    """Use one formula up to `_FAR` and another one above it; return NaN for infinity, as in TensorFlow."""
    inside = abs(x) <= _FAR
    y = np.where(inside, near(np.where(inside, x, 1.0)), far(np.where(inside, _FAR, x)))
    return np.where(np.isfinite(x), y, np.nan)


def _sum_over(
    points: Array, weights: Array, x: Array, term: Callable[[Array, float], Array]
) -> Array:
    """Return Σ weight · term(x, point), one point at a time, so that it needs no more memory than x."""
    total = np.zeros_like(x)
    for point, weight in zip(points, weights, strict=True):
        total += weight * term(x, point)
    return total


def _coefficients(order: int) -> list[float]:
    """Return the coefficients of the series in 1/x: aₖ = Π (4ν² - (2j-1)²) / (k! 8ᵏ)."""
    found = [1.0]
    for k in range(1, 26):
        found.append(found[-1] * (4 * order * order - (2 * k - 1) ** 2) / (8 * k))
    return found


def _series(order: int, x: Array) -> Array:
    """Σ aₖ / xᵏ."""
    return sum(c / x**k for k, c in enumerate(_coefficients(order)))


# --- modified Bessel functions ---


def _ie(order: int) -> Callable[[Array], Array]:
    """e^-|x|·I(x): the mean over a circle of e^(x·cos θ), with x·sin²θ for order 1."""
    cosines, weights = _circle(order)

    def near(x: Array) -> Array:
        total = _sum_over(cosines, weights, x, lambda x, c: np.exp(x * c - abs(x)))
        return x * total if order else total

    def far(x: Array) -> Array:
        size = abs(x)
        y = _series(order, -size) / np.sqrt(2 * np.pi * size)
        return y * np.sign(x) if order else y

    return lambda x: np.where(np.isinf(x), 0, _where(x, near, far))


def _ke(order: int) -> Callable[[Array], Array]:
    """eˣ·K(x) = ∫ e^(x - x·cosh t)·cosh νt dt, up to where the integrand is negligible."""
    steps = np.arange(400) / 400
    weights = np.full(400, 1 / 400)
    weights[0] /= 2

    def near(x: Array) -> Array:
        safe = np.maximum(x, 1e-9)
        reach = np.arccosh(1 + 45 / safe)
        total = _sum_over(
            steps,
            weights,
            reach,
            lambda t, s: np.exp(-safe * (np.cosh(t * s) - 1)) * np.cosh(order * t * s),
        )
        # For x closer to 0, only the first term of the series matters.
        tiny = np.exp(x) * (1 / x if order else -np.log(x / 2) - np.euler_gamma)
        return np.where(x <= 0, np.inf, np.where(x < 1e-8, tiny, reach * total))

    def far(x: Array) -> Array:
        y = np.sqrt(np.pi / (2 * abs(x))) * _series(order, abs(x))
        return np.where(x < 0, np.inf, y)

    def both(x: Array) -> Array:
        y = np.where(x == np.inf, 0, np.where(x == -np.inf, np.inf, _where(x, near, far)))
        return np.where(np.isnan(x), np.nan, y)

    return both


def _times_exp(scaled: Callable[[Array], Array], iteration: float) -> Callable[[Array], Array]:
    def kernel(x: Array) -> Array:
        y = scaled(x)
        grown = np.where(np.isfinite(y) & (y != 0), y * np.exp(iteration * abs(x)), y)
        return np.where((iteration > 0) & np.isinf(x), np.nan, grown)

    return kernel


# --- Bessel functions of the first and second kind ---


def _phases(order: int, x: Array) -> tuple[Array, Array]:
    """Return the factors of cosine and sine of the phase, for large x."""
    even = sum((-1) ** k * c / x ** (2 * k) for k, c in enumerate(_coefficients(order)[0:20:2]))
    odd = sum((-1) ** k * c / x ** (2 * k + 1) for k, c in enumerate(_coefficients(order)[1:20:2]))
    return even, odd


def _j(order: int) -> Callable[[Array], Array]:
    """Return the mean over half a circle of cos(x·cos θ), with x·sin²θ for order 1."""
    cosines, weights = _circle(order)

    def near(x: Array) -> Array:
        total = _sum_over(cosines, weights, x, lambda x, c: np.cos(x * c))
        return x * total if order else total

    def far(x: Array) -> Array:
        size = abs(x)
        even, odd = _phases(order, size)
        phase = size - (2 * order + 1) * np.pi / 4
        y = np.sqrt(2 / (np.pi * size)) * (even * np.cos(phase) - odd * np.sin(phase))
        return y * np.sign(x) if order else y

    return lambda x: _where(x, near, far)


def _y(order: int) -> Callable[[Array], Array]:
    """∫ sin(x·sin θ - νθ) dθ / π over half a circle, minus ∫ (e^νt ± e^-νt)·e^(-x·sinh t) dt / π."""
    nodes, weights = np.polynomial.legendre.leggauss(150)
    nodes, weights = (nodes + 1) / 2, weights / 2

    def near(x: Array) -> Array:
        safe = np.maximum(x, 1e-9)
        angles = np.pi * nodes
        wave = _sum_over(angles, weights, safe, lambda x, a: np.sin(x * np.sin(a) - order * a))
        # The interval is divided, because a single rule has too few points where the integrand decays.
        reach = np.arcsinh(45 / safe)
        fall = np.zeros_like(safe)
        for piece in range(4):
            fall += _sum_over(
                (nodes + piece) / 4,
                weights / 4,
                reach,
                lambda t, s: (
                    (np.exp(order * t * s) + (-1) ** order * np.exp(-order * t * s))
                    * np.exp(-safe * np.sinh(t * s))
                ),
            )
        tiny = -2 / (np.pi * x) if order else (np.log(x / 2) + np.euler_gamma) * (2 / np.pi)
        y = np.where(x < 1e-8, tiny, wave - reach * fall / np.pi)
        return np.where(x <= 0, -np.inf, y)

    def far(x: Array) -> Array:
        size = abs(x)
        even, odd = _phases(order, size)
        phase = size - (2 * order + 1) * np.pi / 4
        y = np.sqrt(2 / (np.pi * size)) * (even * np.sin(phase) + odd * np.cos(phase))
        return np.where(x < 0, -np.inf, y)

    return lambda x: np.where(x == -np.inf, -np.inf, _where(x, near, far))


# --- the ops ---


def _at_zero(x: Value, value: float, derivative: Value) -> Value:
    """Return a derivative that is a quotient, with its value at 0."""
    return _select(equal(x, zeros_like(x)), ones_like(x) * value, derivative)


def _op(
    name: str, kernel: Callable[[Array], Array], derivative: Any, rule: str, reads: str = "xy"
) -> Primitive:
    return Primitive(
        name,
        _in_float64(kernel),
        vjp=(lambda ybar, y, x: ybar * derivative(y, x),),
        batch=elementwise,
        residuals=reads,
        rule=rule,
        dtype_kinds="f",
    )


bessel_i0: Primitive = _op(
    "BesselI0", _times_exp(_ie(0), 1.0), lambda y, x: bessel_i1(x), "x̄ = ȳ·i1(x)", "x"
)
bessel_i0e: Primitive = _op(
    "BesselI0e", _ie(0), lambda y, x: bessel_i1e(x) - sign(x) * y, "x̄ = ȳ·(i1e(x) - sign x·y)"
)
bessel_i1: Primitive = _op(
    "BesselI1",
    _times_exp(_ie(1), 1.0),
    # The limit at 0 is 1/2, but TensorFlow returns 1.
    lambda y, x: _at_zero(x, 1.0, bessel_i0(x) - y / x),
    "x̄ = ȳ·(i0(x) - y/x)",
)
bessel_i1e: Primitive = _op(
    "BesselI1e",
    _ie(1),
    lambda y, x: _at_zero(x, 0.5, bessel_i0e(x) - y * (sign(x) + reciprocal(x))),
    "x̄ = ȳ·(i0e(x) - y·(sign x + 1/x))",
)
bessel_k0: Primitive = _op(
    "BesselK0", _times_exp(_ke(0), -1.0), lambda y, x: -bessel_k1(x), "x̄ = -ȳ·k1(x)", "x"
)
bessel_k0e: Primitive = _op(
    "BesselK0e", _ke(0), lambda y, x: y - bessel_k1e(x), "x̄ = ȳ·(y - k1e(x))"
)
bessel_k1: Primitive = _op(
    "BesselK1",
    _times_exp(_ke(1), -1.0),
    lambda y, x: -bessel_k0(x) - y / x,
    "x̄ = -ȳ·(k0(x) + y/x)",
)
bessel_k1e: Primitive = _op(
    "BesselK1e",
    _ke(1),
    lambda y, x: y * (1.0 - reciprocal(x)) - bessel_k0e(x),
    "x̄ = ȳ·(y·(1 - 1/x) - k0e(x))",
)
bessel_j0: Primitive = _op("BesselJ0", _j(0), lambda y, x: -bessel_j1(x), "x̄ = -ȳ·j1(x)", "x")
bessel_j1: Primitive = _op(
    "BesselJ1",
    _j(1),
    lambda y, x: _at_zero(x, 0.5, bessel_j0(x) - y / x),
    "x̄ = ȳ·(j0(x) - y/x)",
)
bessel_y0: Primitive = _op("BesselY0", _y(0), lambda y, x: -bessel_y1(x), "x̄ = -ȳ·y1(x)", "x")
bessel_y1: Primitive = _op(
    "BesselY1", _y(1), lambda y, x: bessel_y0(x) - y / x, "x̄ = ȳ·(y0(x) - y/x)"
)

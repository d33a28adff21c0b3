"""Integrals without a closed form.

    dawsn                       e^-x²·∫ e^t² dt
    expint                      ∫ eᵗ/t dt
    fresnel_cos, fresnel_sin    ∫ cos(π t²/2) dt, ∫ sin(π t²/2) dt
    spence                      -∫ log t / (t - 1) dt, from 1

Source: NIST Digital Library of Mathematical Functions, 6.6, 6.12 (expint), 7.5, 7.12 (fresnel), 25.12 (spence);
G. Rybicki, "Dawson's integral and the sampling theorem" (1989).
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.ops.arithmetic import square
from minitape.ops.comparison import equal
from minitape.ops.creation import ones_like
from minitape.ops.exponential import exp, log
from minitape.ops.indexing import _select
from minitape.ops.rules import elementwise
from minitape.ops.special import _in_float64
from minitape.ops.trigonometry import cos, sin

_STEP = 0.25


def _dawsn(x: Array) -> Array:
    """Use a sum of Gaussians at odd multiples of a step for large x, and the power series near 0, where the Gaussians would
    cancel."""
    safe = np.where(np.isfinite(x), x, 1.0)
    middle = 2 * np.rint(safe / (2 * _STEP))
    rest = safe - middle * _STEP
    total = np.zeros_like(safe)
    for odd in range(-29, 30, 2):
        total += np.exp(-np.square(rest - odd * _STEP)) / (odd + middle)
    series, term = np.zeros_like(safe), safe.copy()
    for k in range(20):
        series += term
        term = term * (-2 * np.square(np.clip(safe, -1, 1)) / (2 * k + 3))
    y = np.where(abs(safe) < 0.4, series, total / math.sqrt(math.pi))
    return np.where(np.isinf(x), 0, np.where(np.isnan(x), np.nan, y))


def _expint(x: Array) -> Array:
    """Use γ + log x + Σ xᵏ/(k·k!), whose terms do not cancel, up to 40, and eˣ/x·Σ k!/xᵏ above 40."""
    near = np.clip(x, 1e-300, 40.0)
    total, power = np.euler_gamma + np.log(near), np.ones_like(near)
    for k in range(1, 140):
        power = power * near / k
        total = total + power / k
    far = np.clip(x, 40.0, None)
    series, term = np.ones_like(far), np.ones_like(far)
    for k in range(1, 40):
        term = term * k / far
        series = series + term
    y = np.where(x > 40, np.exp(far) / far * series, total)
    y = np.where(x == 0, -np.inf, y)
    return np.where((x >= 0) & np.isfinite(x), y, np.nan)


_FRESNEL_FAR = 6.0


def _fresnel(wave: Callable[[Array], Array], is_sine: bool) -> Callable[[Array], Array]:
    """Use Gauss's rule up to 6, and beyond that 1/2 minus the remainder, which is computed from its series in 1/x."""
    nodes, weights = np.polynomial.legendre.leggauss(120)

    def kernel(x: Array) -> Array:
        near = np.clip(np.nan_to_num(x), -_FRESNEL_FAR, _FRESNEL_FAR)
        total = np.zeros_like(near)
        for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
            total += weight * wave((np.pi / 2) * np.square(near * node))
        size = np.maximum(np.where(np.isfinite(x), abs(x), 1e9), _FRESNEL_FAR)
        f, g = _asymptotic_factors(size)
        phase = (np.pi / 2) * np.square(size)
        left = (
            f * np.cos(phase) + g * np.sin(phase)
            if is_sine
            else g * np.cos(phase) - f * np.sin(phase)
        )
        far = np.sign(x) * (0.5 - np.where(np.isfinite(x), left, 0))
        return np.where(np.isnan(x), np.nan, np.where(abs(x) > _FRESNEL_FAR, far, near * total))

    return kernel


def _asymptotic_factors(x: Array) -> tuple[Array, Array]:
    """Return the factors of cosine and sine: series in (π x²)⁻²."""
    z = np.pi * x * x
    f, g = np.zeros_like(x), np.zeros_like(x)
    f_term, g_term = 1 / (np.pi * x), 1 / (np.pi * x * z)
    for m in range(12):
        f, g = f + f_term, g + g_term
        f_term = f_term * (-(4 * m + 1) * (4 * m + 3) / (z * z))
        g_term = g_term * (-(4 * m + 3) * (4 * m + 5) / (z * z))
    return f, g


# Bₙ / (n + 1)!: the coefficients of the dilogarithm as a series in a logarithm.
_BERNOULLI = (
    *(1, -1 / 2, 1 / 6, 0, -1 / 30, 0, 1 / 42, 0, -1 / 30, 0, 5 / 66, 0, -691 / 2730, 0, 7 / 6),
    *(0, -3617 / 510, 0, 43867 / 798, 0, -174611 / 330),
)


def _near_one(x: Array) -> Array:
    """Compute the dilogarithm for x from 1/2 to 2."""
    u = -np.log(x)
    return sum(b * u ** (n + 1) / math.factorial(n + 1) for n, b in enumerate(_BERNOULLI))


def _spence(x: Array) -> Array:
    """Map values outside the range from 1/2 to 2 into it, by the formulas for 1 - x and 1/x."""
    safe = np.where((x > 0) & np.isfinite(x), x, 1.0)
    small, large = np.clip(safe, None, 0.5), np.clip(safe, 2.0, None)
    below = np.pi**2 / 6 - np.log(small) * np.log1p(-small) - _near_one(1 - small)
    above = -0.5 * np.square(np.log(large)) - _near_from(1 / large)
    middle = _near_one(np.clip(safe, 0.5, 2.0))
    y = np.where(safe < 0.5, below, np.where(safe > 2, above, middle))
    y = np.where(x == 0, np.pi**2 / 6, y)
    return np.where((x >= 0) & np.isfinite(x), y, np.nan)


def _near_from(x: Array) -> Array:
    """Compute the dilogarithm for x up to 1/2."""
    return np.pi**2 / 6 - np.log(x) * np.log1p(-x) - _near_one(1 - x)


def _spence_derivative(x: Value) -> Value:
    is_one = equal(x, ones_like(x))
    return _select(is_one, -ones_like(x), log(x) / (1.0 - x))


def _op(name: str, kernel: Any, derivative: Any, rule: str, reads: str = "x") -> Primitive:
    return Primitive(
        name,
        _in_float64(kernel),
        vjp=(lambda ybar, y, x: ybar * derivative(y, x),),
        batch=elementwise,
        residuals=reads,
        rule=rule,
        dtype_kinds="f",
    )


dawsn: Primitive = _op("Dawsn", _dawsn, lambda y, x: 1.0 - 2.0 * x * y, "x̄ = ȳ·(1 - 2·x·y)", "xy")
expint: Primitive = _op("Expint", _expint, lambda y, x: exp(x) / x, "x̄ = ȳ·eˣ/x")
fresnel_cos: Primitive = _op(
    "FresnelCos",
    _fresnel(np.cos, is_sine=False),
    lambda y, x: cos(square(x) * (math.pi / 2)),
    "x̄ = ȳ·cos(π x²/2)",
)
fresnel_sin: Primitive = _op(
    "FresnelSin",
    _fresnel(np.sin, is_sine=True),
    lambda y, x: sin(square(x) * (math.pi / 2)),
    "x̄ = ȳ·sin(π x²/2)",
)
spence: Primitive = _op(
    "Spence", _spence, lambda y, x: _spence_derivative(x), "x̄ = ȳ·log x/(1 - x)"
)

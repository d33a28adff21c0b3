"""Numerical derivatives by finite differences, with an estimate of their error.

    FiniteDifference  a numerical derivative, its error, and whether there is a kink
    derivative        computes a FiniteDifference
    GradientVerdict   the result of a comparison
    judge             compares a rule's derivative with the numerical one
    direction         a random direction for an array, in proportion to the magnitude of its elements

Two central differences with step sizes h and h/2 have errors proportional to h² and h²/4, so a combination of the two cancels
this term (Richardson extrapolation). Their difference is an estimate of the error of the result.

Source: https://doi.org/10.1098/rsta.1911.0009 (Richardson, 1911)
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from minitape.core.values import Array

# in float64: truncation error about 1e-18, rounding error about 1e-11 of the function's magnitude
STEP = 1e-5
# one-sided derivatives of a smooth function approach each other with the step, those at a kink do not
_FRACTION_OF_A_KINK = 0.75


class GradientVerdict(str, Enum):  # noqa: UP042  # Python 3.10 has no StrEnum
    """The result of comparing a gradient with finite differences; a string, and shown as one."""

    AGREES = "agrees"
    KINK = (
        "kink"  # the one-sided derivatives differ, and the gradient is one of them or between them
    )
    # the gradient is correct in float64, but the dtype of the program is not accurate enough
    ROUNDING = "rounding"
    OWN = "custom rule"  # a user-defined rule does not equal the derivative, perhaps intentionally
    UNSETTLED = "unsettled"  # the finite differences are not accurate enough
    DIFFERS = "differs"
    UNCHECKED = "unchecked"

    __str__ = str.__str__


@dataclass(frozen=True)
class FiniteDifference:
    """A numerical derivative: its value, its error, the one-sided derivatives, and the magnitude of the function."""

    value: float
    doubt: float
    size: float
    left: float
    right: float
    has_kink: bool


def derivative(f: Callable[[float], float]) -> FiniteDifference:
    """Return the derivative of `f` at 0, in float64."""
    here = f(0.0)
    ahead, behind = f(STEP), f(-STEP)
    half_ahead, half_behind = f(STEP / 2), f(-STEP / 2)
    wide = (ahead - behind) / (2 * STEP)
    narrow = (half_ahead - half_behind) / STEP
    left, right = 2 * (here - half_behind) / STEP, 2 * (half_ahead - here) / STEP
    size = max(abs(here), abs(ahead), abs(behind))
    rounding = 16 * np.finfo(np.float64).eps * size / STEP
    jump, wide_jump = abs(right - left), abs((ahead - here) / STEP - (here - behind) / STEP)
    return FiniteDifference(
        (4 * narrow - wide) / 3,
        abs(wide - narrow) + rounding,
        size,
        left,
        right,
        bool(
            jump > _FRACTION_OF_A_KINK * wide_jump
            and jump > 1e-5 * (abs(left) + abs(right)) + rounding
        ),
    )


def judge(
    claimed: float, found: FiniteDifference, *, size: float, tolerance: float
) -> GradientVerdict:
    """Compare a claimed derivative with the numerical one.

    Args:
        claimed: The derivative that the rule computes.
        found: The numerical derivative.
        size: The magnitude of the terms of the claimed derivative, which may cancel to a value near 0.
        tolerance: The allowed difference as a fraction of `size`.
    """
    if not np.isfinite([claimed, found.value]).all():
        return GradientVerdict.UNSETTLED
    allowed = tolerance * max(size, abs(found.value))
    is_near = abs(claimed - found.value) <= allowed + found.doubt
    if is_near and found.doubt <= max(allowed, 1e-8 * found.size):
        return GradientVerdict.AGREES
    if found.has_kink:
        low, high = sorted((found.left, found.right))
        is_between = low - allowed - found.doubt <= claimed <= high + allowed + found.doubt
        return GradientVerdict.KINK if is_between else GradientVerdict.DIFFERS
    return GradientVerdict.UNSETTLED if is_near else GradientVerdict.DIFFERS


def direction(x: Array, rng: np.random.Generator) -> Array:
    """Return a random direction for `x`, each element in proportion to that of `x`, so that a step does not cross a pole."""
    numbers = np.asarray(x)
    sizes = np.abs(numbers)
    filled = sizes[sizes > 0]
    typical = min(float(filled.mean()), 1.0) if filled.size else 1.0
    way = rng.normal(size=numbers.shape)
    if numbers.dtype.kind == "c":
        way = way + 1j * rng.normal(size=numbers.shape)
    return way * np.where(sizes > 0, sizes, typical)

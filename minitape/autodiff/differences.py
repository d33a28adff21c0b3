"""What a slope is when nobody has a rule for it: small steps to both sides, and an honest word on how well they tell.

    Slope       the slope by steps, how far to trust it, and whether there is a kink
    slope       takes the steps
    Verdict     what comes of a comparison
    judge       compares what a rule says with what the steps say
    direction   a way to move an array, in proportion to its numbers

Two central differences with different steps err by h² and h²/4 of the same thing, so together they cancel it (Richardson),
and how far they lie apart says how far to trust them.

Source: https://doi.org/10.1098/rsta.1911.0009 (Richardson, 1911)
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from minitape.core.values import Array

STEP = 1e-5  # in float64: truncation about 1e-18, rounding about 1e-11 of the function's size
_SHARE_OF_A_KINK = (
    0.75  # halving the step halves the jump of a smooth function and leaves that of a kink
)


class Verdict(str, Enum):  # noqa: UP042  # Python 3.10 has no StrEnum
    """What came of comparing a gradient with differences; a text, and shown as one."""

    AGREES = "agrees"
    KINK = "kink"  # two slopes meet here, and the gradient is one of them or lies between
    ROUNDING = "rounding"  # right in float64; the dtype it ran in has lost the digits
    OWN = "own rule"  # a rule given by the user is not the slope, perhaps on purpose
    UNSETTLED = "unsettled"  # the differences do not tell
    DIFFERS = "differs"
    UNCHECKED = "unchecked"

    __str__ = str.__str__


@dataclass(frozen=True)
class Slope:
    """A slope found by steps: its value, how far to trust it, the slopes to the left and right, the function's size."""

    value: float
    doubt: float
    size: float
    left: float
    right: float
    has_kink: bool


def slope(f: Callable[[float], float]) -> Slope:
    """The slope of `f` at 0, in float64."""
    here = f(0.0)
    ahead, behind = f(STEP), f(-STEP)
    half_ahead, half_behind = f(STEP / 2), f(-STEP / 2)
    wide = (ahead - behind) / (2 * STEP)
    narrow = (half_ahead - half_behind) / STEP
    left, right = 2 * (here - half_behind) / STEP, 2 * (half_ahead - here) / STEP
    size = max(abs(here), abs(ahead), abs(behind))
    rounding = 16 * np.finfo(np.float64).eps * size / STEP
    jump, wide_jump = abs(right - left), abs((ahead - here) / STEP - (here - behind) / STEP)
    return Slope(
        (4 * narrow - wide) / 3,
        abs(wide - narrow) + rounding,
        size,
        left,
        right,
        bool(
            jump > _SHARE_OF_A_KINK * wide_jump
            and jump > 1e-5 * (abs(left) + abs(right)) + rounding
        ),
    )


def judge(claimed: float, found: Slope, *, size: float, tolerance: float) -> Verdict:
    """Whether a claimed slope is the one that the steps found.

    Args:
        claimed: What the rule says.
        found: What the steps say.
        size: How large the claimed slope's terms are; near 0 they may have cancelled.
        tolerance: The part of `size` that may be missing.
    """
    if not np.isfinite([claimed, found.value]).all():
        return Verdict.UNSETTLED
    allowed = tolerance * max(size, abs(found.value))
    is_near = abs(claimed - found.value) <= allowed + found.doubt
    if is_near and found.doubt <= max(allowed, 1e-8 * found.size):
        return Verdict.AGREES
    if found.has_kink:
        low, high = sorted((found.left, found.right))
        is_between = low - allowed - found.doubt <= claimed <= high + allowed + found.doubt
        return Verdict.KINK if is_between else Verdict.DIFFERS
    return Verdict.UNSETTLED if is_near else Verdict.DIFFERS


def direction(x: Array, rng: np.random.Generator) -> Array:
    """A random way to move `x`: each number in proportion to its own size, for a step must not leap over a pole."""
    numbers = np.asarray(x)
    sizes = np.abs(numbers)
    filled = sizes[sizes > 0]
    typical = min(float(filled.mean()), 1.0) if filled.size else 1.0
    way = rng.normal(size=numbers.shape)
    if numbers.dtype.kind == "c":
        way = way + 1j * rng.normal(size=numbers.shape)
    return way * np.where(sizes > 0, sizes, typical)

"""How large the elements of a value are, from its summary in the trace."""

from minitape.trace.events import Numbers

# Values up to this size are practically zero in float32.
TINY = 1e-6


def largest(numbers: Numbers | None) -> float:
    """Return the largest absolute value of the finite elements; 0 if there is none."""
    if numbers is None or numbers.max is None or numbers.min is None:
        return 0.0
    return max(abs(numbers.max), abs(numbers.min))


def is_broken(numbers: Numbers | None) -> bool:
    """Whether any element is NaN or infinite."""
    return numbers is not None and bool(numbers.nan or numbers.inf)


def is_zero(numbers: Numbers | None) -> bool:
    """Whether all elements are zero, up to rounding."""
    if numbers is None or not numbers.size or numbers.nan or numbers.inf:
        return False
    return largest(numbers) <= TINY


def is_zero_inside(numbers: Numbers | None) -> bool:
    """Whether some element is zero."""
    return numbers is not None and bool(numbers.zeros)

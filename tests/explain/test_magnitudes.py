"""How large the numbers of a value are."""

from msgspec import convert

from minitape.explain.flow.magnitudes import is_broken, is_zero, largest
from minitape.listen.summary import summarise
from minitape.trace.events import Numbers


def numbers(values):
    return convert(summarise(values, 1, None, "float32"), Numbers)


def test_a_zero_is_a_zero_up_to_rounding():
    assert is_zero(numbers([0.0, 5e-8]))
    assert not is_zero(numbers([0.0, 1e-3]))


def test_nothing_at_all_is_no_zero():
    assert not is_zero(numbers([]))


def test_one_nan_breaks_all():
    assert is_broken(numbers([1.0, float("nan")]))
    assert is_broken(numbers([1.0, float("inf")]))
    assert not is_broken(numbers([1.0, 2.0]))


def test_the_largest_is_the_largest_in_size():
    assert largest(numbers([-3.0, 2.0])) == 3.0
    assert largest(None) == 0.0

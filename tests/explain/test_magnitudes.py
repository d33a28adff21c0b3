"""The size of the elements of a value."""

import pytest
from msgspec import convert

from minitape.explain.flow.magnitudes import is_broken, is_zero, is_zero_inside, largest
from minitape.trace.events import Numbers
from minitape.tracer.summary import summarize


def numbers(values):
    return convert(summarize(values, 1, None, "float32"), Numbers)


def test_zero_is_zero_up_to_rounding():
    assert is_zero(numbers([0.0, 5e-8]))
    assert not is_zero(numbers([0.0, 1e-3]))


def test_empty_value_is_not_zero():
    assert not is_zero(numbers([]))


def test_one_nan_or_infinity_makes_a_value_broken():
    assert is_broken(numbers([1.0, float("nan")]))
    assert is_broken(numbers([1.0, float("inf")]))
    assert not is_broken(numbers([1.0, 2.0]))


def test_largest_is_the_largest_absolute_value():
    assert largest(numbers([-3.0, 2.0])) == 3.0
    assert largest(None) == 0.0


@pytest.mark.parametrize(("size", "is_none"), [(9e-7, True), (1e-6, True), (1.1e-6, False)])
def test_value_below_a_millionth_is_zero(size, is_none):
    assert is_zero(numbers([size, -size])) is is_none


def test_nan_and_infinity_are_not_zero():
    assert not is_zero(numbers([0.0, float("nan")]))
    assert not is_zero(numbers([0.0, float("inf")]))


def test_sign_does_not_matter():
    assert largest(numbers([-1.0, 2.0])) == 2.0


def test_single_zero_is_found():
    assert is_zero_inside(numbers([1.0, 0.0]))
    assert not is_zero_inside(numbers([1.0, 2.0]))
    assert not is_zero_inside(None)

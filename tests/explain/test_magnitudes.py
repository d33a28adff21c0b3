"""How large the numbers of a value are."""

import pytest
from msgspec import convert

from minitape.explain.flow.magnitudes import is_broken, is_zero, is_zero_inside, largest
from minitape.trace.events import Numbers
from minitape.tracer.summary import summarize


def numbers(values):
    return convert(summarize(values, 1, None, "float32"), Numbers)


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


@pytest.mark.parametrize(("size", "is_none"), [(9e-7, True), (1e-6, True), (1.1e-6, False)])
def test_a_millionth_is_as_good_as_zero(size, is_none):
    assert is_zero(numbers([size, -size])) is is_none


def test_who_is_broken_is_not_zero():
    assert not is_zero(numbers([0.0, float("nan")]))
    assert not is_zero(numbers([0.0, float("inf")]))


def test_the_sign_does_not_count():
    assert largest(numbers([-1.0, 2.0])) == 2.0


def test_one_zero_among_others_is_seen():
    assert is_zero_inside(numbers([1.0, 0.0]))
    assert not is_zero_inside(numbers([1.0, 2.0]))
    assert not is_zero_inside(None)

"""A sample of the recorded programs, with arrays in other memory layouts: the numbers are TensorFlow's all the same."""

import pytest
from layouts import LAYOUTS
from replay_layouts import INSIDE, wrong

pytestmark = pytest.mark.one_in(6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_program_does_not_see_how_its_arrays_are_stored(layout: str) -> None:
    count, said = wrong(layout, inside=False, step=53)
    assert count > 90
    assert not said


@pytest.mark.parametrize("layout", INSIDE)
def test_a_program_does_not_see_how_the_engine_keeps_its_tensors(layout: str) -> None:
    count, said = wrong(layout, inside=True, step=59)
    assert count > 80
    assert not said

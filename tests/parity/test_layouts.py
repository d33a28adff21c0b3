"""A sample of the recorded programs, with arrays in other memory layouts: the values still equal TensorFlow's."""

import pytest
from layouts import LAYOUTS
from replay_layouts import INSIDE, wrong

pytestmark = pytest.mark.one_in(6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_program_does_not_depend_on_layout_of_its_arrays(layout: str) -> None:
    count, said = wrong(layout, inside=False, step=53)
    assert count > 90
    assert not said


@pytest.mark.parametrize("layout", INSIDE)
def test_program_does_not_depend_on_layout_of_stored_tensors(layout: str) -> None:
    count, said = wrong(layout, inside=True, step=59)
    assert count > 80
    assert not said

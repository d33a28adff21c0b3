"""Arrays and numbers with a mark that identifies where they left the engine."""

import copy
import pickle

import numpy as np
import pytest
from test_source_text import calls

from minitape.tracer.provenance.by_mark import LabeledArray, MarkTable

EXIT = frozenset({7})


@pytest.fixture
def memory():
    return MarkTable()


def test_marked_array_has_the_same_values(memory):
    array = np.array([1.0, np.nan, -0.0], dtype=np.float32)
    assert memory.mark(array, EXIT).tobytes() == array.tobytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a + 1.0,
        lambda a: 2.0 * a,
        np.sin,
        lambda a: a[1:],
        lambda a: a.reshape(2, 1),
        lambda a: a[0],
        lambda a: a.mean(),
        lambda a: np.concatenate([a, [1.0]]),
        lambda a: np.where(a > 1.0, a, 0.0),
        lambda a: a.tolist(),
        lambda a: a.sum().item(),
    ],
)
def test_mark_is_kept_by_numpy_functions(memory, change):
    assert memory.exits_of(change(memory.mark(np.array([1.0, 2.0]), EXIT))) >= EXIT


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a > 1.5,
        np.argsort,
        np.round,
        np.floor,
        lambda a: (a > 1.5).astype(np.float32) * 2.0,
    ],
)
def test_mark_of_non_differentiable_result_is_negative(memory, change):
    product = change(memory.mark(np.array([1.0, 2.0]), EXIT))
    assert memory.exits_of(product) == {-7}


def test_result_has_marks_of_both_operands(memory):
    one, two = (memory.mark(np.ones(2), frozenset({number})) for number in (1, 2))
    assert memory.exits_of(one * two) == {1, 2}


def test_array_takes_mark_of_an_assigned_number(memory):
    array = memory.mark(np.zeros(2), frozenset())
    array[0] = memory.mark(np.float32(3.0), EXIT)
    assert memory.exits_of(array) == EXIT


def test_python_number_is_recognized_by_identity(memory):
    number = memory.mark(float("3.25"), EXIT)
    assert memory.exits_of(number) == EXIT
    assert memory.exits_of(float("3.25")) == frozenset()


def test_list_has_marks_of_its_elements(memory):
    assert memory.exits_of([1.0, {"a": memory.mark(np.ones(1), EXIT)}]) == EXIT


def test_small_integers_carry_no_mark(memory):
    assert memory.exits_of(memory.mark(3, EXIT)) == frozenset()


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a))])
def test_copied_or_stored_array_keeps_values(memory, twin):
    array = twin(memory.mark(np.array([1.0, 2.0]), EXIT))
    np.testing.assert_array_equal(array, [1.0, 2.0])
    assert not isinstance(array, LabeledArray) or array.exits == EXIT


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_marked_scalar_is_converted_in_few_calls(memory, kind):
    """`np.float64(x)` calls `x.__float__`, so a conversion that starts with it would call itself."""
    scalar = memory.mark(kind(1.5), EXIT)
    for work in (lambda: float(scalar), lambda: scalar + 1.0, lambda: np.float64(scalar)):
        assert calls(work) < 150
    assert float(scalar) == 1.5
    number = float(scalar)
    assert memory.exits_of(number) == EXIT

"""Numbers that are known only by the names they went through."""

import pytest
from traced import traced

USE = "\ny = tf.constant(1.0) * total\n"


@pytest.mark.parametrize(
    "text",
    [
        "total = float(x) + 1.0",
        "total = 0.0\ntotal += float(x)",
        "parts = []\nparts.append(float(x))\ntotal = sum(parts)",
        "def half(v):\n    return float(v) / 2\ntotal = half(x)",
        "def each(v):\n    yield float(v)\ntotal = sum(each(x))",
        "class Sum:\n    pass\ns = Sum()\ns.value = float(x) * 2\ntotal = s.value + 1",
        "total = float(f'{x:.1f}')",
    ],
)
def test_a_new_number_is_traced_back_by_its_names(text, tmp_path):
    run = traced("x = tf.constant(3.0)\n" + text + USE, tmp_path)
    assert run.error is None
    (back,) = run.told("reentry")
    assert back["exports"] == [1] and not back["sure"]


@pytest.mark.parametrize(
    "text",
    [
        "print(float(x))\ntotal = 2.0",
        "seen = [float(x)]\ntotal = len(seen)",
        "other = float(x)\ntotal = 2.0",
        "label = f'{x:.1f}'\ntotal = 2.0",
        "print(f'{x:.1f}')\ntotal = 2.0",
    ],
)
def test_a_number_with_other_names_is_left_alone(text, tmp_path, capsys):
    run = traced("x = tf.constant(3.0)\n" + text + USE, tmp_path)
    assert run.error is None
    assert run.told("reentry") == []


def test_text_that_is_only_shown_has_not_left(tmp_path, capsys):
    assert traced("x = tf.constant(3.0)\nprint(f'{x:.1f}')\n", tmp_path).told("export") == []

"""Facts that can be derived from the program's text, without events."""

import ast
from textwrap import dedent

import pytest

from minitape.explain.flow.program import text as reading
from minitape.explain.flow.program.trees import is_same_code

PROGRAM = dedent(
    """
    def net(x):
        h = x * 2
        return x

    loss = net(1)
    goal = loss
    if loss > 3:
        y = w * 2
    """
).lstrip("\n")


def test_last_line_that_assigns_a_name():
    assert reading.line_of_assignment("a = 1\na = 2\na = 3\n", "a", before=2) == 2
    assert reading.line_of_assignment("a = 1\n", "b", before=9) is None


def test_renaming_is_not_a_computation():
    assert reading.line_of_renaming(PROGRAM, "goal", before=9) == 6
    assert reading.line_of_renaming(PROGRAM, "loss", before=9) is None


def test_return_without_a_name():
    assert reading.line_of_return_without(PROGRAM, "h", 2) == 3
    assert reading.line_of_return_without(PROGRAM, "x", 2) is None


def test_gradient_function_that_returns_none():
    silent = "def f(x):\n    def grad(dy):\n        dy * 2\n    return x, grad\n"
    spoken = "def f(x):\n    def grad(dy):\n        return dy, None\n    return x, grad\n"
    sound = "def f(x):\n    def grad(dy):\n        return dy\n    return x, grad\n"
    assert reading.own_none(silent, "f") == (3, True, "dy * 2")
    assert reading.own_none(spoken, "f") == (3, False, None)
    assert reading.own_none(sound, "f") is None


def test_name_of_the_sources():
    assert reading.name_of_sources("tape.gradient(loss, weights)") == "weights"
    assert reading.name_of_sources("tape.gradient(loss, sources=w)") == "w"
    assert reading.name_of_sources("tape.gradient(loss, [w])") is None


def test_word_that_occurs_twice_has_no_line():
    assert reading.only_line_that_says("a = 'relu'\n", "relu") == 1
    assert reading.only_line_that_says("a = 'relu'\nb = tf.relu\n", "relu") is None


def test_text_that_does_not_parse_has_no_lines():
    assert reading.line_of_assignment("a = (\n", "a", before=1) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("g = tape.gradient(y, w) or 0.0", 1),
        ("g = tape.gradient(y, w)\ng = g or tf.zeros_like(w)", 2),
        ("gs = tape.gradient(y, ws)\ngs = [g if g is not None else 0 for g in gs]", 2),
        ("gs = tape.gradient(y, ws)\nfor w, g in zip(ws, gs):\n    g = 0.0 if g is None else g", 3),
        (
            "gs = tape.gradient(y, ws)\nfor g in gs:\n    if g is None:\n        g = tf.constant(0.0)",
            3,
        ),
        # Skipping, printing or raising does not count as filling in.
        ("gs = tape.gradient(y, ws)\ngs = [g for g in gs if g is not None]", None),
        ("gs = tape.gradient(y, ws)\nprint([None if g is None else g.shape for g in gs])", None),
        ("gs = tape.gradient(y, ws)\nfor g in gs:\n    if g is None:\n        found = 0", None),
        ("g = tape.gradient(y, w)\nh = other or 0.0", None),
    ],
)
def test_line_that_replaces_none_with_zeros(text: str, line: int | None):
    assert reading.line_that_fills_in(text, 1) == line


def test_return_of_a_custom_gradient_function():
    rule = "def f(x):\n    def rule(up):\n        def inner(v):\n            return v\n        return up\n    return x, rule\n"
    assert reading.line_of_own_return(rule, "f") == 5
    assert reading.line_of_own_return("def f(x):\n    return x, lambda up: up\n", "f") == 2
    assert reading.line_of_own_return(rule, "g") is None


def test_same_code_is_found_without_writing_it_out():
    texts = ["np.square(y)", "np.square(x)", "f(a, *b, c=1)", "f(a, *b, c=1.0)", "f(a, *b, c=True)"]
    texts += [
        "a[1:, ::2]",
        "a[1:, ::3]",
        "f'{x!r:>3}'",
        "f'{x!s:>3}'",
        "lambda x: x",
        "lambda y: y",
    ]
    texts += [
        "'a'",
        "b'a'",
        "[x for x in y]",
        "[x for x in y if x]",
        "1e999 - 1e999",
        "-x",
        "not x",
    ]
    for one in texts:
        for other in texts:
            trees = [ast.parse(f"({each})", mode="eval").body for each in (one, other)]
            assert is_same_code(*trees) == (one == other)
    assert is_same_code(ast.Name("x", ast.Load()), ast.Name("x", ast.Store()))

"""An object other than the source was used: which object is named, and what is not reported."""

import io
from pathlib import Path

import pytest
from traced import run, traced

from minitape.explain.causes.rewriting import renamed
from minitape.explain.explain import explain
from minitape.explain.flow.program.functions import line_of_default, line_without, looked_up_late
from minitape.explain.report import SourceReport

_LINE = """import tensorflow as tf
class Line(tf.Module):
    def __init__(self, seed):
        super().__init__()
        self.w = tf.Variable([[0.5 * seed], [1.0]], name="w")
        self.b = tf.Variable([0.1])
    def __call__(self, x):
        return x @ self.w + self.b
x = tf.constant([[1.0, 2.0]])
one, other = Line(1.0), Line(2.0)
"""


def _lost(folder: Path, text: str) -> SourceReport:
    """Return the first source of a script's call that lost its gradient."""
    path = folder / "script.py"
    path.write_text(_LINE + text, encoding="utf-8")
    ran = run(path, on="minitape", stdout=io.StringIO())
    assert ran.error is None, ran.error
    (call,) = explain(ran.trace).calls
    return next(each for each in call.sources if each.findings)


@pytest.mark.parametrize(
    ("text", "slug", "line"),
    [
        pytest.param(
            "with tf.GradientTape() as tape:\n    y = one(x)\ntape.gradient(y, [other.w, other.b])",
            "other-model",
            12,
            id="one call, of the other",
        ),
        pytest.param(
            "with tf.GradientTape() as tape:\n    y = one(x)\ntape.gradient(y, [other.w, one.b])",
            "recreated-variable",
            10,
            id="asked for a part of each, called once",
        ),
        pytest.param(
            "with tf.GradientTape() as tape:\n    y = one(x) * one(x)\n"
            "tape.gradient(y, [one.w, one.b, other.w, other.b])",
            "other-model",
            12,
            id="asked for both, and one was called twice",
        ),
        pytest.param(
            "with tf.GradientTape() as tape:\n    y = one(x)\n    z = other(x)\n"
            "tape.gradient(y, [other.w, other.b])",
            "unconnected",
            13,
            id="the one asked for was called, and not used",
        ),
        pytest.param(
            "third = Line(3.0)\nwith tf.GradientTape() as tape:\n    y = one(x)\n"
            "tape.gradient(y, [other.w, third.b])",
            "recreated-variable",
            10,
            id="two were not called: which was meant is not known",
        ),
        pytest.param(
            "with tf.GradientTape() as tape:\n    soft = one(x)\n    y = one(x) - tf.stop_gradient(soft)\n"
            "tape.gradient(y, [other.w, other.b])",
            "other-model",
            13,
            id="the call that is stopped is right",
        ),
    ],
)
def test_other_of_two_models_is_named(tmp_path: Path, text: str, slug: str, line: int) -> None:
    first = _lost(tmp_path, text).findings[0]
    assert (first.slug, first.location.line) == (slug, line)


def test_variable_of_the_same_model_is_not_a_mistake(tmp_path: Path) -> None:
    """Both are sources, and a source that was used cannot have been used by mistake."""
    text = (
        "with tf.GradientTape() as tape:\n    y = one.w * 2.0\ntape.gradient(y, [one.w, other.w])"
    )
    assert _lost(tmp_path, text).findings[0].slug != "recreated-variable"


def test_name_bound_by_a_loop_is_looked_up_late() -> None:
    text = "for w in ws:\n    fs.append(lambda x, k=1: w * x)\n"
    late = looked_up_late(text, 2, 29)
    assert late is not None
    assert (late.name, late.line, late.iterated) == ("w", 2, "ws")
    assert late.better == "lambda x, k=1, w=w: w * x"


@pytest.mark.parametrize(
    "text",
    [
        "for w in ws:\n    fs.append(lambda x, w=w: w * x)\n",
        "for w in ws:\n    fs.append(w * x)  # no lambda\n",
        "for w in ws:\n    fs.append(lambda x: x * 1)  # w\n",
        "def f(w):\n    return [lambda x: w * x]\n",
    ],
)
def test_bound_or_other_name_is_not_looked_up_late(text: str) -> None:
    assert looked_up_late(text, 2, 28) is None


def test_default_argument_keeps_an_old_value() -> None:
    text = "def f(x, w=w):\n    return x * w\n"
    assert line_of_default(text, "w", 2, 12) == 1
    assert line_of_default(text, "x", 2, 12) is None
    assert line_of_default("def f(x, w=v):\n    return x * w\n", "w", 2, 12) is None


def test_line_of_call_that_does_not_use_a_weight() -> None:
    text = (
        "class A:\n"
        "    def build(self):\n"
        "        self.w = 1\n"
        "        self.b = 2\n"
        "    def call(self, x):\n"
        "        y = x * self.w\n"
        "        return y\n"
    )
    assert line_without(text, "b", 4) == 6
    assert line_without(text, "w", 3) is None
    assert line_without(text, "b", 99) is None
    assert (
        line_without("class A:\n    def call(self, x):\n        y = x\n        return y\n", "b", 1)
        == 4
    )


def test_object_is_replaced_as_a_whole() -> None:
    assert renamed("tape.gradient(y, [line.w, online.w])", "line", "trial") == (
        "tape.gradient(y, [trial.w, online.w])"
    )
    assert renamed("tape.gradient(", "a", "b") == "tape.gradient("


@pytest.mark.parametrize("call", ["alias(x)", "one(x) * 0.0 + alias(x) * 0.0"])
def test_model_called_under_another_name_was_called(tmp_path: Path, call: str) -> None:
    text = (
        "alias = other\nwith tf.GradientTape() as tape:\n"
        f"    z = {call}\n    y = one(x) * one(x)\ntape.gradient(y, [other.w, other.b])"
    )
    said = _lost(tmp_path, text).findings[0]
    assert said.slug == "unconnected"
    assert "called" not in said.message


def test_variable_that_each_iteration_creates_names_the_loop(tmp_path: Path) -> None:
    run = traced(
        """
        weights = None
        for fold in range(2):
            w = tf.Variable(2.0, name="w")
            weights = weights or [w]
            with tf.GradientTape() as tape:
                y = w * w
            tape.gradient(y, weights)
        """,
        tmp_path,
    )
    (finding,) = run.source().findings
    assert (finding.slug, finding.location.line) == ("recreated-variable", 3)
    assert "move line 3 before the loop (line 2)" in finding.fix

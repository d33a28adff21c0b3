"""When loops with zero iterations and empty lists are reported, and when they are not."""

import io
from pathlib import Path

import pytest
from traced import run

from minitape.explain.causes.rewriting import parsed, rounded_up, watching_by_itself
from minitape.explain.explain import explain
from minitape.explain.flow.program.loops import gives_once, loops_of
from minitape.explain.flow.program.sources import typed_source, value_of, weights_of
from minitape.explain.report import Finding, Outcome

_LOSS = """
import tensorflow as tf

w = tf.Variable(2.0)
xs = {xs}
with tf.GradientTape() as tape:
    loss = tf.constant(0.0)
{body}
gradient = tape.gradient(loss, w)
"""


def _first(folder: Path, text: str) -> Finding:
    path = folder / "script.py"
    path.write_text(text, encoding="utf-8")
    ran = run(path, on="minitape", stdout=io.StringIO())
    assert ran.error is None, ran.error
    (call,) = explain(ran.trace).calls
    return call.sources[0].findings[0]


def _slug(folder: Path, xs: str, body: str) -> tuple[str, int]:
    found = _first(folder, _LOSS.format(xs=xs, body=body))
    return found.slug, found.location.line


def test_loop_over_empty_list_is_reported(tmp_path: Path) -> None:
    body = "    for x in xs:\n        loss += w * x"
    assert _slug(tmp_path, "[]", body) == ("loop-never-ran", 8)


def test_loop_that_ran_is_not_reported(tmp_path: Path) -> None:
    """The body did run, but computed something else."""
    body = "    for x in xs:\n        loss += tf.constant(1.0) * x\n        w_seen = w"
    assert _slug(tmp_path, "[1.0]", body)[0] == "unconnected"


def test_loop_that_skips_its_iterations_is_not_reported(tmp_path: Path) -> None:
    """The loop ran and skipped each iteration, so the condition is the cause."""
    body = "    for x in xs:\n        if x < 0:\n            continue\n        loss += w * x"
    assert _slug(tmp_path, "[-1.0]", body)[0] == "control-flow"


def test_loop_in_a_branch_is_not_reported(tmp_path: Path) -> None:
    body = "    if len(xs) > 1:\n        for x in xs:\n            loss += w * x"
    assert _slug(tmp_path, "[1.0]", body)[0] != "loop-never-ran"


def test_loop_after_a_return_is_not_reported(tmp_path: Path) -> None:
    body = (
        "    def total(loss):\n"
        "        if len(xs) < 2:\n"
        "            return loss + 1.0\n"
        "        for x in xs:\n"
        "            loss += w * x\n"
        "        return loss\n"
        "    loss = total(loss)"
    )
    assert _slug(tmp_path, "[1.0]", body)[0] != "loop-never-ran"


def test_loop_without_source_and_target_is_not_reported(tmp_path: Path) -> None:
    body = "    for x in xs:\n        print(x)"
    assert _slug(tmp_path, "[]", body)[0] == "unconnected"


def test_loop_outside_the_block_is_not_reported(tmp_path: Path) -> None:
    """Only code that the tape could have recorded is considered."""
    body = "loss = loss * 1.0\nfor x in xs:\n    loss += w * x"
    assert _slug(tmp_path, "[]", body)[0] != "loop-never-ran"


def test_comprehension_over_empty_list_is_reported(tmp_path: Path) -> None:
    body = "    loss = loss + sum([w * x for x in xs])"
    assert _slug(tmp_path, "[]", body) == ("loop-never-ran", 8)


def test_empty_list_of_sources_is_one_finding(tmp_path: Path) -> None:
    text = "import tensorflow as tf\nkept = []\nx = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n"
    path = tmp_path / "script.py"
    path.write_text(text + "tape.gradient(y, kept)\n", encoding="utf-8")
    (call,) = explain(run(path, on="minitape", stdout=io.StringIO()).trace).calls
    (source,) = call.sources
    assert (source.outcome, source.name) == (Outcome.EMPTY, "kept")
    assert [(each.slug, each.location.line) for each in source.findings] == [("no-sources", 2)]


@pytest.mark.parametrize("written", ["[]", "()"])
def test_literal_empty_list_is_not_reported(tmp_path: Path, written: str) -> None:
    path = tmp_path / "script.py"
    path.write_text(
        "import tensorflow as tf\nx = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n"
        f"tape.gradient(y, {written})\n",
        encoding="utf-8",
    )
    report = explain(run(path, on="minitape", stdout=io.StringIO()).trace)
    assert report.ok
    assert report.calls[0].sources == ()


def test_loops_of_a_text() -> None:
    text = "for a, b in xs:\n    y = a.w\nwhile n > 0:\n    n -= 1\nz = [f(v) for v in xs if v]\n"
    loops = loops_of(text)
    assert [(each.line, each.head, each.is_plain) for each in loops] == [
        (1, "for a, b in xs", True),
        (3, "while n > 0", True),
        (5, "for v in xs", False),
    ]
    assert loops[0].names == {"a", "a.w", "xs"}
    assert loops[1].assigned == {"n"}
    assert loops[0].holds(2, 4)
    assert not loops[0].holds(1, 0)


def test_text_that_does_not_parse_has_no_loops() -> None:
    assert loops_of("for x in") == ()
    assert gives_once("for x in", "x", 9) is None


def test_iterators_that_can_be_used_only_once() -> None:
    text = "a = (t for t in xs)\nb = zip(xs, ys)\nc = list(xs)\ndef g():\n    yield 1\nd = g()\n"
    assert gives_once(text, "a", 9) == (1, "a = [t for t in xs]")
    assert gives_once(text, "b", 9) == (2, "b = list(zip(xs, ys))")
    assert gives_once(text, "c", 9) is None
    assert gives_once(text, "d", 9) == (6, "d = list(g())")
    assert gives_once(text, "d", 5) is None


@pytest.mark.parametrize(
    ("call", "index", "count", "typed"),
    [
        ("tape.gradient(loss, model.trainable_variables)", 1, 4, "model.trainable_variables[1]"),
        ("tape.gradient(loss, model.variables)", 0, 1, "model.variables[0]"),
        ("tape.gradient(loss, w)", 0, 1, "w"),
        ("tape.gradient(loss, [a, b.c])", 1, 2, "b.c"),
        ("tape.gradient(target=loss, sources=[*ws, head])", 1, 3, "ws[1]"),
        ("tape.gradient(loss, [first, *ws, head])", 4, 5, "head"),
        ("tape.gradient(loss, [first, *ws, head])", 0, 5, "first"),
        ("tape.gradient(loss, [*us, *ws])", 0, 5, None),
        ("tape.gradient(loss, [[a], b])", 0, 2, None),
        ("tape.gradient(loss, a.weights + b.weights)", 0, 2, "(a.weights + b.weights)[0]"),
        ("tape.gradient(loss, [v for v in ws])", 0, 2, None),
        ("tape.gradient(loss, ", 0, 2, None),
    ],
)
def test_source_as_code_that_can_be_typed(
    call: str, index: int, count: int, typed: str | None
) -> None:
    assert typed_source(call, index, count) == typed


def test_owners_of_the_weights_in_a_list() -> None:
    given = parsed("[a.w, *b.weights] + c.d.trainable_variables")
    assert given is not None
    assert list(weights_of(given)) == ["a", "b", "c.d"]


def test_last_value_of_a_name_is_used() -> None:
    text = "ws = a\nws = b\nclass C:\n    def f(self):\n        self.kept = d\nws = c\n"
    found, kept = value_of(text, "ws", 5), value_of(text, "thing.kept", 1)
    assert found is not None
    assert (found.line, found.is_own) == (2, False)
    assert kept is not None
    assert (kept.line, kept.is_own) == (5, True)
    assert value_of(text, "none", 9) is None


def test_rounded_up_count() -> None:
    assert rounded_up("range(len(x) // 8)") == "range(-(-len(x) // 8))"
    assert rounded_up("range((a + b) // 8)") == "range(-(-(a + b) // 8))"
    assert rounded_up("range(int(t / dt))") == "range(int(-(-t // dt)))"
    assert rounded_up("range(8)") is None


def test_tape_that_watches_automatically_again() -> None:
    before = "with tf.GradientTape(watch_accessed_variables=False, persistent=True) as t:"
    assert watching_by_itself(before) == "with tf.GradientTape(persistent=True) as t:"

"""Several causes for one source: all are reported, and the stated set of fixes restores the gradient."""

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from textwrap import dedent

import pytest
from traced import Traced, traced

from minitape.explain.report import FixesNeeded


@dataclass(frozen=True)
class Case:
    """A program, the fix of each of its causes, and what must be reported about them."""

    program: str
    fixes: tuple[tuple[str, str], ...]
    lines: tuple[int, ...]
    fixes_needed: FixesNeeded
    fix_sets: tuple[tuple[int, ...], ...]


CASES = {
    "two in a row": Case(
        """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            a = np.square(w)
            b = tf.stop_gradient(tf.constant(3.0) * a)
            y = b * 4.0
        g = tape.gradient(y, w)
        """,
        (("np.square", "tf.square"), ("tf.stop_gradient", "")),
        (3, 4),
        FixesNeeded.ALL,
        ((0, 1),),
    ),
    "side by side": Case(
        """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            a = tf.stop_gradient(w * 3.0)
            b = tf.convert_to_tensor(np.square(w))
            y = a + b * 4.0
        g = tape.gradient(y, w)
        """,
        (("np.square", "tf.square"), ("tf.stop_gradient", "")),
        (4, 3),
        FixesNeeded.ANY,
        ((0,), (1,)),
    ),
    "one, and then two side by side": Case(
        """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            h = tf.stop_gradient(w * 2.0)
            a = tf.Variable(h * 3.0)
            b = tf.convert_to_tensor(np.square(h))
            y = a * 1.0 + b * 4.0
        g = tape.gradient(y, w)
        """,
        (("tf.stop_gradient", ""), ("np.square", "tf.square"), ("tf.Variable(h", "(h")),
        (3, 5, 4),
        FixesNeeded.SOME,
        ((0, 1), (0, 2)),
    ),
    "the same cause twice in a row": Case(
        """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            a = tf.stop_gradient(w * 3.0)
            b = tf.sin(a)
            y = tf.stop_gradient(b * b) * 2.0
        g = tape.gradient(y, w)
        """,
        (("tf.stop_gradient(w", "(w"), ("tf.stop_gradient(b", "(b")),
        (3, 5),
        FixesNeeded.ALL,
        ((0, 1),),
    ),
    "the same cause side by side": Case(
        """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            a = np.exp(w)
            b = np.square(w)
            y = tf.constant(3.0) * a + tf.constant(1.0) * b
        g = tape.gradient(y, w)
        """,
        (("np.exp", "tf.exp"), ("np.square", "tf.square")),
        (3, 4),
        FixesNeeded.ANY,
        ((0,), (1,)),
    ),
    "in the turns of a loop": Case(
        """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = tf.zeros([])
            for turn in range(3):
                h = tf.convert_to_tensor(np.square(w))
                y = y + tf.stop_gradient(h * 2.0)
        g = tape.gradient(y, w)
        """,
        (("np.square", "tf.square"), ("tf.stop_gradient", "")),
        (5, 6),
        FixesNeeded.ALL,
        ((0, 1),),
    ),
    "in a helper that is called twice": Case(
        """
        def squash(x):
            return tf.convert_to_tensor(np.tanh(x))
        w = tf.Variable(0.5)
        with tf.GradientTape() as tape:
            y = squash(2.0 * squash(w)) + tf.stop_gradient(w * w)
        g = tape.gradient(y, w)
        """,
        (("np.tanh", "tf.tanh"), ("tf.stop_gradient", "")),
        (2, 5),
        FixesNeeded.ANY,
        ((0,), (1,)),
    ),
    "at the source and on the way": Case(
        """
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            pass
            y = tf.stop_gradient(x * x) * 2.0
        g = tape.gradient(y, x)
        """,
        (("tf.stop_gradient", ""), ("pass", "tape.watch(x)")),
        (4, 1),
        FixesNeeded.ALL,
        ((0, 1),),
    ),
    "before the tape and after it": Case(
        """
        w = tf.Variable(3.0)
        a = w * w
        with tf.GradientTape() as tape:
            b = a * 2.0
        y = b + 1.0
        g = tape.gradient(y, w)
        """,
        (
            (
                "a = w * w\nwith tf.GradientTape() as tape:",
                "with tf.GradientTape() as tape:\n    a = w * w",
            ),
            ("\ny = b", "\n    y = b"),
        ),
        (2, 5),
        FixesNeeded.ALL,
        ((0, 1),),
    ),
    "paused, and kept in a variable": Case(
        """
        w, v = tf.Variable(3.0), tf.Variable(0.0)
        with tf.GradientTape() as tape:
            with tape.stop_recording():
                a = w * w
            v.assign(w * 2.0)
            y = a * v
        g = tape.gradient(y, w)
        """,
        (("with tape.stop_recording():", "if True:"), ("v.assign(w * 2.0)", "v = w * 2.0")),
        (3, 5),
        FixesNeeded.ANY,
        ((0,), (1,)),
    ),
}


def fixed(name: str, chosen: tuple[int, ...], folder: Path) -> Traced:
    """The program with the chosen causes fixed."""
    case = CASES[name]
    program = dedent(case.program)
    for i in chosen:
        old, new = case.fixes[i]
        assert program.count(old) == 1
        program = program.replace(old, new)
    run = traced(program, folder)
    assert run.error is None
    return run


@pytest.mark.parametrize("name", CASES)
def test_all_causes_and_their_fix_sets_are_reported(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    source = fixed(name, (), tmp_path).source()
    assert tuple(finding.location.line for finding in source.findings) == case.lines
    assert (source.fixes_needed, source.fix_sets) == (case.fixes_needed, case.fix_sets)


@pytest.mark.parametrize("name", CASES)
def test_gradient_is_restored_exactly_by_a_complete_fix_set(name: str, tmp_path: Path) -> None:
    """Every combination of fixes is tried; with fewer than all of them, a contribution is missing."""
    case = CASES[name]
    every = tuple(range(len(case.fixes)))
    whole = fixed(name, every, tmp_path).names["g"]
    for count in range(len(every)):
        for chosen in combinations(every, count):
            gradient = fixed(name, chosen, tmp_path).names["g"]
            if any(set(fix_set) <= set(chosen) for fix_set in case.fix_sets):
                assert float(gradient) != pytest.approx(float(whole), rel=1e-3)
            else:
                assert gradient is None


def test_required_fixes_are_stated(tmp_path: Path) -> None:
    said = {name: fixed(name, (), tmp_path).source().fixes_needed_text for name in CASES}
    assert said["two in a row"] == "fix both line 3 and line 4; fixing only one has no effect"
    assert said["side by side"] == (
        "fix both line 3 and line 4; fixing only one restores only a part of the gradient"
    )
    assert said["one, and then two side by side"] == (
        "fix all of lines 3, 4 and 5; fixing only some of them has no effect, or restores only a part of the gradient"
    )


ALONE = {
    "a single cause": """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(w * 3.0)
        tape.gradient(y, w)
        """,
    "one line that runs three times": """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = w * 1.0
            for turn in range(3):
                y = tf.convert_to_tensor(np.square(y))
        tape.gradient(y, w)
        """,
    "a comparison beside it has no slope to lose": """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            mask = tf.cast(w > 1.0, tf.float32)
            y = mask * tf.convert_to_tensor(np.square(w))
        tape.gradient(y, w)
        """,
    "all that was computed after the tape": """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            a = w * 3.0
        b = a * a
        y = a + b
        tape.gradient(y, w)
        """,
    "what one mend brings back needs no other": """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            soft = w + tf.stop_gradient(tf.round(w) - w)
            y = tf.convert_to_tensor(np.square(soft))
        tape.gradient(y, w)
        """,
    "earlier turns of a training loop": """
        w, v = tf.Variable(2.0), tf.Variable(1.0)
        for turn in range(3):
            with tf.GradientTape() as tape:
                y = v * tf.stop_gradient(w * v)
            g = tape.gradient(y, [v, w])
            v.assign_sub(0.1 * g[0])
        """,
}


@pytest.mark.parametrize("name", ALONE)
def test_single_cause_mentions_no_others(name: str, tmp_path: Path) -> None:
    source = next(
        each for each in traced(ALONE[name], tmp_path).report.calls[-1].sources if each.findings
    )
    assert len(source.findings) == 1
    assert (source.fixes_needed, source.fixes_needed_text) == (FixesNeeded.ONE, "")


def test_source_with_correct_gradient_needs_no_fix(tmp_path: Path) -> None:
    run = traced(
        "w = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = w * w\ntape.gradient(y, w)",
        tmp_path,
    )
    assert (run.source().fixes_needed, run.source().fix_sets) == (None, ())


def test_report_data_contains_fix_sets(tmp_path: Path) -> None:
    run = fixed("one, and then two side by side", (), tmp_path)
    (source,) = run.report.as_data()["calls"][0]["sources"]
    assert (source["fixes_needed"], source["fix_sets"]) == ("some", [[0, 1], [0, 2]])

"""Proofs: the gradient of a fixed script, and the change of the target when a source is perturbed."""

import textwrap
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from proving import again, checked
from traced import run

from minitape import source_text
from minitape.explain.explain import explain
from minitape.explain.report import Report, SourceReport
from minitape.trace.events import ResultEvent
from minitape.verify.proof import proved

Written = Callable[[str], Path]

# A lost gradient, its cause, and the code that a teacher would write at that position in the script.
CASES = {
    "numpy-roundtrip": (
        """\
        w = tf.Variable([1.0, -2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(np.square(w) * 3.0)
        tape.gradient(loss, w)
        """,
        [("np.square", "tf.square")],
    ),
    "numpy-roundtrip after .numpy()": (
        """\
        w = tf.Variable([1.0, -2.0])
        with tf.GradientTape() as tape:
            h = (2.0 * w).numpy()
            loss = tf.reduce_sum(np.exp(h))
        tape.gradient(loss, w)
        """,
        [(".numpy()", ""), ("np.exp", "tf.exp")],
    ),
    "numpy-roundtrip behind letters of two bytes": (
        """\
        größe = tf.Variable(1.5)
        with tf.GradientTape() as tape:
            höhe = 1.0 + np.sin(größe)
        tape.gradient(tf.convert_to_tensor(höhe), größe)
        """,
        [("np.sin", "tf.sin"), ("tf.convert_to_tensor(höhe)", "höhe")],
    ),
    "python-scalar": (
        """\
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            loss = tf.square(float(w * 2.0)) + 0.0
        tape.gradient(loss, w)
        """,
        [("float(w * 2.0)", "w * 2.0")],
    ),
    "not-watched": (
        """\
        x = tf.constant([3.0, 4.0])
        with tf.GradientTape() as tape:
            y = tf.norm(x)
        tape.gradient(y, x)
        """,
        [("y = ", "tape.watch(x); y = ")],
    ),
    "not-watched, made inside the block": (
        """\
        with tf.GradientTape() as tape:
            x = tf.constant(3.0)
            y = x * x
        tape.gradient(y, x)
        """,
        [("y = ", "tape.watch(x); y = ")],
    ),
    "watched-too-late": (
        """\
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            y = x ** 3
            tape.watch(x)
        tape.gradient(y, x)
        """,
        [("y = x", "tape.watch(x); y = x")],
    ),
    "auto-watch-off": (
        """\
        w = tf.Variable(2.0)
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            y = w * w
        tape.gradient(y, w)
        """,
        [("watch_accessed_variables=False", "")],
    ),
    "not-trainable": (
        """\
        w = tf.Variable(2.0, trainable=False)
        with tf.GradientTape() as tape:
            y = w * w
        tape.gradient(y, w)
        """,
        [(", trainable=False", "")],
    ),
    "stop-recording": (
        """\
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            with tape.stop_recording():
                y = w * w
        tape.gradient(y, w)
        """,
        [("with tape.stop_recording():", "if True:")],
    ),
    "computed-before-tape": (
        """\
        w = tf.Variable(2.0)
        y = w * w
        with tf.GradientTape() as tape:
            z = y * 3.0
        tape.gradient(z, w)
        """,
        [("y = w * w\n", "\n"), ("z = y", "y = w * w; z = y")],
    ),
    "computed-after-tape": (
        """\
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = w * w
        z = y * 3.0
        tape.gradient(z, w)
        """,
        [("z = y", "    z = y")],
    ),
    "computed-after-tape, in the call": (
        """\
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = w * w
        tape.gradient(y * 3.0, w)
        """,
        [("y = w * w", "y = w * w * 3.0"), ("y * 3.0, w", "y, w")],
    ),
    "integer-dtype": (
        """\
        w = tf.Variable(3)
        with tf.GradientTape() as tape:
            y = tf.cast(w, tf.float32) ** 2
        tape.gradient(y, w)
        """,
        [("Variable(3)", "Variable(3.0)")],
    ),
    "new-variable": (
        """\
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.Variable(w * w) * 2.0
        tape.gradient(y, w)
        """,
        [("tf.Variable(w * w)", "(w * w)")],
    ),
    "stop-gradient": (
        """\
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(w * w) * 2.0
        tape.gradient(y, w)
        """,
        [("tf.stop_gradient", "")],
    ),
    "non-differentiable-op": (
        """\
        w = tf.Variable([1.2, 2.7])
        with tf.GradientTape() as tape:
            y = tf.square(tf.round(w * 2.0))
        tape.gradient(y, w)
        """,
        [("tf.round(w * 2.0)", "(2.0 * w + tf.stop_gradient(tf.round(w * 2.0) - 2.0 * w))")],
    ),
    "variable-replaced": (
        """\
        w = tf.Variable(3.0)
        w = w - 0.5
        with tf.GradientTape() as tape:
            y = w * w
        tape.gradient(y, w)
        """,
        [("w = w - 0.5", "w.assign_sub(0.5)")],
    ),
    "variable-replaced by the result of assign": (
        """\
        w = tf.Variable(3.0)
        w = w.assign_sub(0.5)
        with tf.GradientTape() as tape:
            y = w * w
        tape.gradient(y, w)
        """,
        [("w = w.assign", "w.assign")],
    ),
    "tape-consumed": (
        """\
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = w * w
        tape.gradient(y, w)
        tape.gradient(y, w)
        """,
        [("GradientTape()", "GradientTape(persistent=True)")],
    ),
}


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(text: str) -> Path:
        script = tmp_path / "lesson.py"
        lines = "import numpy as np\nimport minitape as tf\n" + textwrap.dedent(text)
        script.write_text(lines, encoding="utf-8")
        return script

    return write


def lost(report: Report) -> SourceReport:
    """The last source that has findings."""
    return [each for call in report.calls for each in call.sources if each.findings][-1]


@pytest.mark.filterwarnings("ignore:Integers and booleans have no gradient:UserWarning")
@pytest.mark.parametrize("name", CASES)
def test_proof_has_gradient_of_a_teachers_script(name: str, written: Written) -> None:
    text, changes = CASES[name]
    source = lost(checked(written(text))[0])
    assert name.startswith(source.findings[0].slug)
    proof = source.findings[0].proof
    assert proof is not None
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    by_hand = run(written(text))
    assert by_hand.ok
    assert explain(by_hand.trace).ok
    wanted = by_hand.trace.of(ResultEvent)[-1].numbers
    assert wanted is not None
    np.testing.assert_allclose(proof.gradient["data"], wanted.data, rtol=1e-6)


@pytest.mark.parametrize("name", [name for name in CASES if "integer" not in name])
def test_fixed_gradient_equals_finite_difference(name: str, written: Written) -> None:
    """An exception is a fix that intends a different derivative: a straight-through estimator."""
    source = lost(checked(written(CASES[name][0]))[0])
    proof, nudge = source.findings[0].proof, source.nudge
    assert proof is not None
    if source.findings[0].slug in ("tape-consumed", "variable-replaced"):
        return
    assert nudge is not None
    assert nudge.derivative is not None
    if source.findings[0].slug == "non-differentiable-op":
        assert nudge.moves is False
        return
    gradient = np.array(proof.gradient["data"])
    shares = (
        np.random.default_rng(0).uniform(0.5, 1.5, gradient.shape) if gradient.size > 1 else 1.0
    )
    assert nudge.derivative == pytest.approx(float(np.sum(gradient * shares)), rel=1e-5)


def test_fix_that_exposes_another_mistake_is_followed_by_its_fix(
    written: Written,
) -> None:
    text = """\
        x = tf.constant(0.5)
        with tf.GradientTape() as tape:
            y = np.exp(x) * 2.0 + tf.constant(1.0)
        tape.gradient(y, x)
        """
    proof = lost(checked(written(text))[0]).findings[0].proof
    assert proof is not None
    assert proof.tried == (
        "`tf.exp(x)` instead of `np.exp(x)`; `tape.watch(x)` at the top of the `with` block"
    )
    assert proof.gradient["data"] == pytest.approx(2 * np.exp(0.5), rel=1e-6)


def test_mistake_without_rule_has_no_proof(written: Written) -> None:
    text = """\
        w, rows = tf.Variable(2.0), []
        with tf.GradientTape() as tape:
            for x in [w * w]:
                rows.append(x.numpy().sum())
            y = 2.0 * tf.constant(rows)[0]
        tape.gradient(y, w)
        """
    source = lost(checked(written(text))[0])
    assert source.findings[0].slug == "numpy-roundtrip"
    assert source.findings[0].proof is None
    assert source.findings[0].unproved == (
        "not applied automatically: no rule covers this case, so fix it by hand"
    )
    assert source.nudge is not None
    assert source.nudge.derivative == pytest.approx(8.0, rel=1e-5)


def test_fix_that_does_not_run_is_no_proof(written: Written) -> None:
    """With this order of lines, the `watch` at the top runs before x exists."""
    text = """\
        def use(tape):
            x = tf.constant(1.0)
            return x, x * x
        with tf.GradientTape() as tape:
            x2, y = use(tape)
        tape.gradient(y, x2)
        """
    assert lost(checked(written(text))[0]).findings[0].proof is None


def test_independent_target_does_not_change(written: Written) -> None:
    text = """\
        w, v = tf.Variable(2.0), tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = v * 2.0
        tape.gradient(y, w)
        """
    nudge = lost(checked(written(text))[0]).nudge
    assert nudge is not None
    assert (nudge.moves, nudge.text) == (False, "`y` does not change")


def test_gradient_that_differs_from_finite_difference_is_reported_without_finding(
    written,
) -> None:
    """The gradient of one of two equal factors is stopped, so the gradient is only half of the derivative."""
    text = """\
        a = tf.Variable(2.0)
        b = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = a * tf.stop_gradient(a) * b
        tape.gradient(y, [a, b])
        """
    (call,) = checked(written(text))[0].calls
    held, whole = (source.nudge for source in call.sources)
    assert held is not None
    assert held.differs
    assert held.derivative == pytest.approx(12.0)
    assert "the gradient that came back gives 6." in held.text
    assert whole is not None
    assert not whole.differs


def test_complex_numbers_are_not_perturbed_and_stop_no_check(written: Written) -> None:
    text = """\
        z = tf.Variable(tf.constant(1.0 + 2.0j))
        with tf.GradientTape(persistent=True) as tape:
            y = tf.math.real(z * z)
            lost = tf.math.real(tf.convert_to_tensor(np.square(z)))
        tape.gradient(y, z)
        tape.gradient(lost, z)
        """
    whole, broken = (call.sources[0] for call in checked(written(text))[0].calls)
    assert whole.nudge is None
    assert broken.findings[0].proof is not None
    assert broken.findings[0].proof.gradient["data"] == "(2-4j)"
    assert broken.nudge is not None
    assert broken.nudge.text == (
        "not measured: only real numbers that the script makes can be perturbed"
    )


def test_gradient_zero_at_a_maximum_is_confirmed(written: Written) -> None:
    text = """\
        w = tf.Variable(0.0)
        for _ in range(3):
            with tf.GradientTape() as tape:
                y = tf.cos(w)
            w.assign_sub(0.1 * tape.gradient(y, w))
        """
    nudge = checked(written(text))[0].calls[0].sources[0].nudge
    assert nudge is not None
    assert (nudge.moves, nudge.derivative) == (True, 0.0)


def test_jump_has_no_derivative(written: Written) -> None:
    text = """\
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = tf.floor(w)
        tape.gradient(y, w)
        """
    nudge = lost(checked(written(text))[0]).nudge
    assert nudge is not None
    assert (nudge.moves, nudge.derivative) == (True, None)


def test_nondeterministic_target_is_not_judged(written: Written) -> None:
    text = """\
        import time
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = np.square(w) * float(time.perf_counter_ns() % 1_000_003)
        tape.gradient(tf.convert_to_tensor(y), w)
        """
    nudge = lost(checked(written(text))[0]).nudge
    assert nudge is not None
    assert nudge.moves is None


def test_random_numbers_are_the_same_in_all_runs(written: Written) -> None:
    text = """\
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = np.square(w) * tf.random.uniform([])
        tape.gradient(y, w)
        """
    nudge = lost(checked(written(text))[0]).nudge
    assert nudge is not None
    assert nudge.derivative is not None


def test_script_that_requires_float32_is_measured_in_float32(written: Written) -> None:
    """A tensor that is cast to float32 cannot be combined with the float64 values of the other tensors."""
    text = """\
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = tf.convert_to_tensor(np.square(w)) * tf.cast(3, tf.float32)
            y = y * tf.zeros([], tf.float32) + y
        tape.gradient(y, w)
        """
    nudge = lost(checked(written(text))[0]).nudge
    assert nudge is not None
    assert nudge.derivative == pytest.approx(12.0, rel=1e-2)


def test_reruns_print_nothing_and_do_not_affect_later_runs(
    written: Written, capfd: pytest.CaptureFixture[str]
) -> None:
    text = """\
        import sys
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = np.square(w)
        print("out"); print("err", file=sys.stderr)
        tape.gradient(tf.convert_to_tensor(y), w)
        """
    script = written(text)
    trace = run(script).trace
    capfd.readouterr()
    with again(script) as runs:
        proved(explain(trace), trace, runs)
    assert capfd.readouterr() == ("", "")
    assert explain(run(script).trace) == explain(trace)


def test_limits_apply_to_each_run(written: Written) -> None:
    """Ten ops are too few to reach the gradient call."""
    text = """\
        w = tf.Variable(2.0)
        for _ in range(30):
            w.assign_add(w * 0.0)
        with tf.GradientTape() as tape:
            y = np.square(w)
        tape.gradient(tf.convert_to_tensor(y), w)
        """
    source = lost(checked(written(text), max_ops=10)[0])
    assert source.findings[0].proof is None
    assert source.nudge is not None
    assert source.nudge.moves is None


# --- deep expressions ---

DEEP = """\
import numpy as np
import minitape as tf
w = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = tf.constant(2.0) * np.sin(w)%s
tape.gradient(y, w)
"""


def test_fix_in_a_sum_of_a_thousand_terms_is_tried(tmp_path: Path) -> None:
    """The fixed tree is compiled in another process, where Python visits it recursively."""
    script = tmp_path / "deep.py"
    script.write_text(DEEP % (" + 1.0" * 1_000))
    report, _ = checked(script, max_ops=0)
    (finding,) = report.calls[0].sources[0].findings
    assert finding.proof is not None
    assert finding.proof.gradient["data"] == pytest.approx(2 * np.cos(1.0), rel=1e-6)
    (fixed,) = finding.fixed
    assert fixed.after == fixed.before.replace("np.sin", "tf.sin")


def test_expression_too_deep_to_be_rewritten_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "deep.py"
    script.write_text(DEEP % (" + 1.0" * 900))
    monkeypatch.setattr(source_text, "_CALLS", 1_000)
    report, _ = checked(script)
    (finding,) = report.calls[0].sources[0].findings
    assert finding.proof is None
    assert finding.unproved == "an expression of the script is nested too deeply to be rewritten"

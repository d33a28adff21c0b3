"""A script is run again in a separate process, even if it damages or ends that process."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from proving import again, checked

from minitape.run.program import of_file
from minitape.trace.events import GradientEvent, HeaderEvent, NoteEvent, OpEvent
from minitape.verify.perturber import Perturber
from minitape.verify.rerun import Rerun

pytestmark = pytest.mark.one_in(4)

SLOPE = """\
import os, sys
import numpy as np
import minitape as tf
w = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = np.square(w) * 2.0
tape.gradient(tf.convert_to_tensor(y), w)
"""


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "lesson.py"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_each_run_has_arguments_and_seed_of_the_first(
    script: Callable[[str], Path],
) -> None:
    path = script(
        "import sys, random, minitape as tf\ntf.debug.note(f'{random.random()} {sys.argv[1:]}')\n"
    )
    with again(path, seed=5) as runs:
        first, second = runs.run(), runs.run(seed=0)
    assert first is not None
    assert second is not None
    assert first.of(NoteEvent)[0].text == second.of(NoteEvent)[0].text
    assert first.of(HeaderEvent)[0].seed == 5
    with again(path) as runs:
        seeded = runs.run(seed=7)
    assert seeded is not None
    assert seeded.of(HeaderEvent)[0].seed == 7


def test_reading_is_the_target_with_a_perturbed_source(script: Callable[[str], Path]) -> None:
    with again(script(SLOPE)) as runs:
        still = runs.reading(Perturber("variable", 1, 1, widens=True, step=0.0))
        moved = runs.reading(Perturber("variable", 1, 1, widens=True, step=0.5))
        never = runs.reading(Perturber("variable", 1, 9, widens=True, step=0.0))
    assert (still, moved, never) == (18.0, pytest.approx(2 * 3.5**2), None)


def test_run_that_ends_its_process_returns_none_and_next_run_works(
    script: Callable[[str], Path], tmp_path: Path
) -> None:
    left = tmp_path / "left"
    text = f"if not os.path.exists({str(left)!r}):\n    open({str(left)!r}, 'w').close()\n    os._exit(3)\n"
    with Rerun(of_file(script(SLOPE + text))) as runs:  # no earlier run has used this process
        assert runs.run() is None
        second = runs.run()
    assert second is not None
    assert len(second.of(GradientEvent)) == 1


def test_runs_do_not_share_modules(script: Callable[[str], Path], tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_lesson.py").write_text("times = []\n", encoding="utf-8")
    path = script(
        "import neighbour_of_lesson as n, minitape as tf\nn.times.append(1)\ntf.constant(1.0) * len(n.times)\n"
    )
    with again(path) as runs:
        traces = [runs.run(), runs.run()]
    assert [trace and trace.of(OpEvent)[0].outputs[0].data for trace in traces] == [1.0, 1.0]


def test_script_that_ends_its_process_has_no_proof_and_reason_is_reported(
    script: Callable[[str], Path],
) -> None:
    """It ends its process only when it runs again; its first run, in the test's process, left a trace."""
    path = script(SLOPE + "if 'pytest' not in sys.modules:\n    os._exit(0)\n")
    (call,) = checked(path)[0].calls
    (finding,) = call.sources[0].findings
    assert finding.proof is None
    assert finding.unproved == (
        "the run with the fix returned no result, because the script ended its own process or minitape had to kill it"
    )
    # To measure the derivative, the script does not have to run this far.
    assert call.sources[0].nudge is not None
    assert call.sources[0].nudge.derivative == pytest.approx(12.0)


def test_target_that_no_run_reaches_is_not_judged(script: Callable[[str], Path]) -> None:
    path = script(SLOPE.replace("w = tf", "'pytest' in sys.modules or os._exit(0)\nw = tf"))
    nudge = checked(path)[0].calls[0].sources[0].nudge
    assert nudge is not None
    assert (nudge.moves, nudge.derivative) == (None, None)
    assert nudge.text == ("not measured: `tf.convert_to_tensor(y)` could not be read again")


def test_hanging_run_is_killed_and_uses_up_the_time_for_proofs(
    script: Callable[[str], Path],
) -> None:
    path = script(SLOPE.replace("w = tf", "while 'pytest' not in sys.modules: pass\nw = tf"))
    source = checked(path, timeout=1)[0].calls[0].sources[0]
    assert source.findings[0].proof is None
    assert source.findings[0].unproved == (
        "the time limit (--timeout) was reached before a fix was found"
    )
    assert source.nudge is None


@pytest.mark.parametrize(
    "rude",
    [
        "os.closerange(3, 64)\n",
        pytest.param(
            "os.fork()\n",
            marks=pytest.mark.skipif(os.name == "nt", reason="Windows does not fork"),
        ),
    ],
)
def test_damaged_process_does_not_affect_the_next_run(
    script: Callable[[str], Path], rude: str
) -> None:
    with again(script(SLOPE + rude)) as runs:
        traces = [runs.run() for _ in range(3)]
    assert [trace is not None and len(trace.of(GradientEvent)) for trace in traces] == [1, 1, 1]

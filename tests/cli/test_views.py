"""Views of rare situations: another engine, a whole class, a long run."""

import io
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console, RenderableType
from traced import run

from minitape.course.course import course, material
from minitape.course.grading.rows import GradeRow
from minitape.explain.explain import explain
from minitape.explain.report import FixedFile
from minitape.trace import events
from minitape.trace.comparison.compare import ComparedLine, EngineComparison, MatchVerdict
from minitape.trace.comparison.diff import diff
from minitape.trace.trace import Trace
from minitape.verify.applying import Fixed
from minitape_cli import progress
from minitape_cli.console import Symbols, Terminal
from minitape_cli.progress import ProgressLine
from minitape_cli.recording import RecordedRun
from minitape_cli.views import compare, grading
from minitape_cli.views import diff as differing
from minitape_cli.views.explanation import fixes_written

SIGNS = Symbols("✂", "✗", "~", "✓", "→", "×", "…")


def text(shown: RenderableType) -> str:
    """As a terminal without colors shows it, with each run of blanks replaced by one."""
    out = io.StringIO()
    Console(file=out, width=120).print(shown)
    return "\n".join(" ".join(line.split()) for line in out.getvalue().splitlines())


def compared(*lines: ComparedLine) -> str:
    recordings = tuple(RecordedRun(Path("a.py"), Trace(), None, ()) for _ in range(2))
    runs = compare.Runs(EngineComparison((1, 1), list(lines)), [], recordings)  # type: ignore[arg-type]  # two of them
    return text(compare.compare(runs, "a.py", SIGNS, everything=True))


@pytest.mark.parametrize("verdict", MatchVerdict)
def test_each_verdict_on_a_line_has_a_text(verdict: MatchVerdict) -> None:
    (row,) = [
        row
        for row in compared(ComparedLine("a.py", 3, "y = x", verdict=verdict)).splitlines()
        if "y = x" in row
    ]
    assert row.startswith("3 y = x ") and len(row.split()) > 5


def test_line_with_different_ops_on_two_engines_names_them() -> None:
    unlike = ComparedLine(
        "a.py", 3, "y", [("Mul", "Mul", "Sum"), ("Einsum",)], verdict=MatchVerdict.OTHER_OPS
    )
    alike = ComparedLine("a.py", 4, "z", [("Exp",), ("Exp",)])
    shown = compared(unlike, alike)
    assert "on minitape: Mul×2 Sum on TensorFlow: Einsum" in shown
    assert "Exp" not in shown


def test_failed_students_are_sorted_by_kind_of_failure() -> None:
    one, two, three = list(course(material()).exercises)[:3]
    statuses = ((one, "timeout"), (two, "failed"), (three, "timeout"))
    rows = [GradeRow(student="anna", exercise=each.id, status=status) for each, status in statuses]
    said = f"failed {two.short}; timeout {one.short}, {three.short}"
    assert said in text(grading.report(rows, (one, two, three), SIGNS))


def test_gradient_requested_in_only_one_run_is_named_by_its_line(tmp_path: Path) -> None:
    program = """\
import minitape as tf
w = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = w * w
"""
    texts = (program, f"{program}tape.gradient(y, w)\n")
    traces = []
    for script, said in zip((tmp_path / "a.py", tmp_path / "b.py"), texts, strict=True):
        script.write_text(said)
        traces.append(run(script).trace)
    none, one = traces
    shown = differing.diff(diff(none, one), (none, one), ("a", "b"), symbols=SIGNS)
    steps = text(shown).split("\n\n")[1].splitlines()
    assert steps == ["1 difference in steps", "different steps", "+ line 5 tape.gradient(y, w)"]


def test_diff_is_colored_and_its_file_names_are_bold() -> None:
    fixed = Fixed((FixedFile("a.py", "x = 1\n", "x = 2\n"),), (), explain(Trace()))
    shown = fixes_written(fixed)
    styles = {shown.plain[span.start : span.end].strip(): span.style for span in shown.spans}
    assert styles == {
        "--- a.py": "bold",
        "+++ a.py": "bold",
        "@@ -1 +1 @@": "blue",
        "-x = 1": "red",
        "+x = 2": "green",
    }


def test_progress_of_a_long_run_is_printed_at_intervals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = iter((0.0, 2.0, 2.05, 2.1, 2.5))
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=times.__next__))
    stream = io.StringIO()
    shown = ProgressLine(stream)
    for _ in range(4):
        shown.received(events.ReadEvent(0, 1, 2, [], at=None, stack=[]))
    assert stream.getvalue().count("gradient calls") == 2


def test_error_links_to_a_page_only_if_there_is_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Terminal().complain("no such file.", "look again")
    assert capsys.readouterr().err == "error: no such file.\n  try : look again\n"
    Terminal().complain("no such file.", "look again", "MT201")
    assert capsys.readouterr().err.endswith("  more: minitape explain MT201\n")

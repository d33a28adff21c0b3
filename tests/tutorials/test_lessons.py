"""Each lesson runs and prints what TensorFlow printed."""

import io
import re
from pathlib import Path

import audits
import pytest
from traced import run

FOLDER = Path(__file__).parents[2] / "tutorials"
LESSONS = sorted(FOLDER.glob("*/lesson.py"))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.parent.name)
def test_lesson_prints_its_recorded_output(lesson: Path) -> None:
    out = io.StringIO()
    ran = run(lesson, stdout=out)
    assert ran.error is None, ran.error.text
    assert out.getvalue() == (lesson.parent / "expected.txt").read_text(encoding="utf-8")
    assert audits.found(ran.trace) == audits.kept("tutorials", lesson.parent.name)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.parent.name)
def test_lesson_runs_on_tensorflow_after_changing_one_line(lesson: Path) -> None:
    """Nothing but TensorFlow's names may be used, so minitape is named in one place."""
    imports = re.findall(r"^(?:import|from) .*$", lesson.read_text(encoding="utf-8"), re.M)
    ours = [line for line in imports if "minitape" in line]
    assert ours == ["import minitape as tf"]


def test_course_page_lists_the_lessons_in_order() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"\]\((.+?/lesson\.py)\)", page)
    assert listed == [lesson.relative_to(FOLDER).as_posix() for lesson in LESSONS]

"""No `lesson` command prints control characters from hostile courses and students' files to a terminal."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from classes import hand_in
from courses import write_course
from strangers import HOSTILE, escaped_hostile, steering
from typer.testing import CliRunner

from minitape_cli.app import app

pytestmark = pytest.mark.one_in(3)

RAISES = f'''\
# %% [markdown]
# # Title {HOSTILE.splitlines()[0]}

# %%
import minitape as tf

# TODO
slope = 1.0
# END
with tf.GradientTape() as tape:
    y = tf.square(tf.Variable(2.0, name="{escaped_hostile()}"))
print("{escaped_hostile()}")
raise ValueError("{escaped_hostile()}")
'''
FAILS = RAISES.replace("raise ValueError(", "gradient = str(").replace(
    "slope = 1.0", f'slope = "{escaped_hostile()}"'
)
UNREADABLE = f"x = ({HOSTILE}\n"
CHECKS = f'''\
from minitape.course.failing import Failed


def is_even(student, draw):
    raise Failed("{escaped_hostile()}", fix="{escaped_hostile()}")
'''


@pytest.fixture
def hostile_course(tmp_path: Path) -> Path:
    """A course whose title, goals, exercises, hints and checks are hostile."""
    folder = write_course(tmp_path / "taught")
    for toml in (*folder.rglob("lesson.toml"), folder / "course.toml"):
        text = re.sub(
            r'((?:^|\n)(?:title|goal|misconceptions|debrief|hints) = \[?"[^"\n]*)"',
            lambda found: f'{found[1]}{escaped_hostile()}"',
            toml.read_text(),
        )
        assert escaped_hostile() in text
        toml.write_text(text)
    (folder / "02_second" / "checks.py").write_text(CHECKS)
    return folder


@pytest.fixture
def student_folder(
    hostile_course: Path, minitape: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A student's folder of this course, which is the current folder; its name is hostile too."""
    folder = tmp_path / "mine \x1b[2J\u202e"
    ran = minitape("lesson", "init", folder, "--course", hostile_course)
    assert ran.exit_code == 0
    assert steering(ran.stdout) == steering(ran.stderr) == []
    monkeypatch.chdir(folder)
    return folder


def faults(runs: Iterable[tuple[object, Any]]) -> list[object]:
    """The commands whose output contains control characters, or that end with an internal error."""
    return [
        (words, ran.exit_code, found)
        for words, ran in runs
        if (found := steering(ran.stdout) + steering(ran.stderr)) or ran.exit_code == 70
    ]


def test_course_text_is_escaped(minitape: Any, student_folder: Path) -> None:
    commands = ("", "list", "list --json", "show", "hint", "hint --json", "list --lesson \x1b[2J")
    commands += ("hint \x1b[2J", "run \x1b[2J\u202e", "reset 1/1 --yes", "init \x1b[2J", "see 1/1")
    assert faults((line, minitape("lesson", *line.split(" "))) for line in commands) == []
    assert minitape("lesson", "export", "-o", "out").exit_code == 0
    for file in Path("out").rglob("*.ipynb"):
        assert steering(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [(RAISES, "ValueError"), (FAILS, "slope"), (UNREADABLE, "is not valid Python")],
)
def test_student_file_text_is_escaped(
    minitape: Any, student_folder: Path, text: str, said: str
) -> None:
    (student_folder / "01_first" / "ex1_guess.py").write_text(text, encoding="utf-8")
    runs = {line: minitape("lesson", *line.split()) for line in ("run 1/1", "run 1/1 --json")}
    assert said in runs["run 1/1"].stdout
    runs["show 1/1"] = minitape("lesson", "show", "1/1")
    runs["export 1/1"] = minitape("lesson", "export", "1/1", "-o", "out")
    for file in Path("out").rglob("*.ipynb"):
        assert steering(file.read_text(encoding="utf-8")) == []
    watched = CliRunner().invoke(app, ["lesson", "watch", "1/1", "--manual"], input="s\ne\nl\nq\n")
    assert faults([*runs.items(), ("watch", watched)]) == []


def test_question_before_a_reset_escapes_the_name_of_the_file(
    student_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "minitape_cli.commands.lesson.starting.sys", Mock(stdin=Mock(isatty=lambda: True))
    )
    monkeypatch.setattr("minitape_cli.views.lesson.shortened", str)
    monkeypatch.chdir(student_folder / "01_first")
    ran = CliRunner().invoke(app, ["lesson", "reset", "1/1"], input="n\n")
    assert "[y/N]" in ran.stderr and "ex1_guess.py" in ran.stderr
    assert steering(ran.stderr) == steering(ran.stdout) == []


def test_page_of_a_student_file_is_escaped(minitape: Any, student_folder: Path) -> None:
    (student_folder / "01_first" / "ex1_guess.py").write_text(FAILS, encoding="utf-8")
    runs = [(words, minitape("lesson", "see", "1/1", *words)) for words in ((), ("--html",))]
    assert faults(runs) == []
    (page,) = (student_folder / ".minitape").glob("*.html")
    assert steering(page.read_text(encoding="utf-8")) == []


def test_messages_of_a_courses_own_checks_are_escaped(minitape: Any, student_folder: Path) -> None:
    runs = [(words, minitape("lesson", "run", "2/1", *words)) for words in ((), ("--json",))]
    assert "·[2J" in runs[0][1].stdout
    assert faults(runs) == []


def test_lint_output_is_escaped(minitape: Any, hostile_course: Path) -> None:
    toml = hostile_course / "01_first" / "lesson.toml"
    runs = []
    for text in (
        toml.read_text().replace('name = "ex1_guess"', f'name = "{escaped_hostile()}"'),
        toml.read_text().replace('kind = "prediction"', f'kind = "{escaped_hostile()}"'),
        toml.read_text() + f'"{escaped_hostile()}" = 1\n',
        f"title = {HOSTILE}\n",
    ):
        toml.write_text(text, encoding="utf-8")
        runs += [
            ((text, *words), minitape("lesson", "lint", toml.parent, *words))
            for words in ((), ("--json",))
        ]
    assert {ran.exit_code for _, ran in runs} <= {1, 2}
    assert faults(runs) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [("table", FAILS), ("json", RAISES), ("csv", UNREADABLE), ("junit", FAILS)],
)
def test_class_report_is_escaped(
    minitape: Any, hostile_course: Path, tmp_path: Path, kind: str, text: str
) -> None:
    hand_in(tmp_path / "class", "a\x1b[2J\u202e\n", text)
    report = tmp_path / "report"
    grade = ("lesson", "grade", tmp_path / "class", "--course", hostile_course, "--only", "1/1")
    ran = minitape(*grade, "--format", kind, "-o", report)
    assert faults([(kind, ran)]) == []
    assert steering(report.read_text(encoding="utf-8")) == []

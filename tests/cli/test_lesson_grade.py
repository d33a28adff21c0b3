"""`minitape lesson grade`: reports, exit codes, and what is kept after an interruption."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from classes import GOOD, LOST, hand_in
from courses import write_course

pytestmark = pytest.mark.one_in(3)

GUESS = ("--only", "1/1")


@pytest.fixture
def grade_class(tmp_path: Path, minitape: Any) -> Any:
    """Grade a class of three students."""
    taught = write_course(tmp_path / "taught")
    given = tmp_path / "class"
    hand_in(given, "anna", GOOD)
    hand_in(given, "berta", GOOD)
    hand_in(given, "cem", LOST)

    def grade(*args: object) -> Any:
        return minitape("lesson", "grade", given, "--course", taught, *args)

    return grade


def test_table_shows_passes_and_misconceptions(grade_class: Any) -> None:
    ran = grade_class(*GUESS)
    assert ran.exit_code == 0
    assert "anna" in ran.stdout and "1/1" in ran.stdout
    assert "2 of 3 (67%)" in ran.stdout
    assert "MT201: 1 student" in ran.stdout
    assert "y = tf.constant(np.square(x.numpy()))   1 student" in ran.stdout
    assert "identical files\n01/ex1  anna, berta" in ran.stdout
    assert "It does not prevent a program from reading or writing your files" in ran.stderr


def test_help_names_what_is_not_protected(minitape: Any) -> None:
    said = " ".join(minitape("lesson", "grade", "--help").stdout.split())
    assert "It does not prevent a program from reading or writing your files" in said
    assert "in a container" in said


def test_csv_has_a_line_for_each_student_and_exercise(grade_class: Any) -> None:
    ran = grade_class("--format", "csv")
    rows = list(csv.DictReader(io.StringIO(ran.stdout)))
    assert ran.exit_code == 0
    assert len(rows) == 9
    assert sorted(each["status"] for each in rows) == ["failed"] + 6 * ["missing"] + 2 * ["passed"]


def test_wide_csv_has_a_line_for_each_student(grade_class: Any, tmp_path: Path) -> None:
    to = tmp_path / "grades.csv"
    assert grade_class("--format", "csv", "--wide", "-o", to).exit_code == 0
    rows = list(csv.DictReader(io.StringIO(to.read_text())))
    assert [each["points"] for each in rows] == ["1", "1", "0"]
    assert rows[2]["01_first/ex1_guess"] == "failed"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["class", "grades.csv", "taught"]


def test_json_contains_everything(grade_class: Any) -> None:
    data = json.loads(grade_class(*GUESS, "--format", "json", "--seed", "7").stdout)
    assert (data["schema"], data["ok"]) == ("minitape.lesson-grade/1", True)
    assert data["data"]["run"]["seed"] == 7
    assert [each["status"] for each in data["data"]["rows"]] == ["passed", "passed", "failed"]
    assert data["data"]["rows"][0]["hints_self_reported"] is None
    (item,) = data["data"]["items"]
    assert item["codes"][0]["lines"][0]["students"] == 1
    assert data["data"]["identical_files"] == [
        {"exercise": "01_first/ex1_guess", "students": ["anna", "berta"]}
    ]


def test_junit_report_and_fail_under_exit_code(grade_class: Any) -> None:
    ran = grade_class(*GUESS, "--format", "junit", "--fail-under", "50")
    assert ran.exit_code == 1
    assert len(ElementTree.fromstring(ran.stdout).findall(".//failure")) == 1


def test_wrong_options_are_reported_before_anything_runs(grade_class: Any, tmp_path: Path) -> None:
    for args, said in (
        (("--resume",), "-o FILE"),
        (("--wide",), "`--wide` needs `--format csv`"),
        (("--only", "9/9"), "this course has no"),
        (("--layout", "{student}.py"), "must contain {student} and {exercise}"),
        (("-o", tmp_path / "nowhere" / "x.csv"), "does not exist"),
    ):
        ran = grade_class(*args)
        assert ran.exit_code == 2
        assert said in ran.stderr


def test_rows_of_another_run_are_not_mixed_in(grade_class: Any, tmp_path: Path) -> None:
    to = tmp_path / "x.csv"
    assert grade_class(*GUESS, "-o", to, "--resume").exit_code == 0  # there is nothing to resume
    kept = tmp_path / "x.csv.rows"
    assert not kept.exists()
    run = {"course": "Small", "version": "0", "seed": 1, "timeout": 10.0, "memory": 2048}
    kept.write_text(json.dumps({**run, "exercises": ["01_first/ex1_guess"]}) + "\n")
    ran = grade_class(*GUESS, "-o", to, "--resume")
    assert ran.exit_code == 2
    assert "a run with different settings (version)" in ran.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows: Ctrl-C cannot be sent to one process")
def test_interruption_keeps_finished_rows_and_resume_continues(tmp_path: Path) -> None:
    taught = write_course(tmp_path / "taught")
    given = tmp_path / "class"
    for number in range(8):
        hand_in(given, f"a{number}", f"{GOOD}# {number}\n")
    hand_in(given, "b", "while True: pass\n")
    marks = tmp_path / "marks"  # each run of this student's file appends a letter
    hand_in(given, "a0", f"open({str(marks)!r}, 'a').write('x')\n{GOOD}")
    to, kept = tmp_path / "grades.csv", tmp_path / "grades.csv.rows"
    command = [sys.executable, "-m", "minitape_cli", "lesson", "grade", str(given)]
    command += ["--course", str(taught), *GUESS, "--jobs", "1", "--format", "csv"]
    command += ["-o", str(to), "--timeout", "3"]
    started = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    until = time.monotonic() + 60
    while time.monotonic() < until and not (kept.exists() and kept.read_bytes().count(b"\n") > 3):
        time.sleep(0.02)
    started.send_signal(signal.SIGINT)
    _, said = started.communicate(timeout=60)
    assert started.returncode == 130
    assert b"with `--resume` to continue" in said
    done = list(csv.DictReader(io.StringIO(to.read_text())))
    assert 3 <= len(done) < 9
    ran = subprocess.run([*command, "--resume"], capture_output=True, timeout=100, check=True)
    assert f"{len(done)} rows were already graded in the interrupted run".encode() in ran.stderr
    rows = list(csv.DictReader(io.StringIO(to.read_text())))
    assert [each["student"] for each in rows] == [f"a{n}" for n in range(8)] + ["b"]
    assert [each["status"] for each in rows] == ["passed"] * 8 + ["timeout"]
    assert rows[: len(done)] == done
    assert marks.read_text() == "x"
    assert not kept.exists()


def test_partial_credit_counts_the_passed_checks(tmp_path: Path, minitape: Any) -> None:
    """01/ex2 has two checks; the answer does not lose its gradient in NumPy, but the derivative is wrong."""
    taught = write_course(tmp_path / "taught")
    solution = (taught / "solutions" / "01_first" / "ex2_lost.py").read_text()
    half = solution.replace("y = curve(x)", "y = 2.0 * curve(x)")
    starter = (taught / "01_first" / "ex2_lost.py").read_text()
    for student, text in (("anna", solution), ("berta", half), ("cem", starter)):
        hand_in(tmp_path / "class", student, text, "ex2_lost.py")
    command = ("lesson", "grade", tmp_path / "class", "--course", taught, "--only", "1/2")
    for options, points in (((), ["1", "0", "0"]), (("--partial",), ["1", "0.5", "0"])):
        ran = minitape(*command, *options, "--format", "gradebook")
        rows = list(csv.DictReader(io.StringIO(ran.stdout)))
        assert list(rows[0]) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Small"]
        assert [each["Small"] for each in rows] == points
        assert [each["SIS Login ID"] for each in rows] == ["anna", "berta", "cem"]


def test_number_of_a_lesson_selects_all_its_exercises(tmp_path: Path, minitape: Any) -> None:
    taught = write_course(tmp_path / "taught")
    starter = (taught / "01_first" / "ex2_lost.py").read_text()
    hand_in(tmp_path / "class", "anna", starter, "ex2_lost.py")
    command = ("lesson", "grade", tmp_path / "class", "--course", taught, "--only", "1")
    rows = list(csv.DictReader(io.StringIO(minitape(*command, "--format", "csv").stdout)))
    assert [each["exercise"] for each in rows] == ["01_first/ex1_guess", "01_first/ex2_lost"]


def test_changes_outside_the_block_are_a_column(tmp_path: Path, minitape: Any) -> None:
    taught = write_course(tmp_path / "taught")
    solution = (taught / "solutions" / "01_first" / "ex1_guess.py").read_text()
    cheat = solution.replace("slope = 6.0", "slope = 9.0").replace("y = x * x", "y = x * x * x / 3")
    for student, text in (("anna", solution), ("berta", cheat)):
        hand_in(tmp_path / "class", student, text)
    ran = minitape(
        "lesson", "grade", tmp_path / "class", "--course", taught, *GUESS, "--format", "csv"
    )
    rows = sorted(csv.DictReader(io.StringIO(ran.stdout)), key=lambda row: row["student"])
    line = str(1 + cheat.splitlines().index("    y = x * x * x / 3"))
    assert [each["changed_outside"] for each in rows] == ["", line]
    assert [each["status"] for each in rows] == ["passed", "failed"]

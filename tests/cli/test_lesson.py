"""`minitape lesson`: from an empty folder to the last exercise; checks exit code, stdout and stderr separately."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from courses import SOLVED, write_course
from typer.testing import CliRunner

from minitape_cli.app import app
from minitape_cli.commands.lesson.context import names


@pytest.fixture
def course_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, minitape: Any) -> Path:
    """A folder of the small course, which is the current folder."""
    taught = write_course(tmp_path / "taught")
    monkeypatch.chdir(tmp_path)
    assert minitape("lesson", "init", "mine", "--course", taught).exit_code == 0
    monkeypatch.chdir(tmp_path / "mine")
    return tmp_path / "mine"


@pytest.fixture
def solve(course_folder: Path) -> Callable[[str], None]:
    def solved(name: str) -> None:
        file = course_folder / f"{name}.py"
        file.write_text(file.read_text().replace(*SOLVED[name]))

    return solved


def test_init_names_the_next_exercise(minitape: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    ran = minitape("lesson", "init")
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert (tmp_path / "minitape-course" / "01_first_gradient" / "lesson.py").exists()
    assert "python minitape-course/01_first_gradient/lesson.py" in ran.stdout
    again = minitape("lesson", "init")
    assert again.exit_code == 2
    assert "minitape-course already exists and is not empty" in again.stderr
    assert minitape("lesson", "init", "--force").exit_code == 0
    assert minitape("lesson", "init", "other", "--track", "slow").exit_code == 2


def test_missing_course_folder_is_reported_by_each_command(
    minitape: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in ([], ["list"], ["run"], ["hint"], ["show"], ["see"], ["check-all"]):
        ran = minitape("lesson", *command)
        assert ran.exit_code == 2
        assert "the current folder is not inside a course folder." in ran.stderr
        assert "try : run `minitape lesson init`" in ran.stderr


def test_lesson_without_arguments_shows_the_status(minitape: Any, course_folder: Path) -> None:
    ran = minitape("lesson")
    assert ran.exit_code == 1
    assert "lesson 01  01_first. Goal of 01_first." in ran.stdout
    assert "read and run first:  01_first/lesson.py" in ran.stdout
    assert "0 of 3   01/ex1  A guess" in ran.stdout
    assert "01_first/ex1_guess.py:10" in ran.stdout  # the line where the student's work begins
    assert "Continue the course with 01/ex1, A guess: minitape lesson" in minitape().stdout


def test_bare_minitape_does_not_mention_a_course_outside_of_one(
    minitape: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "Go on" not in minitape().stdout


def test_prediction_is_not_revealed_by_the_file_output(minitape: Any, course_folder: Path) -> None:
    ran = minitape("lesson", "run")
    assert ran.exit_code == 1
    assert "`slope` is still open." in ran.stdout
    assert "0 of 1 checks pass" in ran.stdout
    assert "the gradient is" not in ran.stdout
    assert ran.stderr == "Get a hint with `minitape lesson hint 01/ex1`.\n"


def test_passing_shows_the_debrief_and_the_next_exercise(
    minitape: Any, course_folder: Path, solve: Callable[[str], None]
) -> None:
    solve("01_first/ex1_guess")
    ran = minitape("lesson", "run", "1/1")
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert "the gradient is 6.0" in ran.stdout
    assert "What ex1_guess leaves." in ran.stdout
    assert "1 of 3   01/ex2  A lost gradient" in ran.stdout


def test_number_of_a_lesson_means_its_next_exercise(
    minitape: Any, course_folder: Path, solve: Callable[[str], None]
) -> None:
    assert "01/ex1" in minitape("lesson", "run", "1").stderr
    solve("01_first/ex1_guess")
    minitape("lesson", "run", "1/1")
    assert "01/ex2" in minitape("lesson", "run", "1").stderr
    missing = minitape("lesson", "run", "9")
    assert missing.exit_code == 2
    assert "this course has no 9" in missing.stderr


def test_none_gradient_is_explained_at_the_students_line(
    minitape: Any, course_folder: Path
) -> None:
    early = minitape("lesson", "run", "ex2", "--seed", "4")
    assert "error[MT201]" not in early.stdout  # the original file: the student has not tried yet
    file = course_folder / "01_first" / "ex2_lost.py"
    for change in ("+ 0.0", "+ 1.0"):
        file.write_text(file.read_text().replace("x.numpy()", f"x.numpy() {change}"))
        once = minitape("lesson", "run", "ex2", "--seed", "4", "--explain")
        assert ("error[MT201]" in once.stdout) == (change == "+ 1.0")
    ran = minitape("lesson", "run", "ex2", "--seed", "4")
    assert ran.exit_code == 1
    assert "--seed 4" not in ran.stdout  # the first check that fails does not draw random numbers
    assert "error[MT201]: the gradient of `y` with respect to `x` is None" in ran.stdout
    assert "y = np.exp(x) * x.numpy()" in ran.stdout
    assert ran.stdout.index("error[MT201]") < ran.stdout.index("✗  codes")
    assert "try : use `tf.exp(x)` instead of `np.exp(x)`" in ran.stdout


def test_seed_repeats_the_test_point(minitape: Any, course_folder: Path) -> None:
    first = minitape("lesson", "run", "2/1", "--seed", "5").stdout
    again = minitape("lesson", "run", "2/1", "--seed", "5").stdout
    line = next(line for line in first.splitlines() if "differ" in line)
    assert line in again
    assert "`--seed 5` repeats the same random inputs." in first


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("1 / 0", 3, "ZeroDivisionError"),
        ("x = (", 3, "line 1 is not valid Python"),
        ("while True: pass", 4, "stopped after 2 s"),
        ("import os; os._exit(0)", 3, "killed (os._exit(0))"),
    ],
)
def test_file_that_does_not_finish_is_reported(
    minitape: Any, course_folder: Path, text: str, code: int, said: str
) -> None:
    (course_folder / "02_second" / "ex1_even.py").write_text(text + "\n")
    ran = minitape("lesson", "run", "2/1", "--timeout", "2" if code == 4 else "30")
    assert ran.exit_code == code
    assert said in ran.stdout


def test_run_prints_json(minitape: Any, course_folder: Path) -> None:
    ran = minitape("lesson", "run", "ex2", "--seed", "4", "--json")
    reported = json.loads(ran.stdout)
    assert (reported["schema"], reported["ok"], ran.exit_code) == (
        "minitape.lesson-run/1",
        False,
        1,
    )
    data = reported["data"]
    assert (data["exercise"], data["status"], data["seed"]) == ("01_first/ex2_lost", "failed", 4)
    assert data["codes"] == ["MT201"]
    assert [each["kind"] for each in data["checks"]] == ["codes", "slope"]
    assert data["printed"] == "None\n"


def test_hints_come_in_order_and_are_remembered(minitape: Any, course_folder: Path) -> None:
    assert minitape("lesson", "hint").stdout == "hint 1 of 3\n  a question\n"
    assert minitape("lesson", "hint").stdout == "hint 2 of 3\n  a place\n"
    assert minitape("lesson", "hint", "--level", "1").stdout == "hint 1 of 3\n  a question\n"
    assert minitape("lesson", "hint").stdout == "hint 3 of 3\n  a twin\n"
    again = minitape("lesson", "hint").stdout
    assert again == "hint 3 of 3 (there are no more hints)\n  a twin\n"
    (first, *_) = json.loads(minitape("lesson", "list", "--json").stdout)["data"]
    assert (first["hints"], first["state"]) == (3, "new")


def test_show_and_see_print_the_exercise(minitape: Any, course_folder: Path) -> None:
    shown = minitape("lesson", "show", "1/2")
    assert shown.stdout.startswith("# 1.2 A lost gradient\n\nFix `slope`.")
    assert "01_first/ex2_lost.py:19" in shown.stdout
    seen = minitape("lesson", "see", "1/2")
    assert seen.exit_code == 0
    assert "tape.gradient(y, x)" in seen.stdout and "None" in seen.stdout
    page = minitape("lesson", "see", "1/2", "--html")
    file = course_folder / ".minitape" / "01_first-ex2_lost.html"
    assert page.exit_code == 0 and page.stdout == "" and "<html" in file.read_text()
    nothing = minitape("lesson", "see", "2/1")
    assert nothing.exit_code == 6 and "no tape" in nothing.stderr


def test_reset_asks_and_keeps_a_backup(
    minitape: Any, course_folder: Path, solve: Callable[[str], None]
) -> None:
    solve("02_second/ex1_even")
    file = course_folder / "02_second" / "ex1_even.py"
    solved = file.read_text()
    refused = minitape("lesson", "reset", "2/1")
    assert refused.exit_code == 2 and file.read_text() == solved
    ran = minitape("lesson", "reset", "2/1", "--yes")
    assert ran.exit_code == 0 and file.read_text() != solved
    (kept,) = (course_folder / ".minitape" / "backup").rglob("*.py")
    assert kept.read_text() == solved and kept.name in ran.stderr


def test_check_all_updates_what_passes(
    minitape: Any, course_folder: Path, solve: Callable[[str], None]
) -> None:
    solve("01_first/ex1_guess")
    solve("02_second/ex1_even")
    (course_folder / ".minitape" / "progress.json").write_text("broken")
    ran = minitape("lesson", "check-all")
    assert ran.exit_code == 1
    assert "2 of 3 pass" in ran.stdout
    assert ran.stderr.startswith("progress.json could not be read, and was renamed to")
    solve("01_first/ex2_lost")
    ran = minitape("lesson", "check-all", "--json")
    reported = json.loads(ran.stdout)
    assert ran.exit_code == 0 and reported["ok"]
    assert [each["status"] for each in reported["data"]] == ["passed"] * 3
    done = minitape("lesson")
    assert done.exit_code == 0
    assert "You have finished the course: Small." in done.stdout


def test_list_is_available_as_text_and_json(minitape: Any, course_folder: Path) -> None:
    minitape("lesson", "run", "1/1")
    shown = minitape("lesson", "list", "--lesson", "1").stdout
    assert "tried" in shown and "A lost gradient" in shown and "An even function" not in shown
    reported = json.loads(minitape("lesson", "list", "--json").stdout)
    assert reported["schema"] == "minitape.lesson-list/1" and not reported["ok"]
    assert [each["state"] for each in reported["data"]] == ["tried", "new", "new"]
    assert reported["data"][0]["history"] == ["prediction"]


def test_unknown_exercise_is_a_usage_error(minitape: Any, course_folder: Path) -> None:
    ran = minitape("lesson", "run", "ex2_lots")
    assert ran.exit_code == 2
    assert "this course has no ex2_lots." in ran.stderr
    assert "try : use 01_first/ex2_lost" in ran.stderr


def test_missing_exercise_file_is_reported(minitape: Any, course_folder: Path) -> None:
    (course_folder / "01_first" / "ex1_guess.py").unlink()
    ran = minitape("lesson", "run", "1/1")
    assert ran.exit_code == 2 and "try : run `minitape lesson reset 01/ex1`" in ran.stderr


def test_export_writes_the_students_text(
    minitape: Any, course_folder: Path, solve: Callable[[str], None]
) -> None:
    solve("02_second/ex1_even")
    assert minitape("lesson", "export", "2/1", "2", "-o", "out").exit_code == 0
    assert sorted(path.name for path in Path("out").rglob("*.ipynb")) == [
        "ex1_even.ipynb",
        "lesson.ipynb",
    ]
    cells = json.loads(Path("out/02_second/ex1_even.ipynb").read_text())["cells"]
    assert "return x * x" in cells[1]["source"]
    assert minitape("lesson", "export").exit_code == 0
    assert len(list(Path("notebooks").rglob("*.ipynb"))) == 5


def test_watch_prints_lines_without_a_terminal(minitape: Any, course_folder: Path) -> None:
    ran = CliRunner().invoke(app, ["lesson", "watch", "--manual"], input="h\nl\nn\nx\nq\nh\n")
    assert ran.exit_code == 0
    for words in ("Which number will it be?", "`slope` is still open", "hint 1 of 3"):
        assert words in ran.stdout
    assert "01/ex2  A lost gradient" in ran.stdout  # the key n goes to the next exercise
    assert "press x again to restore the original file" in ran.stdout
    assert "hint 2 of 3" not in ran.stdout  # the key q ends the command
    reported = json.loads(minitape("lesson", "list", "--json").stdout)["data"]
    assert [each["state"] for each in reported] == ["skipped", "tried", "new"]


def test_shell_completes_exercise_names(course_folder: Path, monkeypatch: Any) -> None:
    assert names("01/") == ["01/ex1", "01/ex2"]
    assert names("02_") == ["02_second/ex1_even"]
    monkeypatch.chdir(course_folder.parent)
    assert names("") == []


# --- for authors ---


def test_new_course_passes_lint_and_can_be_worked_on(minitape: Any, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    made = minitape("lesson", "new", mine)
    assert made.exit_code == 0 and str(mine / "course.toml") in made.stdout
    good = minitape("lesson", "lint", mine, "--solutions", mine / "solutions")
    assert (good.exit_code, good.stdout) == (0, "1 exercise: no problems found\n")
    (mine / "01_slopes" / "ex1_slope.py").write_text("print(1)\n")
    bad = minitape("lesson", "lint", mine / "01_slopes", "--json")
    reported = json.loads(bad.stdout)
    assert bad.exit_code == 1 and not reported["ok"] and len(reported["data"]) == 3
    assert minitape("lesson", "new", mine).exit_code == 2


def test_changed_line_outside_the_block_is_named(
    minitape: Any, course_folder: Path, solve: Callable[[str], None]
) -> None:
    solve("01_first/ex1_guess")
    file = course_folder / "01_first" / "ex1_guess.py"
    file.write_text(file.read_text().replace("y = x * x", "y = x * x * x"))
    ran = minitape("lesson", "run", "1/1")
    assert "outside the block, changed: `y = x * x * x` was `y = x * x`." in ran.stdout
    assert ran.exit_code == 0  # the prediction is right for the original program


def test_answer_book_contains_all_answers(
    minitape: Any, course_folder: Path, tmp_path: Path
) -> None:
    taught = tmp_path / "taught"
    assert minitape("lesson", "answers", "--course", taught).exit_code == 2
    ran = minitape("lesson", "answers", "--course", taught, "--solutions", taught / "solutions")
    assert ran.exit_code == 0
    page = (course_folder / "answers.html").read_text(encoding="utf-8")
    for text in ("slope = 6.0", "y = curve(x)", "return x * x", "f does not care about the sign"):
        assert text in page
    assert page.count("<h3") == 3


def test_init_writes_a_readme_with_the_lessons(course_folder: Path) -> None:
    page = (course_folder / "README.md").read_text(encoding="utf-8")
    assert "# Small" in page and "3 exercises in 2 lessons" in page
    assert "[01_first](01_first/lesson.py)" in page and "%check" in page

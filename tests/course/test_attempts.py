"""Checking files that pass, fail, do not finish, or try to cheat."""

import json
import multiprocessing
from collections.abc import Callable
from pathlib import Path

import pytest

from minitape.course.attempts import Attempt, Limits, Status, attempt
from minitape.course.course import Course, course
from minitape.course.notebooks import notebook
from minitape.course.parallel_attempts import AttemptRequest, attempts

pytestmark = pytest.mark.one_in(6)

USUAL = Limits(20)
Try = Callable[..., Attempt]
START = "import minitape as tf\nslope = 6.0\nx = tf.Variable(3.0)\n"
GOOD = START + "with tf.GradientTape() as t:\n    y = x * x\ngradient = t.gradient(y, x)\n"


@pytest.fixture
def small_course(small_course_folder: Path) -> Course:
    return course(small_course_folder)


@pytest.fixture
def try_answer(small_course: Course, tmp_path: Path) -> Try:
    """Return a function that tries a text as an answer to the prediction."""

    def tried(text: str | bytes, name: str = "answer.py", limits: Limits = USUAL) -> Attempt:
        file = tmp_path / name
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return attempt(small_course.exercise("1/1"), file, seed=1, limits=limits)

    return tried


def test_right_answer_passes_and_shows_the_evidence(try_answer: Try) -> None:
    came = try_answer(GOOD)
    assert came.ok
    assert [each.what for each in came.checks] == ["`slope = 6` is right"]
    assert len(came.trace) > 5 and len(came.light().trace) == 0


def test_notebook_is_accepted_like_a_script(try_answer: Try) -> None:
    assert try_answer(json.dumps(notebook(GOOD)), "answer.ipynb").ok
    wrong = GOOD.replace("slope = 6.0", "slope = 5.0")
    assert try_answer(json.dumps(notebook(wrong)), "answer.ipynb").failed is not None
    assert try_answer("{}", "answer.ipynb").status is Status.NOT_PYTHON


@pytest.mark.parametrize(
    ("text", "status", "line"),
    [
        (START + "1 / 0\n", Status.ERROR, 4),
        (START + "raise SystemExit(3)\n", Status.ERROR, None),
        (START + "x = (\n", Status.NOT_PYTHON, 4),
        (b"\xff\xfe\x00", Status.NOT_PYTHON, None),
        (START + "import os\nos._exit(0)\n", Status.CRASHED, 3),
        (START + "input()\n", Status.ERROR, 4),
        (START + "y = x * x\nwhile True: pass\n", Status.TIMEOUT, 4),
        (START + "while True: print('x' * 1000)\n", Status.OUTPUT_LIMIT, 3),
    ],
)
def test_unfinished_file_is_reported_with_its_reason_and_line(
    try_answer: Try, text: str, status: Status, line: int | None
) -> None:
    seconds = 3.0 if status is Status.TIMEOUT else 20.0
    came = try_answer(text, limits=Limits(seconds, output=1_000_000))
    assert (came.status, came.line) == (status, line)
    assert came.checks == () and not came.ok


def test_file_that_takes_too_much_memory_is_stopped(try_answer: Try) -> None:
    came = try_answer(
        START + "hog = [bytearray(1 << 24) for _ in range(1000)]\n", limits=Limits(20, 700)
    )
    assert came.status is Status.MEMORY


@pytest.mark.parametrize(
    "text",
    [
        "import atexit, os\n" + GOOD.replace("6.0", "5.0") + "atexit.register(os._exit, 0)\n",
        "import sys\n" + GOOD.replace("6.0", "5.0") + "print('passed')\nsys.exit(0)\n",
    ],
)
def test_exit_code_or_printed_text_does_not_pass_an_exercise(try_answer: Try, text: str) -> None:
    assert not try_answer(text).ok


def test_code_of_an_error_is_a_documented_code(try_answer: Try) -> None:
    came = try_answer(GOOD + "t.gradient(y, x)\n")
    assert came.status is Status.ERROR
    assert came.codes == ("MT501",)
    assert came.fails_with("MT501") and came.fails_with("error")
    assert not came.fails_with("MT201") and not came.fails_with("prediction")


def test_checks_are_reported_in_the_order_of_the_exercise_with_their_codes(
    small_course: Course,
) -> None:
    exercise = small_course.exercise("1/2")
    came = attempt(exercise, exercise.starter, seed=3)
    assert [(each.kind, each.ok) for each in came.checks] == [("codes", False), ("slope", False)]
    assert came.codes == ("MT201",)
    assert came.seed == 3


def test_prediction_is_not_run_and_its_next_step_is_shown_once(tmp_path: Path) -> None:
    """The first exercise of the course asks for three numbers, and for no code."""
    exercise = course().exercise("1/1")
    file = tmp_path / "guess.py"
    text = exercise.starter.read_text(encoding="utf-8").replace(" = ...", " = 100.0")
    file.write_text(text, encoding="utf-8")
    came = attempt(exercise, file, seed=3)
    assert [each.ok for each in came.checks] == [False, False, False]
    first, *others = (each.fix for each in came.checks)
    assert "without running the file" in first
    assert others == ["", ""]


def test_same_seed_draws_the_same_point(small_course: Course) -> None:
    exercise = small_course.exercise("2/1")
    first, again, other = (
        attempt(exercise, exercise.starter, seed=seed).checks[0].what for seed in (5, 5, 6)
    )
    assert first == again != other


def test_pasted_constant_fails(small_course: Course, tmp_path: Path) -> None:
    """The right value at one point is wrong at the next point."""
    file = tmp_path / "pasted.py"
    curve = "def curve(x):\n    return x * x\n"
    pasted = "def slope(x):\n    return tf.constant([2.0, 2.0, 2.0])\n"
    file.write_text(f"import minitape as tf\n{curve}{pasted}")
    came = attempt(small_course.exercise("1/2"), file)
    assert came.failed is not None and came.failed.kind == "slope"


def test_function_that_hangs_or_exits_when_called_is_reported(
    small_course: Course, tmp_path: Path
) -> None:
    file = tmp_path / "odd.py"
    file.write_text("def f(x):\n    while True: pass\n")
    came = attempt(small_course.exercise("2/1"), file, limits=Limits(2.0))
    assert came.status is Status.TIMEOUT
    file.write_text("import sys\ndef f(x):\n    sys.exit('bye')\n")
    came = attempt(small_course.exercise("2/1"), file)
    assert came.failed is not None and "SystemExit: bye" in came.failed.what
    assert came.failed.fix == "line 3: sys.exit('bye')"


def test_many_files_are_tried_in_parallel(small_course: Course, small_course_folder: Path) -> None:
    requested = [
        AttemptRequest(each, small_course_folder / "solutions" / f"{each.id}.py")
        for each in small_course.exercises
    ]
    requested += [AttemptRequest(each, each.starter) for each in small_course.exercises]
    came = dict(attempts(requested, seed=2, jobs=2))
    assert [came[i].ok for i in range(6)] == [True] * 3 + [False] * 3


def test_closing_the_results_early_leaves_no_process(small_course: Course) -> None:
    requested = [AttemptRequest(each, each.starter) for each in small_course.exercises] * 3
    answers = attempts(requested, jobs=2)
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []

"""The engine, its explanations and the checks of the course work where NumPy is the only package."""

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parents[1]
ABSENT = (
    "msgspec",
    "psutil",
    "rich",
    "typer",
    "graphviz",
    "graphviz_pure",
    "threadpoolctl",
    "IPython",
)
PROGRAM = """
    import sys
    for name in {absent}:
        sys.modules[name] = None
    import numpy as np
    import minitape as tf

    tf.debug.record()
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = tf.constant(np.square(w.numpy())) + 0.0
    print(tape.explain(loss, w))
    print(tape.gradient(loss, w))
    print(tf.why(w))
    print(tf.debug.explain(tape, loss, w).ok)
"""
CHECKED = """
    import sys
    for name in {absent}:
        sys.modules[name] = None
    from pathlib import Path
    from minitape.course.attempts import attempt_here
    from minitape.course.course import course

    names = {names}
    for name in names:
        exercise = course().exercise(name)
        before = attempt_here(exercise, exercise.starter, seed=1)
        after = attempt_here(exercise, Path({solutions!r}) / f"{{exercise.id}}.py", seed=1)
        print(name, before.status, before.fails_with(exercise.starts_with), after.status)
"""


def ran(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", dedent(program)], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_none_gradient_is_explained() -> None:
    out = ran(PROGRAM.format(absent=ABSENT))
    assert out.count("minitape explain MT201") == 2
    assert out.endswith("False\n")


@pytest.mark.parametrize(
    "lessons", [("01/ex1", "01/ex2", "02/ex1"), ("06/ex1", "06/ex5", "09/ex4")]
)
def test_course_checks_run_in_the_same_process(lessons: tuple[str, ...]) -> None:
    solutions = str(ROOT / "tests" / "solutions")
    out = ran(CHECKED.format(absent=ABSENT, names=lessons, solutions=solutions))
    said = [line.split() for line in out.splitlines()]
    assert said == [[name, "failed", "True", "passed"] for name in lessons]


def test_explanation_is_the_same_with_and_without_msgspec() -> None:
    assert ran(PROGRAM.format(absent=ABSENT)) == ran(PROGRAM.format(absent=()))

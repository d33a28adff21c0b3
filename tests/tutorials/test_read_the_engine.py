"""Lesson 14 accepts right answers and refuses wrong ones, whichever numbers a seed draws."""

import math
import runpy
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from minitape.course.course import Exercise, lesson
from minitape.course.failing import Failed
from minitape.course.student import Draw

ROOT = Path(__file__).parents[2]
LESSON = lesson(ROOT / "tutorials" / "14_read_the_engine")
SOLUTIONS = ROOT / "tests" / "solutions" / LESSON.name
CHECKS = SimpleNamespace(**runpy.run_path(str(LESSON.folder / "checks.py")))
SEEDS = 200


@cache
def ran(path: Path) -> dict[str, Any]:
    """What a file leaves, as a module's names."""
    return runpy.run_path(str(path))


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.name)
def test_solution_passes_with_every_seed(exercise: Exercise) -> None:
    """A class shares one seed, so one seed that refuses the right answer refuses it to all of them."""
    student = SimpleNamespace(**ran(SOLUTIONS / f"{exercise.name}.py"))
    for place, check in enumerate(exercise.checks):
        for seed in range(SEEDS):
            getattr(CHECKS, check.function)(student, Draw(seed, place))


def test_chains_of_20000_draws_have_finite_slopes() -> None:
    """Without a limit for the input of exp, about one chain in a thousand overflows."""
    draw = Draw(0)
    slopes = [CHECKS.chain(draw)[2] for _ in range(20_000)]
    assert all(map(math.isfinite, slopes))
    assert max(map(abs, slopes)) < 1e6


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(("reversed(tape.records)", "tape.records"), id="first record first"),
        pytest.param(("rule(totals[y.id],", "rule(Value(1.0),"), id="each output is owed 1"),
        pytest.param(("= share", "= share * 1.0001"), id="shares that are a little wrong"),
        pytest.param(("[ybar * y]", "[ybar * a]"), id="another rule of exp"),
        pytest.param(("reversed(tape.records)", "tape.records[-1:]"), id="the last record alone"),
    ],
)
def test_wrong_backward_pass_is_rejected_with_nearly_every_seed(
    wrong: tuple[str, str], tmp_path: Path
) -> None:
    """Not with every one: four chains may have no exp, or only add."""
    text = (SOLUTIONS / "ex2_backward_pass.py").read_text(encoding="utf-8")
    assert wrong[0] in text
    file = tmp_path / "wrong.py"
    file.write_text(text.replace(*wrong), encoding="utf-8")
    student = SimpleNamespace(**ran(file))
    refused = 0
    for seed in range(SEEDS):
        try:
            CHECKS.walks_a_chain_back(student, Draw(seed, 0))
        except Failed:
            refused += 1
    assert refused >= 0.95 * SEEDS

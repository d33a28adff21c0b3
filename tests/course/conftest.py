"""A small course of two lessons, with solutions; and a course folder made of it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from courses import write_course

from minitape.course.workspace import Workspace, made


@pytest.fixture
def taught(tmp_path: Path) -> Path:
    """The folder of the course; its solutions are in `solutions`."""
    return write_course(tmp_path / "taught")


@pytest.fixture
def place(taught: Path, tmp_path: Path) -> Workspace:
    return made(tmp_path / "mine", taught, "full")


@pytest.fixture
def solve(taught: Path, place: Workspace) -> Callable[[str], Path]:
    """Put the solution of an exercise where the student's file is."""

    def solved(name: str) -> Path:
        exercise = place.course.exercise(name)
        file = place.file(exercise)
        file.write_bytes((taught / "solutions" / f"{exercise.id}.py").read_bytes())
        return file

    return solved

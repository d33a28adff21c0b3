"""A small course of two lessons, with solutions, and a course folder created from it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from courses import write_course

from minitape.course.workspace import Workspace, made


@pytest.fixture
def small_course_folder(tmp_path: Path) -> Path:
    """The folder of the course; its solutions are in `solutions`."""
    return write_course(tmp_path / "taught")


@pytest.fixture
def workspace(small_course_folder: Path, tmp_path: Path) -> Workspace:
    return made(tmp_path / "mine", small_course_folder, "full")


@pytest.fixture
def solve(small_course_folder: Path, workspace: Workspace) -> Callable[[str], Path]:
    """Copy the solution of an exercise to the student's file."""

    def solved(name: str) -> Path:
        exercise = workspace.course.exercise(name)
        file = workspace.file(exercise)
        file.write_bytes((small_course_folder / "solutions" / f"{exercise.id}.py").read_bytes())
        return file

    return solved

"""The examples on the page for authors are valid, and the page describes every kind of check."""

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from minitape.course.checks import AnyCheck
from minitape.course.course import lesson

PAGE = (Path(__file__).parents[2] / "docs" / "course.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```toml\n((?:.|\n)*?)```", PAGE)


def test_each_kind_of_check_has_a_valid_example() -> None:
    shown = [
        check
        for block in BLOCKS
        for exercise in [msgspec.toml.decode(block)["exercises"]]
        for check in (exercise["checks"] if isinstance(exercise, dict) else exercise[0]["checks"])
    ]
    kinds = {type(msgspec.convert(check, AnyCheck)) for check in shown}
    assert kinds == set(get_args(AnyCheck))


def test_example_lesson_is_valid(tmp_path: Path) -> None:
    (tmp_path / "lesson.toml").write_text(BLOCKS[0], encoding="utf-8")
    (exercise,) = lesson(tmp_path).exercises
    assert exercise.checks[0].kind == "prediction"


def test_example_check_function_works(tmp_path: Path) -> None:
    from minitape.course.failing import Failed
    from minitape.course.student import Draw, Student

    (code,) = re.findall(r"```python\n((?:.|\n)*?)```", PAGE)
    names: dict[str, Any] = {}
    exec(compile(code, "checks.py", "exec"), names)
    names["is_even"](Student({"f": lambda x: x * x}, (), None), Draw(1))
    with pytest.raises(Failed, match="differ"):
        names["is_even"](Student({"f": lambda x: x}, (), None), Draw(1))


def test_all_lesson_commands_are_documented() -> None:
    from minitape_cli.commands.lesson import app

    reported = re.findall(r"^\| `minitape lesson ([\w-]+)", PAGE, re.MULTILINE)
    assert sorted(reported) == sorted(str(command.name) for command in app.registered_commands)


def test_all_statuses_are_documented() -> None:
    from minitape.course.attempts import Status

    assert f"(`{' '.join(Status)}`)" in PAGE.replace("\n", " ")

"""Each command rejects files that block, are endless or exceed the memory, and names them, whenever they replace a script."""

import os
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from courses import write_course
from typer.testing import CliRunner

from minitape import storage
from minitape.course.workspace import Workspace
from minitape.run.program import of_file
from minitape.storage import read_file
from minitape.trace.reading import read
from minitape.unsupported.lookahead import missing_names
from minitape_cli.app import app
from minitape_cli.console import Terminal
from minitape_cli.lesson_watch import LessonWatch
from minitape_cli.running import is_trace

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes"),
]

Make = Callable[[Path], object]


def ten_gigabytes(path: Path) -> None:
    with path.open("wb") as student_file:
        student_file.truncate(10 * 2**30)  # a sparse file, which uses no disk space


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


# --- a large file, and a limit for traces ---

TAKE_TRACES = ("trace", "step --text", "graph", "html -o -", "explain")
TAKE_SCRIPTS = (*TAKE_TRACES, "run", "check", "compare")


@pytest.mark.parametrize(
    ("name", "most", "commands"),
    [
        ("a.py", 100, TAKE_SCRIPTS),
        ("b.ipynb", 100, TAKE_SCRIPTS),
        ("c.jsonl", 1024, TAKE_TRACES),
        ("d.json", 1024, TAKE_TRACES),
    ],
)
def test_each_command_rejects_a_file_of_ten_gigabytes(
    minitape: Any, tmp_path: Path, name: str, most: int, commands: tuple[str, ...]
) -> None:
    student_file = tmp_path / name
    ten_gigabytes(student_file)
    for words in (
        *([*command.split(), student_file] for command in commands),
        ["diff", student_file, student_file],
    ):
        ran = minitape(*words)
        assert (ran.exit_code, ran.stdout) == (2, ""), words
        assert f"{name}: this file is larger than {most} MB" in " ".join(ran.stderr.split()), words


def test_trace_of_more_than_a_gigabyte_is_not_read(tmp_path: Path) -> None:
    student_file = tmp_path / "run.jsonl"
    ten_gigabytes(student_file)
    with pytest.raises(OSError, match="larger than 1024 MB"):
        read(student_file)


# --- another file between check and open ---


@pytest.mark.parametrize("make", [os.mkfifo, endless])
@pytest.mark.parametrize("reads", [read_file, of_file, is_trace, read])
def test_file_replaced_after_its_check_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Make, reads: Callable[[Path], object]
) -> None:
    """The check finds a regular file; when it is opened, it is a pipe without a writer or an endless device."""
    student_file = tmp_path / "lesson"
    student_file.write_text("x = 1")
    really = storage.check_file

    def checked_and_replaced(path: Path, *most: int) -> None:
        really(path, *most)
        student_file.unlink()
        make(student_file)

    monkeypatch.setattr(storage, "check_file", checked_and_replaced)
    with pytest.raises(OSError, match=r"this is a (named pipe|device), not a regular file"):
        reads(student_file)


# --- the course ---

ODD = {
    os.mkfifo: "this is a named pipe, not a regular file",
    endless: "this is a device, not a regular file",
    os.mkdir: "this is a directory, not a file",
    ten_gigabytes: "this file is larger than 100 MB, the limit",
}


@pytest.fixture
def student_file(minitape: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A student's file in a course folder, which is the current folder."""
    monkeypatch.chdir(tmp_path)
    taught = write_course(tmp_path / "taught")
    assert minitape("lesson", "init", "mine", "--course", taught).exit_code == 0
    monkeypatch.chdir(tmp_path / "mine")
    return tmp_path / "mine" / "02_second" / "ex1_even.py"


def test_reset_replaces_an_unreadable_file_by_the_starter(
    minitape: Any, student_file: Path
) -> None:
    starter = student_file.read_text()
    for make in ODD:
        student_file.unlink()
        make(student_file)
        kind = student_file.lstat().st_mode
        ran = minitape("lesson", "reset", "2/1", "--yes")
        assert (ran.exit_code, student_file.read_text()) == (0, starter), make
        kept = Path(".minitape", "backup", "02_second")
        assert kind in {each.lstat().st_mode for each in kept.iterdir()}
        assert "your version is kept as" in ran.stderr


def test_course_commands_name_an_unreadable_file(minitape: Any, student_file: Path) -> None:
    for make, why in ODD.items():
        student_file.unlink() if not student_file.is_dir() else student_file.rmdir()
        make(student_file)
        for command in ("run", "see", "show", "hint", "list", "export"):
            arguments = () if command == "list" else ("2/1",)
            ran = minitape("lesson", command, *arguments)
            assert ran.exit_code != 70, (command, ran.stderr)
            if command in ("run", "see", "show", "export"):
                said = " ".join((ran.stdout + ran.stderr).split())
                assert "ex1_even.py" in said and why in said, (command, said)


def test_watch_names_an_unreadable_file_and_x_resets_it(minitape: Any, student_file: Path) -> None:
    starter = student_file.read_text()
    for make, why in ODD.items():
        student_file.unlink()
        make(student_file)
        ran = CliRunner().invoke(app, ["lesson", "watch", "2/1", "--manual"], input="x\nx\nq\n")
        assert ran.exit_code == 0, (make, ran.stderr)
        assert why in " ".join(ran.stderr.split())
        assert student_file.read_text() == starter
        assert "your version is kept as" in ran.stdout


def test_watched_file_that_becomes_a_pipe_is_named_and_runs_when_restored(
    student_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = Workspace(Path.cwd())
    watch = LessonWatch(place, place.course.exercise("2/1"), Terminal(), nullcontext)
    watch.begin()
    student_file.rename(student_file.with_name("before"))
    os.mkfifo(student_file)
    assert watch.look()
    assert "this is a named pipe, not a regular file" in capsys.readouterr().err
    assert not watch.look()
    student_file.unlink()
    student_file.write_text("1 / 0")
    assert watch.look()
    assert "ZeroDivisionError" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["lesson.toml", "checks.py", "ex1_even.py"])
def test_lint_names_an_unreadable_course_file(minitape: Any, tmp_path: Path, name: str) -> None:
    taught = write_course(tmp_path / "taught")
    student_file = taught / "02_second" / name
    student_file.unlink(missing_ok=True)
    os.mkfifo(student_file)
    ran = minitape("lesson", "lint", taught)
    assert ran.exit_code in (1, 2)
    said = " ".join((ran.stdout + ran.stderr).split())
    assert name in said and "this is a named pipe" in said


def test_module_that_is_a_pipe_does_not_block_the_search_for_names(
    tmp_path: Path,
) -> None:
    os.mkfifo(tmp_path / "helper.py")
    assert missing_names([("main.py", b"import tensorflow as tf\nimport helper\n")], tmp_path) == []

"""`minitape lesson` in a real terminal: saving a file, pressing keys, restoring the terminal."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from courses import SOLVED, write_course
from terminals import Screen

from minitape.course.workspace import Workspace, made
from minitape_cli.file_changes import Glimpse
from minitape_cli.lesson_watch import editor

pytestmark = pytest.mark.one_in(6)

_PATIENCE = 60  # seconds; each check starts a Python
Opener = Callable[..., Screen]


@pytest.fixture
def course_folder(tmp_path: Path) -> Workspace:
    return made(tmp_path / "mine", write_course(tmp_path / "taught"), "full")


@pytest.fixture
def open_lesson(course_folder: Workspace, tmp_path: Path) -> Iterator[Opener]:
    screens: list[Screen] = []

    def open_lesson(*args: str, **env: str) -> Screen:
        name = f"minitape-{os.getpid()}-{tmp_path.name}"
        folder = course_folder.folder
        screens.append(Screen(["lesson", *args], name, 100, 60, folder=folder, **env))
        return screens[-1]

    yield open_lesson
    for screen in screens:
        screen.close()


def test_saved_file_is_checked_and_keys_change_the_exercise(
    open_lesson: Opener, course_folder: Workspace
) -> None:
    screen = open_lesson()
    screen.shows("Which number will it be?", "`slope` is still open", "q quit", within=_PATIENCE)
    screen.press("h")
    screen.shows("hint 1 of 3", "a question")
    file = course_folder.file(course_folder.course.exercise("1/1"))
    file.write_text(file.read_text().replace(*SOLVED["01_first/ex1_guess"]))
    screen.shows("01/ex1 was saved", "the gradient is 6.0", "passed", "1 of 3", within=_PATIENCE)
    screen.press("n")
    screen.shows(
        "01/ex2  A lost gradient (2 of 3) ──",
        "the run still loses a gradient",
        "q quit",
        within=_PATIENCE,
    )
    screen.press("s")
    screen.shows("[left the tape] the break")
    screen.press("l")
    screen.shows("An even function", "✓ passed", "✗ tried")
    screen.press("q")
    screen.shows("ended with 0", "echo", "icanon")


def test_file_is_reset_after_a_second_x(open_lesson: Opener, course_folder: Workspace) -> None:
    file = course_folder.file(course_folder.course.exercise("1/1"))
    given = file.read_text()
    file.write_text(given.replace("...", "5.0"))
    screen = open_lesson("watch", "1/1")
    screen.shows("`slope = 5` is not what the program computes", "q quit", within=_PATIENCE)
    screen.press("x")
    screen.shows("press x again to restore the original file")
    screen.press("l")
    screen.shows("An even function")
    assert "5.0" in file.read_text()  # another key in between cancels the command
    screen.press("x")
    screen.press("x")
    screen.shows("your version is kept as", "`slope` is still open", within=_PATIENCE)
    assert file.read_text() == given


def test_ctrl_c_exits_and_restores_the_terminal(open_lesson: Opener) -> None:
    screen = open_lesson()
    screen.shows("q quit", within=_PATIENCE)
    screen.press("C-c")
    screen.shows("ended with 130", "echo", "icanon")


def test_editor_has_the_terminal_while_it_is_open(open_lesson: Opener, tmp_path: Path) -> None:
    script = tmp_path / "edit.sh"
    script.write_text("#!/bin/sh\necho editing $1\nread answer\necho $answer > $1\n")
    script.chmod(0o755)
    screen = open_lesson(EDITOR=str(script))
    screen.shows("q quit", within=_PATIENCE)
    screen.press("o")
    screen.shows("editing")
    screen.press("x", "=", "(", "Enter")
    screen.shows("01/ex1 was saved", "line 1 is not valid Python", within=_PATIENCE)


# --- without a terminal ---


def test_only_changed_text_counts_as_a_save(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("one")
    glimpse = Glimpse(file)
    assert not glimpse.is_new()
    os.utime(file, (1, 1))
    assert not glimpse.is_new()  # saved without a change
    file.write_text("another")
    assert glimpse.is_new()
    assert not glimpse.is_new()
    file.unlink()
    assert not glimpse.is_new()
    file.write_text("another")
    assert not glimpse.is_new()  # some editors replace the file
    file.write_text("more")
    assert glimpse.is_new()


def test_users_editor_takes_precedence(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setenv("EDITOR", "nano -l")
    monkeypatch.delenv("VISUAL", raising=False)
    assert editor(tmp_path / "a b.py", 3) == ["nano", "-l", str(tmp_path / "a b.py")]
    monkeypatch.setenv("VISUAL", "emacs")
    assert editor(Path("a.py"), 3) == ["emacs", "a.py"]
    monkeypatch.delenv("VISUAL")
    monkeypatch.delenv("EDITOR")
    code = tmp_path / "code"
    code.touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert editor(Path("a.py"), 3) == ["code", "--goto", "a.py:3"]

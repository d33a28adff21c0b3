"""Functions that read a script accept regular files up to a maximum size, and open nothing else."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from minitape.run.program import of_file, of_module
from minitape.storage import MOST_BYTES, check_file, read_file

posix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_link_to_a_pipe(path: Path) -> None:
    os.mkfifo(path.with_suffix(".pipe"))
    path.symlink_to(path.with_suffix(".pipe"))


def a_link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_directory(path: Path) -> None:
    path.mkdir()


def ten_gigabytes(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 * 2**30)  # a sparse file, which uses no disk space


NOT_SCRIPTS = [
    (a_pipe, "this is a named pipe, not a regular file"),
    (a_link_to_a_pipe, "this is a named pipe, not a regular file"),
    (a_link_to_a_device, "this is a device, not a regular file"),
    (a_directory, "this is a directory, not a file"),
    (ten_gigabytes, "this file is larger than 100 MB, the limit"),
]


@posix
@pytest.mark.timeout(10)
@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
@pytest.mark.parametrize(("make", "why"), NOT_SCRIPTS)
def test_error_names_file_that_is_not_a_script(
    tmp_path: Path, make: Callable[[Path], None], why: str, suffix: str
) -> None:
    file = tmp_path / f"lesson{suffix}"
    make(file)
    for read in (of_file, read_file, check_file):
        with pytest.raises(OSError) as refused:  # the reason is compared, too
            read(file)
        assert (refused.value.filename, refused.value.strerror) == (str(file), why)


def test_module_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "large_module.py").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(OSError, match="larger than 100 MB"):
        of_module("large_module")


@posix
def test_pipe_that_replaces_the_file_during_open_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first check finds a file, but the descriptor belongs to a pipe without a writer."""
    pipe, file = tmp_path / "pipe", tmp_path / "lesson.py"
    os.mkfifo(pipe)
    file.write_text("x = 1")
    really = os.open
    monkeypatch.setattr(os, "open", lambda _, flags: really(pipe, flags))
    with pytest.raises(OSError, match="named pipe"):
        read_file(file)


def test_file_that_grows_while_being_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "lesson.py"
    file.write_text("x = 1")
    monkeypatch.setattr("minitape.storage._check_stat", lambda *_: None)
    with pytest.raises(OSError, match="larger than"):
        read_file(file, most=4)
    assert read_file(file, most=5) == b"x = 1"


def test_file_of_maximum_size_is_read(tmp_path: Path) -> None:
    file = tmp_path / "lesson.py"
    file.write_bytes(b"#" * 8)
    assert read_file(file, most=8) == b"#" * 8
    assert stat.S_ISREG(file.stat().st_mode)
    assert MOST_BYTES > 50_000 * 200  # 50,000 lines

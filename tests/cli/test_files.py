"""What commands write: whole or not at all, and never over what they read."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from minitape_cli import console


@pytest.mark.parametrize("command", ["trace", "explain"])
def test_the_script_itself_is_never_overwritten(minitape: Any, lost: Path, command: str) -> None:
    before = lost.read_text()
    ran = minitape(command, lost, "-o", lost, "--as-tensorflow")
    assert ran.exit_code == 2
    assert lost.read_text() == before


def test_not_through_a_link_either(minitape: Any, lost: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(lost)
    before = lost.read_text()
    assert minitape("trace", lost, "-o", link, "--as-tensorflow").exit_code == 2
    assert lost.read_text() == before


def test_a_missing_folder_is_told_before_the_script_runs(
    minitape: Any, written: Any, tmp_path: Path
) -> None:
    ran = minitape("trace", written("print('ran')\n"), "-o", tmp_path / "no" / "t.txt")
    assert ran.exit_code == 2
    assert "does not exist" in " ".join(ran.stderr.split())
    assert "ran\n" not in ran.stderr


def test_a_write_that_fails_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = tmp_path / "t.svg"
    to.write_text("old")

    def fail(self: Path, target: Path) -> Path:
        raise OSError("the disk is full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="full"):
        console.write(b"new", to, terminal=console.Terminal())
    assert to.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["t.svg"]


def test_a_new_file_has_the_rights_of_any_other(tmp_path: Path) -> None:
    """A temporary file is for its owner only; the result must not stay so."""
    (tmp_path / "other").touch()
    console.write(b"x", tmp_path / "t.svg", terminal=console.Terminal(quiet=True))
    assert (tmp_path / "t.svg").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    console.write(b"new", link, terminal=console.Terminal(quiet=True))
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """The same holds for /dev/null, which is a bad thing to lose."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        console.write(b"new", pipe, terminal=console.Terminal(quiet=True))
        assert pipe.is_fifo()
        assert read.result(timeout=10) == b"new"


def test_a_dash_is_stdout(minitape: Any, lost: Path) -> None:
    plain = minitape("explain", lost, "--as-tensorflow")
    dashed = minitape("explain", lost, "-o", "-", "--as-tensorflow")
    assert dashed.stdout == plain.stdout

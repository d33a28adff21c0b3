"""Commands write files completely or not at all, and never overwrite their input."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from minitape_cli import console


@pytest.mark.parametrize("command", ["trace", "explain"])
def test_script_is_never_overwritten(minitape: Any, none_script: Path, command: str) -> None:
    before = none_script.read_text()
    ran = minitape(command, none_script, "-o", none_script, "--as-tensorflow")
    assert ran.exit_code == 2
    assert none_script.read_text() == before


def test_script_is_not_overwritten_through_a_link(
    minitape: Any, none_script: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(none_script)
    before = none_script.read_text()
    assert minitape("trace", none_script, "-o", link, "--as-tensorflow").exit_code == 2
    assert none_script.read_text() == before


def test_missing_folder_is_reported_before_the_script_runs(
    minitape: Any, write_script: Any, tmp_path: Path
) -> None:
    ran = minitape("trace", write_script("print('ran')\n"), "-o", tmp_path / "no" / "t.txt")
    assert ran.exit_code == 2
    assert "does not exist" in " ".join(ran.stderr.split())
    assert "ran\n" not in ran.stderr


def test_failed_write_leaves_only_the_old_file(
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


def test_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    """A temporary file is readable only by its owner, but the final file must not be."""
    (tmp_path / "other").touch()
    console.write(b"x", tmp_path / "t.svg", terminal=console.Terminal(quiet=True))
    assert (tmp_path / "t.svg").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    console.write(b"new", link, terminal=console.Terminal(quiet=True))
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """The same applies to /dev/null, which must not be replaced either."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        console.write(b"new", pipe, terminal=console.Terminal(quiet=True))
        assert pipe.is_fifo()
        assert read.result(timeout=10) == b"new"


def test_dash_is_stdout(minitape: Any, none_script: Path) -> None:
    plain = minitape("explain", none_script, "--as-tensorflow")
    dashed = minitape("explain", none_script, "-o", "-", "--as-tensorflow")
    assert dashed.stdout == plain.stdout

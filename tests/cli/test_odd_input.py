"""What a new user gets wrong, and odd surroundings: always words, never our traceback."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

pytestmark = pytest.mark.one_in(5)

COMMANDS = ("run", "trace", "graph", "explain", "check")

# Each with the exit code of `run`, and of the commands that want to see a tape.
SCRIPTS = {
    "empty": ("", 0, 6),
    "binary": ("\x00\x01", 3, 3),
    "unfinished": ("x = (\n", 3, 3),
    "leaves": ("raise SystemExit('bye')\n", 3, 3),
    "recursion": ("def f(n): return f(n + 1)\nf(0)\n", 3, 3),
    "missing module": ("import there_is_no_such_module\n", 3, 3),
    "interrupted": ("raise KeyboardInterrupt\n", 130, 130),
    "reads": ("input()\n", 3, 3),
    "unknown name": ("import minitape as tf\ntf.matmull\n", 3, 3),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", SCRIPTS)
def test_an_odd_script_ends_with_a_code_and_without_our_frames(
    minitape: Any, written: Any, command: str, name: str
) -> None:
    text, of_run, of_others = SCRIPTS[name]
    ran = minitape(command, written(text, name=f"ein {name} größe.py"))
    assert ran.exit_code == (of_run if command == "run" else of_others)
    assert "this is a bug in minitape" not in ran.stderr
    assert "minitape_cli" not in ran.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("path", "words"),
    [("nothing.py", "no file or example named"), (".", "is a folder; name a script in it")],
)
def test_a_path_without_a_script_is_a_wrong_usage(
    minitape: Any, command: str, path: str, words: str
) -> None:
    ran = minitape(command, path)
    assert ran.exit_code == 2
    assert words in " ".join(ran.stderr.split())


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no /dev/null here")
def test_a_device_is_no_script(minitape: Any) -> None:
    assert "is not a file that can be run" in " ".join(minitape("run", "/dev/null").stderr.split())


def test_a_run_without_a_tape_has_an_empty_trace(minitape: Any, written: Any) -> None:
    assert "The script opened no tape" in minitape("trace", written("")).stdout


@pytest.mark.parametrize("folder", ["trace", "explain", "check", "graph"])
def test_a_folder_that_cannot_be_written_to_is_told(
    minitape: Any, healthy: Path, tmp_path: Path, folder: str
) -> None:
    to = tmp_path / "there is none" / "out.svg"
    ran = minitape(folder, healthy, "-o", to, "--as-tensorflow")
    assert ran.exit_code == 2
    assert "does not exist" in " ".join(ran.stderr.split())


@pytest.mark.parametrize("width", ["20", "40", "72", "200"])
def test_the_check_fits_any_width(
    minitape: Any, healthy: Path, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    ran = minitape("check", healthy, "--as-tensorflow")
    assert ran.exit_code == 0
    assert "agrees" in ran.stdout.replace("\n", "")
    assert max(map(cell_len, ran.stdout.splitlines())) <= int(width)


def shell(command: str, **surroundings: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command.replace("minitape", f'"{sys.executable}" -m minitape_cli', 1),
        shell=True,
        capture_output=True,
        text=True,
        env=os.environ | surroundings,
        check=False,
    )


@pytest.mark.skipif(os.name == "nt", reason="this is how POSIX shells close a stream")
@pytest.mark.parametrize("stream", [">&-", "2>&-"])
def test_a_closed_stream_is_no_error(stream: str) -> None:
    ran = shell(f"minitape ops Mul {stream}")
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="`head` is POSIX")
def test_a_reader_that_leaves_is_no_error() -> None:
    ran = shell("minitape ops --json | head -c 10")
    assert (ran.stdout, ran.stderr) == ('{"schema":', "")


def test_an_ascii_terminal_gets_ascii() -> None:
    ran = shell("minitape ops Mul", PYTHONIOENCODING="ascii")
    assert ran.returncode == 0
    assert ran.stdout.isascii()

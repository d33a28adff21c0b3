"""Mistakes of new users and unusual environments always result in a message, and never in a traceback of minitape."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

pytestmark = pytest.mark.one_in(5)

COMMANDS = ("run", "trace", "graph", "explain", "check")

# Each entry has the exit code of `run`, and that of the commands that need a tape.
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
def test_odd_script_exits_with_a_code_and_without_minitape_frames(
    minitape: Any, write_script: Any, command: str, name: str
) -> None:
    text, of_run, of_others = SCRIPTS[name]
    ran = minitape(command, write_script(text, name=f"ein {name} größe.py"))
    assert ran.exit_code == (of_run if command == "run" else of_others)
    assert "this is a bug in minitape" not in ran.stderr
    assert "minitape_cli" not in ran.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("path", "words"),
    [("nothing.py", "no file or example named"), (".", "is a folder; name a script in the folder")],
)
def test_path_without_a_script_is_a_usage_error(
    minitape: Any, command: str, path: str, words: str
) -> None:
    ran = minitape(command, path)
    assert ran.exit_code == 2
    assert words in " ".join(ran.stderr.split())


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no /dev/null here")
def test_device_is_not_a_script(minitape: Any) -> None:
    assert "is not a file that can be run" in " ".join(minitape("run", "/dev/null").stderr.split())


def test_run_without_a_tape_has_an_empty_trace(minitape: Any, write_script: Any) -> None:
    assert "The script opened no tape" in minitape("trace", write_script("")).stdout


@pytest.mark.parametrize("folder", ["trace", "explain", "check", "graph"])
def test_read_only_folder_is_reported(
    minitape: Any, healthy_script: Path, tmp_path: Path, folder: str
) -> None:
    to = tmp_path / "there is none" / "out.svg"
    ran = minitape(folder, healthy_script, "-o", to, "--as-tensorflow")
    assert ran.exit_code == 2
    assert "does not exist" in " ".join(ran.stderr.split())


@pytest.mark.parametrize("width", ["20", "40", "72", "200"])
def test_verify_output_fits_any_width(
    minitape: Any, healthy_script: Path, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    ran = minitape("check", healthy_script, "--as-tensorflow")
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
def test_closed_stream_is_not_an_error(stream: str) -> None:
    ran = shell(f"minitape ops Mul {stream}")
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="`head` is POSIX")
def test_closed_pipe_reader_is_not_an_error() -> None:
    ran = shell("minitape ops --json | head -c 10")
    assert (ran.stdout, ran.stderr) == ('{"schema":', "")


def test_ascii_terminal_gets_ascii() -> None:
    ran = shell("minitape ops Mul", PYTHONIOENCODING="ascii")
    assert ran.returncode == 0
    assert ran.stdout.isascii()

"""Colors, characters, pipes, start-up: how the command behaves as a process."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.one_in(3)

ESCAPE = "\x1b"


def process(*args: object, **env: str) -> subprocess.CompletedProcess[bytes]:
    """The command line in its own process."""
    command = [sys.executable, "-m", "minitape_cli", *map(str, args)]
    surroundings = os.environ | {"PYTHONIOENCODING": "utf-8"} | env
    return subprocess.run(command, capture_output=True, env=surroundings, check=False)


def test_pipe_gets_no_colors(minitape: Any, none_script: Path) -> None:
    assert ESCAPE not in minitape("explain", none_script, "--as-tensorflow").stdout


def test_colors_can_be_forced(minitape: Any, none_script: Path) -> None:
    ran = minitape("explain", none_script, "--as-tensorflow", "--color", "always")
    assert f"{ESCAPE}[1;31merror[MT201]" in ran.stdout


@pytest.mark.parametrize(("name", "colored"), [("NO_COLOR", False), ("FORCE_COLOR", True)])
def test_standard_color_variables_are_respected(
    minitape: Any, none_script: Path, monkeypatch: pytest.MonkeyPatch, name: str, colored: bool
) -> None:
    monkeypatch.setenv(name, "1")
    assert (ESCAPE in minitape("explain", none_script, "--as-tensorflow").stdout) is colored


def test_color_is_never_the_only_information(minitape: Any, none_script: Path) -> None:
    """Without the escapes, the colored output equals the plain output, character by character."""
    import re

    colored = minitape("explain", none_script, "--as-tensorflow", "--color", "always").stdout
    plain = minitape("explain", none_script, "--as-tensorflow", "--color", "never").stdout
    lines = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", colored).splitlines()]
    assert lines == plain.splitlines()


def test_ascii_stream_gets_ascii(none_script: Path) -> None:
    ran = process("explain", none_script, "--as-tensorflow", PYTHONIOENCODING="ascii")
    assert ran.returncode == 1
    text = ran.stdout.decode("ascii")
    assert "path: w > Square:7 cut" in text


def test_closed_pipe_reader_is_not_an_error(loop_script: Path) -> None:
    command = [sys.executable, "-m", "minitape_cli", "trace", str(loop_script), "--format", "jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as ran:
        assert ran.stdout is not None and ran.stderr is not None
        ran.stdout.close()
        said = ran.stderr.read()
    assert (ran.returncode, said) == (0, b"")


def test_version_is_printed_before_heavy_imports() -> None:
    code = (
        "import sys; sys.argv = ['minitape', '--version']; import minitape_cli;"
        "minitape_cli.main(); print([m for m in ('typer', 'rich', 'numpy') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, modules = ran.stdout.splitlines()
    assert version.startswith("minitape ")
    assert modules == "[]"


def test_minitape_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "minitape", "--version"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("minitape ")


def test_bare_minitape_lists_what_to_do(minitape: Any) -> None:
    ran = minitape()
    assert ran.exit_code == 0
    assert "minitape explain SCRIPT" in ran.stdout


def test_misspelled_command_gets_a_suggestion(minitape: Any) -> None:
    ran = minitape("explian")
    assert ran.exit_code == 2
    assert "explain" in ran.stderr


def test_internal_error_is_reported_as_a_bug(
    minitape: Any, none_script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("impossible")

    monkeypatch.setattr("minitape_cli.running.run", broken)
    ran = minitape("explain", none_script)
    assert ran.exit_code == 70
    assert "bug in minitape" in ran.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(minitape: Any, shell: str) -> None:
    ran = minitape("completion", shell)
    assert ran.exit_code == 0
    assert "_MINITAPE_COMPLETE" in ran.stdout


def test_completion_completes() -> None:
    ran = process(_MINITAPE_COMPLETE="complete_bash", COMP_WORDS="minitape expl", COMP_CWORD="1")
    assert ran.stdout.decode().split() == ["explain"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_interrupt_shows_what_ran(none_script: Path) -> None:
    none_script.write_text(
        none_script.read_text() + "import time\nprint('ready', flush=True)\ntime.sleep(60)\n"
    )
    command = [sys.executable, "-m", "minitape_cli", "explain", str(none_script), "--as-tensorflow"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as ran:
        assert ran.stderr is not None
        while "ready" not in ran.stderr.readline():
            assert ran.poll() is None
        ran.send_signal(signal.SIGINT)
        out, _ = ran.communicate(timeout=20)
    assert ran.returncode == 130
    assert "error[MT201]" in out

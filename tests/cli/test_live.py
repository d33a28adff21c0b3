"""The output while a script runs, and the output that remains after it was stopped."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from minitape.trace import events
from minitape.trace.reading import read
from minitape_cli import progress
from minitape_cli.progress import ProgressLine

pytestmark = pytest.mark.one_in(5)

ENDLESS = """\
import minitape as tf

w = tf.Variable(1.0)
while True:
    with tf.GradientTape() as tape:
        loss = tf.square(w)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    print("round", flush=True)
"""


def test_each_forward_and_backward_event_has_a_line(minitape: Any, healthy_script: Path) -> None:
    ran = minitape("trace", healthy_script, "--live", "--as-tensorflow")
    assert ran.exit_code == 0
    lines = [" ".join(line.split()) for line in ran.stdout.splitlines()]
    assert "7 #1 Square w → 4.0 keeps w" in lines
    assert "8 back 2 of 3 #2 Square 1.0 → y: 8.0" in lines
    assert lines.index("10 tape.gradient(loss, w)") < lines.index("10 d loss / d w = 32.0")


def test_lines_appear_while_the_script_runs(write_script: Any) -> None:
    """Here, stdout and the script's output are in one file, in chronological order."""
    script = write_script(
        """\
        import minitape as tf
        x = tf.constant(1.0)
        y = tf.exp(x)
        tf.debug.note("here")
        print("after exp", flush=True)
        z = tf.sin(y)
        """
    )
    ran = subprocess.run(
        [sys.executable, "-m", "minitape_cli", "trace", str(script), "--live"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    both = ran.stdout
    assert both.index("Exp") < both.index("after exp") < both.index("Sin")


def test_saved_trace_prints_the_same_lines(
    minitape: Any, none_script: Path, tmp_path: Path
) -> None:
    to = tmp_path / "t.jsonl"
    live = minitape("trace", none_script, "--live", "-o", to, "--as-tensorflow").stdout
    assert live
    assert minitape("trace", to, "--live").stdout == live


def test_live_jsonl_is_the_trace(minitape: Any, none_script: Path, tmp_path: Path) -> None:
    to = tmp_path / "t.jsonl"
    minitape("trace", none_script, "-o", to, "--as-tensorflow")
    ran = minitape("trace", none_script, "--live", "--format", "jsonl", "--as-tensorflow")
    assert ran.stdout == to.read_text()


def test_live_mode_rejects_a_single_json_object(minitape: Any, none_script: Path) -> None:
    ran = minitape("trace", none_script, "--live", "--json")
    assert ran.exit_code == 2
    assert "--format jsonl" in ran.stderr


@pytest.mark.parametrize("width", ["40", "60", "200"])
def test_lines_fit_the_terminal_width(
    minitape: Any, loop_script: Path, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    ran = minitape("trace", loop_script, "--live")
    assert max(map(cell_len, ran.stdout.splitlines())) <= int(width)
    assert "\x1b" not in ran.stdout


# --- Ctrl-C ---

needs_signals = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")


@pytest.fixture
def start_endless_script(write_script: Any, tmp_path: Path) -> Iterator[Any]:
    """Start a command on an endless script, and return when it is running; stdout goes to the file `shown`."""
    script = write_script(ENDLESS, "endless.py")
    running = []
    shown = (tmp_path / "shown").open("w")

    def start(command: str, *args: object) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "minitape_cli", command, str(script), *map(str, args)),
                *("--timeout", "0", "--max-ops", "0"),
            ],
            stdout=shown,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        assert process.stderr is not None
        for _ in range(20):
            assert process.stderr.readline() == "round\n"
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()
    shown.close()


@needs_signals
def test_ctrl_c_keeps_what_ran_and_writes_a_complete_file(
    start_endless_script: Any, tmp_path: Path
) -> None:
    to = tmp_path / "t.jsonl"
    process = start_endless_script("trace", "-o", to)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Interrupted" in said
    assert "Traceback" not in said
    trace = read(to)
    assert isinstance(trace.events[-1], events.EndEvent)
    assert len(trace.of(events.GradientEvent)) >= 20
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@needs_signals
def test_ctrl_c_ends_a_live_trace_with_a_complete_line(
    start_endless_script: Any, tmp_path: Path
) -> None:
    process = start_endless_script("trace", "--live", "--format", "jsonl")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    reported = [json.loads(line) for line in (tmp_path / "shown").read_text().splitlines()]
    assert [event["i"] for event in reported] == list(range(len(reported)))
    assert reported[-1]["k"] == "end"


@needs_signals
@pytest.mark.parametrize("command", ["explain", "graph"])
def test_ctrl_c_in_other_commands_shows_what_ran(
    start_endless_script: Any, tmp_path: Path, command: str
) -> None:
    process = start_endless_script(command)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert "tape.gradient(loss, w)" in (tmp_path / "shown").read_text()


# --- progress ---


OP = events.OpEvent(0, 1, "Mul", [], {}, [], [], [], {}, [], None, at=None, stack=[])
GRADIENT = events.GradientEvent(
    1, 1, None, "gradient", [1], [2], "y", [], [], None, "none", 1, "", at=None, stack=[]
)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


def test_progress_of_a_long_run_is_shown_and_erased(clock: Clock) -> None:
    stream = io.StringIO()
    shown = ProgressLine(stream)
    shown.received(OP)
    assert stream.getvalue() == ""
    clock.now = 2.0
    shown.received(GRADIENT)
    assert stream.getvalue() == "\r\x1b[K2 s   1 ops   1 gradient calls"
    shown.clear()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_progress_gives_way_to_script_output(clock: Clock) -> None:
    stream = io.StringIO()
    shown = ProgressLine(stream)
    clock.now = 2.0
    shown.received(OP)
    print("half a line", end="", file=shown)  # type: ignore[arg-type]  # it has all that print needs
    assert stream.getvalue().endswith("calls\r\x1b[Khalf a line")
    clock.now = 4.0
    shown.received(OP)
    assert stream.getvalue().endswith("half a line")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize(("quiet", "is_shown"), [((), True), (("-q",), False)])
def test_progress_needs_a_terminal_and_no_quiet_option(
    write_script: Any, quiet: tuple[str, ...], is_shown: bool
) -> None:
    import pty

    script = write_script(
        """\
        import time
        import minitape as tf
        for _ in range(16):
            tf.constant(1.0) + 1.0
            time.sleep(0.1)
        """
    )
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "minitape_cli", "trace", str(script), *quiet]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, check=False)
    os.close(theirs)
    os.set_blocking(ours, False)
    try:
        said = os.read(ours, 100_000).decode()
    except OSError:  # nothing was written
        said = ""
    os.close(ours)
    assert ("gradient calls" in said) is is_shown
    assert b"gradient calls\r" not in ran.stdout

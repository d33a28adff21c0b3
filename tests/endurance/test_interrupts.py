"""Ctrl-C, and signals to the command itself, while a script runs.

A shell puts a command in a process group of its own, and Ctrl-C goes to all of that group. So it is done here.
"""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.one_in(12),
    pytest.mark.skipif(os.name == "nt", reason="Windows has no process groups to signal"),
]

INTERRUPTED, FINDING, LIMIT = 130, 1, 4
LOST = 13  # the line on which all rude scripts lose their first gradient
SOON = 4.0  # seconds: two that a stop may take, and two to write the answer while other tests run
TIMEOUT = 20


def wait_for(ready: Path, started: Any) -> None:
    """Until the script says that it has come to the point."""
    until = time.monotonic() + 15
    while not ready.exists():
        assert started.process.poll() is None, "the command ended before the script was ready"
        assert time.monotonic() < until, "the script did not get ready"
        time.sleep(0.02)


def ended_soon(started: Any) -> Any:
    """How the command ended after it was signalled."""
    signalled = time.monotonic()
    ran = started.ended(within=TIMEOUT)
    assert ran.code is not None, "the command did not end"
    assert time.monotonic() - signalled < SOON
    return ran


def interrupted(started: Any, ready: Path) -> None:
    wait_for(ready, started)
    os.killpg(started.process.pid, signal.SIGINT)


@pytest.mark.parametrize("script", ["loops", "sleeps_with_children"])
def test_ctrl_c_ends_the_script_and_the_finding_is_reported(
    script: str, explaining: Callable[..., Any], work_folder: Path
) -> None:
    started = explaining(script, "--timeout", TIMEOUT)
    interrupted(started, work_folder / "ready")
    ran = ended_soon(started)
    assert (ran.code, ran.lost) == (INTERRUPTED, [LOST])
    assert any("nterrupt" in each for each in ran.said)
    assert not ran.left
    assert not ran.our_frames


def test_script_that_catches_ctrl_c_runs_to_its_end(
    explaining: Callable[..., Any], work_folder: Path
) -> None:
    """Then the run was not interrupted: gradients that are None after it are reported as well."""
    started = explaining("survives_one_interrupt", "--timeout", TIMEOUT)
    interrupted(started, work_folder / "ready")
    ran = ended_soon(started)
    assert b"once is enough" in ran.stderr
    assert (ran.code, len(ran.lost)) == (FINDING, 2)
    assert not ran.left
    assert not ran.tracebacks


def test_script_that_ignores_ctrl_c_is_stopped_at_the_timeout(
    explaining: Callable[..., Any], work_folder: Path
) -> None:
    started = explaining("catches_interrupts", "--timeout", 3)
    interrupted(started, work_folder / "ready")
    ran = started.ended(within=3 + SOON)
    assert b"not now" in ran.stderr
    assert (ran.code, ran.lost) == (LIMIT, [LOST])
    assert any("--timeout" in each for each in ran.said)
    assert ran.seconds < 3 + SOON
    assert not ran.left
    assert not ran.our_frames


def test_script_reads_from_the_terminal_and_is_interrupted_there(
    explaining: Callable[..., Any], work_folder: Path
) -> None:
    """A real terminal: it converts the key to the signal for the foreground group, and only this group may read."""
    import fcntl
    import termios

    ours, theirs = os.openpty()

    def take_terminal() -> None:
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    started = explaining(
        "talks_to_a_terminal", "--timeout", TIMEOUT, stdin=theirs, preexec_fn=take_terminal
    )
    try:
        os.write(ours, b"hello\n")
        wait_for(work_folder / "ready", started)
        os.write(ours, b"\x03")
        ran = ended_soon(started)
    finally:
        os.close(theirs)
        os.close(ours)
    assert b"terminal: True answer: hello" in ran.stderr
    assert (ran.code, ran.lost) == (INTERRUPTED, [LOST])
    assert not ran.left
    assert not ran.our_frames


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_terminated_command_ends_its_script(
    name: str, explaining: Callable[..., Any], work_folder: Path
) -> None:
    started = explaining("sleeps_with_children", "--timeout", TIMEOUT)
    wait_for(work_folder / "ready", started)
    with suppress(ProcessLookupError):
        os.kill(started.process.pid, signal.Signals[name])
    ran = ended_soon(started)
    assert ran.code != 0
    assert not ran.left
    assert not ran.our_frames


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_command_started_with_an_ignored_signal_ignores_it(
    name: str, explaining: Callable[..., Any], work_folder: Path
) -> None:
    """By `nohup`, or by a shell's `&`: it goes on to its end, and the script with it."""
    number = signal.Signals[name]

    def ignore() -> None:
        signal.signal(number, signal.SIG_IGN)

    started = explaining("sleeps_with_children", "--timeout", 3, preexec_fn=ignore)
    wait_for(work_folder / "ready", started)
    os.killpg(started.process.pid, number)
    ran = started.ended(within=3 + SOON)
    assert (ran.code, ran.lost) == (LIMIT, [LOST])
    assert ran.seconds > 3
    assert not ran.left
    assert not ran.our_frames

"""How processes end: a process that reported its end is not killed, and the watchdog ends guarded processes."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from minitape.run.child.copies import Copy
from minitape.run.watchdog import process as watchdog

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has neither copies nor a watchdog")


@pytest.fixture
def idle() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that does nothing until it is ended."""
    with subprocess.Popen(
        [sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE
    ) as process:
        yield process
        process.kill()


def number(value: int) -> bytes:
    return value.to_bytes(8, "big", signed=True)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
@pytest.mark.parametrize(("parent", "code"), [("os.getppid()", 0), ("gone", -signal.SIGKILL)])
def test_process_whose_parent_has_gone_before_it_asked_the_kernel_ends(
    parent: str, code: int, idle: "subprocess.Popen[bytes]"
) -> None:
    idle.kill()
    idle.wait()
    program = f"import os; from minitape.run.child.tether import end_with; gone = {idle.pid}; end_with({parent})"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == code


def test_process_that_reported_its_end_is_not_killed(idle: "subprocess.Popen[bytes]") -> None:
    """Another process may have its id by then."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.send(number(idle.pid))
        copy = Copy(ours)
        theirs.send(number(3))
        assert copy.wait(10) == 3
    with pytest.raises(subprocess.TimeoutExpired):
        idle.wait(0.3)


def test_process_whose_parent_is_gone_is_killed(idle: "subprocess.Popen[bytes]") -> None:
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            theirs.send(number(idle.pid))
            copy = Copy(ours)
        assert copy.wait(10) < 0
    assert idle.wait(10) < 0


def test_watchdog_ends_guarded_but_not_released_processes(
    idle: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    folders = [tmp_path / "guarded", tmp_path / "released"]
    for folder in folders:
        folder.mkdir()
    nobody = 2**31 - 1  # no process has this id
    lines = [
        ("path", *sys.path),
        ("guard", idle.pid, str(folders[0])),
        ("guard", nobody, str(folders[1])),
        ("release", nobody),
    ]
    reported = "".join(f"{json.dumps(line)}\n" for line in lines)
    program = [sys.executable, "-I", "-S", str(watchdog.__file__)]
    assert subprocess.run(program, input=reported.encode(), check=False, timeout=60).returncode == 0
    assert idle.wait(10) < 0
    assert [folder.exists() for folder in folders] == [False, True]

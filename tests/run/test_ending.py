"""How processes end: a copy that says so is left alone, and the watchdog ends what was guarded."""

import json
import os
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


def test_a_copy_that_has_told_its_end_is_not_killed(idle: "subprocess.Popen[bytes]") -> None:
    """Its number may be that of another process by then."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.send(number(idle.pid))
        copy = Copy(ours)
        theirs.send(number(3))
        assert copy.wait(10) == 3
    with pytest.raises(subprocess.TimeoutExpired):
        idle.wait(0.3)


def test_a_copy_of_which_nobody_tells_any_more_is_killed(idle: "subprocess.Popen[bytes]") -> None:
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            theirs.send(number(idle.pid))
            copy = Copy(ours)
        assert copy.wait(10) < 0
    assert idle.wait(10) < 0


def test_the_watchdog_ends_what_is_guarded_and_not_what_was_let_go(
    idle: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    folders = [tmp_path / "guarded", tmp_path / "released"]
    for folder in folders:
        folder.mkdir()
    nobody = 2**31 - 1  # no process has that number
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

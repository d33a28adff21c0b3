"""SIGKILL of the command: it can do nothing any more, and its script ends all the same, with all that it has started.

Two mechanisms do it: the kernel, on Linux, and the watchdog, a process of its own. Each is tried with the other one switched off.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

pytestmark = [
    pytest.mark.one_in(4),
    pytest.mark.skipif(os.name == "nt", reason="Windows has no watchdog"),
]

SOON = 10.0  # seconds, of which an idle machine needs less than one
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the kernel has no such signal")

WITHOUT_KERNEL = """\
import ctypes, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG: none
"""
# A copy, a copy in a session of its own whose parent has gone, and a program: each writes its number down.
STARTS_OTHERS = """\
import os, subprocess, sys, time
from pathlib import Path
def note(number):
    Path(f"{number}.pid").touch()
note(os.getpid())
if os.fork() == 0:
    note(os.getpid())
    time.sleep(1000)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        note(os.getpid())
        time.sleep(1000)
    os._exit(0)
os.wait()
note(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"]).pid)
Path("ready").touch()
"""
SLEEPS = "import time\ntime.sleep(1000)\n"
SPINS = "while True:\n    pass\n"
NOTES = "import os\nopen(f'{os.getpid()}.pid', 'w').close()\n"
LOST = """\
import numpy as np
import minitape as tf
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(np.square(w))
tape.gradient(loss, w)
"""
IMPORT = "import minitape as tf\n"


def wait_until(is_so: Callable[[], object], what: str) -> None:
    until = time.monotonic() + 2 * SOON
    while not is_so():
        assert time.monotonic() < until, f"in time: {what}"
        time.sleep(0.02)


def noted(work_folder: Path, count: int) -> list[psutil.Process]:
    """The processes that have written their numbers down."""
    wait_until(
        lambda: len(list(work_folder.glob("**/*.pid"))) >= count, "the script says that it runs"
    )
    return [psutil.Process(int(each.stem)) for each in work_folder.glob("**/*.pid")]


def runs(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def all_end(processes: list[psutil.Process]) -> None:
    assert processes
    try:
        wait_until(lambda: not any(map(runs, processes)), "all processes end")
    finally:  # a test that fails leaves nothing running
        for each in processes:
            with suppress(psutil.NoSuchProcess):
                each.kill()


def watchdogs_of(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The watchdogs of a process and of those that it has started."""
    children = psutil.Process(process.pid).children(recursive=True)
    return [each for each in children if "watchdog/process.py" in " ".join(each.cmdline())]


def kill_watchdogs(process: subprocess.Popen[bytes]) -> None:
    watchdogs = watchdogs_of(process)
    assert watchdogs
    for each in watchdogs:
        each.kill()
    wait_until(lambda: not any(map(runs, watchdogs)), "the watchdogs end")


def empty(folder: Path) -> None:
    """Remove what only a watchdog would have removed."""
    for each in folder.iterdir():
        shutil.rmtree(each)


@pytest.fixture
def temporary(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The folder for temporary files; it has to be empty at the end."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    yield os.environ | {"TMPDIR": str(folder)}
    wait_until(lambda: not list(folder.iterdir()), "the folders of the run are removed")


@pytest.fixture
def start(work_folder: Path, temporary: dict[str, str]) -> Iterator[Callable[..., Any]]:
    """Start a command in the work folder."""
    started: list[subprocess.Popen[bytes]] = []

    def begin(*args: str, **options: Any) -> subprocess.Popen[bytes]:
        made = subprocess.Popen(
            [sys.executable, "-m", "minitape_cli", *args],
            cwd=options.pop("cwd", work_folder),
            env=temporary,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **options,
        )
        started.append(made)
        return made

    yield begin
    for each in started:
        each.kill()
        each.wait()
        if each.stdin is not None:
            each.stdin.close()


@pytest.mark.parametrize("ending", [SLEEPS, SPINS], ids=["sleeps", "spins"])
def test_script_and_its_processes_end_with_a_killed_command(
    ending: str, start: Callable[..., Any], work_folder: Path
) -> None:
    (work_folder / "a.py").write_text(IMPORT + STARTS_OTHERS + ending)
    command = start("explain", "a.py", "--timeout", "0")
    processes = noted(work_folder, 4)
    kill(command)
    all_end(processes)


def test_watchdog_alone_ends_the_processes(start: Callable[..., Any], work_folder: Path) -> None:
    """As on macOS, where the kernel has no such signal."""
    (work_folder / "a.py").write_text(IMPORT + WITHOUT_KERNEL + STARTS_OTHERS + SPINS)
    command = start("run", "a.py")
    processes = noted(work_folder, 4)
    kill(command)
    all_end(processes)


def test_signal_to_the_group_of_a_command_does_not_reach_the_watchdog(
    start: Callable[..., Any], work_folder: Path
) -> None:
    """As from an editor's stop button. A copy in a session of its own does not get the signal; the watchdog ends it."""
    (work_folder / "a.py").write_text(IMPORT + STARTS_OTHERS + SLEEPS)
    command = start("run", "a.py")
    processes = noted(work_folder, 4)
    os.killpg(command.pid, signal.SIGKILL)
    command.wait()
    all_end(processes)


@LINUX
def test_kernel_alone_ends_the_processes(
    start: Callable[..., Any], work_folder: Path, tmp_path: Path
) -> None:
    """For the script itself. What it has started is found by the watchdog only, and so are its folders."""
    (work_folder / "a.py").write_text(IMPORT + NOTES + SPINS)
    command = start("run", "a.py")
    processes = noted(work_folder, 1)
    kill_watchdogs(command)
    kill(command)
    all_end(processes)
    empty(tmp_path / "temporary")


def test_script_of_a_live_page_ends_with_its_command(
    start: Callable[..., Any], work_folder: Path
) -> None:
    (work_folder / "a.py").write_text(IMPORT + NOTES + SPINS)
    command = start("html", "a.py", "--watch", "--timeout", "0")
    processes = noted(work_folder, 1)
    kill(command)
    all_end(processes)


def test_watched_exercise_ends_with_its_command(
    start: Callable[..., Any], work_folder: Path
) -> None:
    assert start("lesson", "init", "course").wait(2 * SOON) == 0
    (work_folder / "course" / "01_first_gradient" / "ex2_slope_27.py").write_text(NOTES + SPINS)
    command = start("lesson", "watch", "01/ex2", cwd=work_folder / "course")
    processes = noted(work_folder, 1)
    kill(command)
    all_end(processes)


def test_worker_that_tries_a_fix_ends_with_its_command(
    start: Callable[..., Any], work_folder: Path
) -> None:
    """The script ends when it runs for the first time, and not when a worker runs it again."""
    again = f"if os.path.exists('first'):\n    {NOTES.splitlines()[-1]}\n    while True:\n        pass\n"
    (work_folder / "a.py").write_text(f"{LOST}import os\n{again}open('first', 'w').close()\n")
    command = start("explain", "a.py", "--check", "--timeout", "600")
    processes = noted(work_folder, 1)
    kill(command)
    all_end(processes)


@pytest.mark.parametrize(
    ("is_guarded", "has_kernel"),
    [(True, True), pytest.param(False, True, marks=LINUX), (True, False)],
    ids=["both", "kernel", "watchdog"],
)
def test_forked_processes_end_with_their_grading(
    is_guarded: bool,
    has_kernel: bool,
    start: Callable[..., Any],
    work_folder: Path,
    tmp_path: Path,
) -> None:
    """The command starts workers, these a process that copies itself, and a copy runs the file."""
    handed_in = tmp_path / "class" / "anna"
    handed_in.mkdir(parents=True)
    noting = f"import os\nopen({str(work_folder)!r} + f'/{{os.getpid()}}.pid', 'w')\n"
    text = noting + SPINS
    (handed_in / "ex2_slope_27.py").write_text(text if has_kernel else WITHOUT_KERNEL + text)
    command = start(
        "lesson", "grade", str(handed_in.parent), "--only", "01/ex2", "--timeout", "600"
    )
    processes = noted(work_folder, 1) + psutil.Process(command.pid).children(recursive=True)
    assert len(processes) > 3
    if not is_guarded:
        kill_watchdogs(command)
    kill(command)
    all_end(processes)
    if not is_guarded:
        empty(tmp_path / "temporary")


def test_watchdog_ends_when_its_command_ends(start: Callable[..., Any], work_folder: Path) -> None:
    (work_folder / "a.py").write_text(NOTES + "input()\n")
    command = start("run", "a.py")
    noted(work_folder, 1)
    (watchdog,) = watchdogs_of(command)
    command.stdin.write(b"\n")
    command.stdin.close()
    assert command.wait(2 * SOON) == 0
    wait_until(lambda: not runs(watchdog), "the watchdog ends")

"""Measures long work: memory, file descriptors, processes and time at the start, in the middle and at the end.

    python tests/endurance/endure.py ops 1000000      as many ops in one program, for run, explain and trace -o
    python tests/endurance/endure.py saves 20000      as many pages put up by a live server after as many saves
    python tests/endurance/endure.py html 500         as many saves of a script that `minitape html --watch` runs again
    python tests/endurance/endure.py lesson 500       as many runs of an exercise that is watched

`test_endure.py` takes a small sample of each.
"""

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import psutil

LONG = """\
import minitape as tf
x = tf.Variable(1.0)
for _ in range({} // 2):
    with tf.GradientTape() as tape:
        y = x * x + 1.0
tape.gradient(y, x)
"""
COMMANDS = ("run", "explain", "trace -o")


class Reading(NamedTuple):
    """The resources that a process uses at one moment."""

    done: int
    seconds: float
    megabytes: float
    descriptors: int
    processes: int


def read(done: int, began: float, pid: int | None = None) -> Reading:
    """Return the resources that a process uses now; by default, this process."""
    process = psutil.Process(pid)
    return Reading(
        done,
        round(time.monotonic() - began, 2),
        round(process.memory_info().rss / 2**20, 1),
        process.num_fds(),
        len(running(pid)),
    )


def running(pid: int | None = None) -> set[int]:
    """Return the running processes that a process has started, directly or indirectly."""
    found = set()
    for each in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if each.status() != psutil.STATUS_ZOMBIE:
                found.add(each.pid)
    return found


def measured(
    step: Callable[[int], None], count: int, warm: int = 5, pid: int | None = None
) -> Iterator[Reading]:
    """Repeat a step; return a reading after the first few repetitions, in the middle and at the end."""
    began = time.monotonic()
    for number in range(1, count + 1):
        step(number)
        if number in (warm, (count + warm) // 2, count):
            yield read(number, began, pid)


def ops(count: int) -> Iterator[tuple[str, Reading]]:
    """Run a program of this many ops; measure the peak memory of the command."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "long.py")
        script.write_text(LONG.format(count))
        for command in COMMANDS:
            name, *rest = command.split()
            to = [*rest, "out.jsonl"] if rest else []
            began, before = time.monotonic(), running()
            args = [sys.executable, "-m", "minitape_cli", name, "long.py", *to]
            limits = ["--max-ops", "0", "--timeout", "0", "--on", "minitape"]
            nowhere = subprocess.DEVNULL
            process = subprocess.Popen([*args, *limits], cwd=folder, stdout=nowhere, stderr=nowhere)
            seen, most = psutil.Process(process.pid), 0
            while process.poll() is None:
                with contextlib.suppress(psutil.Error):
                    most = max(most, seen.memory_info().rss)
                time.sleep(0.02)
            # 4: the recording was full before the end, as the command reports.
            assert process.returncode in (0, 4), f"{command} ended with {process.returncode}"
            taken, here = round(time.monotonic() - began, 2), read(count, began)
            left = len(running() - before)
            yield (
                command,
                here._replace(seconds=taken, megabytes=round(most / 2**20, 1), processes=left),
            )


def saves(count: int) -> Iterator[Reading]:
    """Save a file repeatedly; each save is detected and served as a page, which a client requests from time to time."""
    from minitape.html import shell
    from minitape_cli.serving.board import Board
    from minitape_cli.serving.saved import Saved
    from minitape_cli.serving.server import Server

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.py")
        file.write_text("")
        board, saved = Board(shell("a.py", 0)), Saved([file])
        with Server(board, 0) as server:

            def step(number: int) -> None:
                file.write_text(f"# {'x' * (number % 100)} {number}")
                os.utime(file, ns=(number, number))
                assert saved._look(), "a save was not seen"  # without the pause between two checks
                saved.also([file])
                board.put_up(shell("a.py", number, message="x" * 10_000))
                if number % 10 == 0:
                    with urllib.request.urlopen(server.exit_path.address) as answer:
                        answer.read()

            yield from measured(step, count, warm=min(count // 4, 500))


def html(count: int) -> Iterator[Reading]:
    """Save a script that `minitape html --watch` runs again after each save; the readings are those of the command."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "a.py")
        script.write_text(LONG.format(2))
        args = [sys.executable, "-m", "minitape_cli", "html", "a.py", "--watch"]
        with subprocess.Popen(
            args,
            cwd=folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        ) as command:
            said = command.stdout
            assert said is not None

            def step(number: int) -> None:
                assert "healthy" in said.readline(), "a run was not reported"
                if number % 10 == 0:
                    with urllib.request.urlopen(address) as answer:
                        answer.read()
                script.write_text(f"{LONG.format(2)}# {'x' * (number % 100)}\n")

            try:
                address = said.readline().partition(": ")[2].split()[0]
                yield from measured(step, count, warm=min(50, max(1, count // 3)), pid=command.pid)
            finally:
                command.send_signal(signal.SIGINT)


def lesson(count: int) -> Iterator[Reading]:
    """Save an exercise of the course repeatedly while it is watched."""
    from minitape.course.workspace import made
    from minitape_cli.console import Terminal
    from minitape_cli.lesson_watch import LessonWatch

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
        place = made(Path(folder, "course"), None, "full")
        exercise = place.course.exercise("01/ex2")
        file = place.file(exercise)
        starter = file.read_text()
        watch = LessonWatch(place, exercise, Terminal(), contextlib.nullcontext)

        def step(number: int) -> None:
            file.write_text(f"{starter}# {number}\n")
            assert watch.look(), "a save was not seen"
            said.seek(0)
            said.truncate()

        yield from measured(step, count, warm=min(5, max(1, count // 3)))


def main(what: str, count: int) -> None:
    """Print the readings, one per line."""
    if what == "ops":
        for command, reading in ops(count):
            print(command, reading, flush=True)
    else:
        for reading in {"saves": saves, "html": html, "lesson": lesson}[what](count):
            print(reading, file=sys.__stdout__, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

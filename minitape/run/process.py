"""Runs a script in a separate process, and receives its messages.

    run         runs a script once, as `python script.py` does

Even if the script damages its process, the messages sent before that are in the channel (`channel.py`). The process reads its job
from a file in `child/boot.py`, and does it in `child/main.py`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from minitape.errors import PythonError
from minitape.run.channel import SEGMENT, ChannelReader, make_segment
from minitape.run.child_processes import ChildProcesses
from minitape.run.ending import Ending, Limit
from minitape.run.jobs import BOOT, Companion, Job, laid_down
from minitape.run.options import RunOptions
from minitape.run.program import Program
from minitape.run.streams import Streams
from minitape.run.watchdog import guarding
from minitape.storage import storage_error, temporary_files
from minitape.trace.writing import seldom_searched

if TYPE_CHECKING:
    from minitape.run.child.copies import Copy, Warm
    from minitape.run.outcome import Run
    from minitape.run.received import RunReceiver
    from minitape.trace.events import Event

_SITE = Path(__file__).parent / "child" / "site"
START = 60.0  # seconds within which Python must start; from a network folder, importing NumPy alone can take 20
_START_FORGIVEN = 1.0  # the maximum number of these seconds that do not count toward the time limit
GRACE = 1.2  # seconds that a script gets after its limit to end normally, with its streams flushed
TICK = 0.005  # seconds between two checks
_CRASHED_ON_WINDOWS = 0xC0000000  # NTSTATUS values from this one on are errors
_INTERRUPT_DELAY = 0.3  # seconds within which a Ctrl-C should arrive in the script's process
_PATIENCE = 3  # the number of Ctrl-C after which a script that does not react is killed


def run(
    program: Program,
    argv: Sequence[str] = (),
    run_options: RunOptions = RunOptions(),  # noqa: B008  # frozen
    *,
    stdout: TextIO | None = None,
    stderr: TextIO | None = None,
    reads_stdin: bool = True,
    sink: Callable[[Event], None] | None = None,
    learned: Callable[[Ending], None] = lambda _: None,
    companion: Companion | None = None,
    meanwhile: Callable[[], None] = lambda: None,
    in_step: bool = False,
    warm: Warm | None = None,
    unwanted: Callable[[], bool] = lambda: False,
) -> Run:
    """Run a program and record it.

    Args:
        program: The program.
        argv: Its arguments, `sys.argv[1:]`.
        run_options: Limits, seed, and the Python that runs it.
        stdout: The stream for its standard output; None for that of this process.
        stderr: The stream for its standard error; None for that of this process.
        reads_stdin: Whether it inherits this process's standard input; else its input is empty.
        sink: Called with each event as it arrives.
        learned: Called during the run, with what is known about the ending, whenever more is known.
        companion: Runs in the script's process too.
        meanwhile: Called as soon as the process was created, while Python is still starting in it.
        in_step: Whether `sink` receives each event before the script's next output is passed on.
        warm: The warm process to copy; None starts a new Python.
        unwanted: Checked repeatedly while it runs; once it returns True, the run is ended as by Ctrl-C, but immediately.

    Raises:
        PythonError: the chosen Python cannot run the program.
        StorageError: the folder for temporary files has too little space to start the run.
    """
    in_step = in_step and os.name == "posix"  # Windows cannot wait for a pipe
    job = Job(program, tuple(argv), run_options, companion, in_step)
    streams = Streams(
        sys.stdout if stdout is None else stdout,
        sys.stderr if stderr is None else stderr,
        in_step=in_step,
        reads_stdin=reads_stdin,
    )
    with _Child(job, streams, warm, unwanted) as child, seldom_searched():
        meanwhile()
        # Importing the modules that read the trace takes time, so this is done while Python and NumPy start in the other process.
        from minitape.run.received import RunReceiver

        received = RunReceiver(sink, learned)
        ran = received.run(child.watched(received))
    return replace(ran, interrupts=child.interrupts)


class ProcessFolder:
    """The folder of a job's process, with the job and the messages; it is removed at the end.

    Args:
        job: The job.

    Raises:
        StorageError: the folder for temporary files has no space for it.
    """

    def __init__(self, job: Job) -> None:
        self.python = str(job.run_options.python or sys.executable)
        self.folder = laid_down(job)
        self._guarded: int | None = None
        try:
            with temporary_files():
                make_segment(self.folder, 0, SEGMENT)
        except BaseException:  # including Ctrl-C
            self.clean_up()
            raise
        self.reader = ChannelReader(self.folder)
        self.children = ChildProcesses()

    @property
    def boot(self) -> list[str]:
        """The command line of the job, if Python does not run the script directly."""
        return [self.python, str(BOOT), str(self.folder)]

    def begin(self, process: subprocess.Popen[bytes] | Copy) -> None:
        """Let the watchdog guard the process, which was just started."""
        self._guarded = process.pid
        guarding.guard(process.pid, self.folder)
        self.children.spare_others(process.pid)

    def end(self, process: subprocess.Popen[bytes] | Copy) -> None:
        """End the process and all processes that it has started."""
        self.empty(process)
        process.wait()

    def empty(self, process: subprocess.Popen[bytes] | Copy) -> None:
        """Do what `end` does, but without waiting, because a second signal may arrive during the wait."""
        # The children must be found first, because they become children of this process only some time after the process has
        # ended.
        self.children.look(process.pid)
        process.kill()
        self.children.end(process.pid)

    def clean_up(self) -> None:
        """Remove the folder, with everything that is left of the run."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._guarded is not None:
            guarding.release(self._guarded)


class _Child:
    """A process that does one job, from its start until its child processes have ended and its folder is removed."""

    def __init__(
        self, job: Job, streams: Streams, warm: Warm | None, unwanted: Callable[[], bool]
    ) -> None:
        self._run_options = job.run_options
        self._warm = warm
        self._unwanted = unwanted
        self._job = job
        self._streams = streams
        self._process_folder = ProcessFolder(job)
        self._heeding = contextlib.ExitStack()
        self._limit: Limit | None = None
        self._is_started = False
        self._is_hanging = False  # whether it was killed because it did not start in time
        self._reported_to_go: int | None = (
            None  # the signal that came before the script's process existed
        )
        self._until = float("inf")  # the time at which a script that was asked to end is killed
        self.interrupts = self._passed_on = 0
        self._interrupted_at = 0.0

    def __enter__(self) -> _Child:
        self._began = time.monotonic()
        # This comes first, because a signal that arrives while modules are still being imported is meant for the script too.
        self._heeding.enter_context(self._heeding_interrupts())
        try:
            self._process = self._streams.started(self._start)
        except OSError as error:
            self._heeding.close()
            self._process_folder.clean_up()
            raise PythonError(
                f"{self._process_folder.python} cannot be started: {error.strerror}.",
                fix="use `--python PATH` to name a working Python",
            ) from None
        self._is_started = True
        if self._reported_to_go is not None:
            self._terminated(self._reported_to_go, None)
        self._process_folder.begin(self._process)
        return self

    def __exit__(self, *_: object) -> None:
        self._process_folder.end(self._process)
        self._streams.end()
        self._heeding.close()
        self._process_folder.clean_up()

    def _start(self, stdin: int, stdout: int, stderr: int) -> subprocess.Popen[bytes] | Copy:
        if self._warm is None:
            return subprocess.Popen(
                self._command, stdin=stdin, stdout=stdout, stderr=stderr, env=self._surroundings
            )
        if stdin >= 0:
            return self._warm.copy(self._process_folder.folder, (stdin, stdout, stderr))
        with open(os.devnull, "rb") as nothing:  # noqa: PTH123
            return self._warm.copy(self._process_folder.folder, (nothing.fileno(), stdout, stderr))

    @property
    def _command(self) -> list[str]:
        program = self._job.program
        assert program is not None
        if program.is_script:
            return [self._process_folder.python, program.invoked, *self._job.argv]
        return self._process_folder.boot

    @property
    def _surroundings(self) -> dict[str, str]:
        """The environment variables; for a script, with minitape's entry point, which removes itself again."""
        assert self._job.program is not None
        if not self._job.program.is_script:
            return dict(os.environ)
        paths = filter(None, (str(_SITE), os.environ.get("PYTHONPATH")))
        return os.environ | {
            "PYTHONPATH": os.pathsep.join(paths),
            "MINITAPE_JOB": str(self._process_folder.folder),
        }

    # --- while it runs ---

    def watched(self, received: RunReceiver) -> Ending:
        """Receive its messages until it ends, and stop it at its limits.

        Raises:
            PythonError: the process could not start.
        """
        while True:
            is_over = self._process.poll() is not None
            self._receive(received)
            if is_over:
                break
            self._stop_at_limits(received)
            self._pass_interrupts_on()
            self._wait(received)
        self._refuse(has_begun=received.has_begun)
        return self._ended(received)

    def _receive(self, received: RunReceiver) -> None:
        had_begun, was_over = received.has_begun, received.ending is not None
        for message in self._process_folder.reader.new():
            received.take(message)
        if received.has_begun and not had_begun:  # the time for starting Python does not count
            self._began = min(time.monotonic(), self._began + _START_FORGIVEN)
        if received.ending is not None and not was_over and self._job.companion is not None:
            self._began = time.monotonic()  # the companion's work has its own time limit

    def _wait(self, received: RunReceiver) -> None:
        """Wait for a moment."""
        if self._job.in_step:
            self._streams.pass_on(TICK, before=lambda: self._receive(received))
        else:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(TICK)

    def _stop_at_limits(self, received: RunReceiver) -> None:
        """At its limit, ask the script to end as by Ctrl-C; a little later, kill it."""
        now = time.monotonic()
        if self._unwanted():
            self._limit = Limit.INTERRUPT
            self._end_all()
        if not received.has_begun:
            if now > self._began + START:
                self._is_hanging = True
                self._end_all()
            return
        if self._limit is None and self._is_late(now - received.forgiven):
            self._limit, self._until = Limit.TIME, now + GRACE
            # During Python's shutdown an exception would have no effect, and the last message may already be written.
            if received.ending is None and os.name == "posix":
                self._process.send_signal(signal.SIGINT)
            else:
                self._end_all()
        most = self._run_options.max_memory
        if (
            most is not None
            and self._process_folder.children.memory(self._process.pid) > most << 20
        ):
            self._limit = Limit.MEMORY
            self._end_all()
        most_said = self._run_options.max_output
        if most_said is not None and self._streams.passed_on > most_said:
            self._limit = Limit.OUTPUT
            self._end_all()
        if self._limit is not None and now > self._until:
            self._end_all()

    def _is_late(self, now: float) -> bool:
        """Whether the time limit is exceeded; a script that continues untraced watches the time itself."""
        return (
            self._run_options.trace_calls is None
            and 0 < self._run_options.timeout < now - self._began
        )

    def _end_all(self) -> None:
        self._process_folder.children.look(self._process.pid)
        self._process.kill()

    def _pass_interrupts_on(self) -> None:
        """Pass on a Ctrl-C that did not come from a terminal, because possibly only this process has received it."""
        if self._passed_on < self.interrupts and not _is_in_front():
            if self._process_folder.reader.received >= self.interrupts:
                self._passed_on = self.interrupts
            elif time.monotonic() > self._interrupted_at + _INTERRUPT_DELAY:
                self._passed_on = self.interrupts
                if os.name == "posix":  # elsewhere, the console sends it to all processes
                    self._process.send_signal(signal.SIGINT)

    @contextlib.contextmanager
    def _heeding_interrupts(self) -> Iterator[None]:
        """Return a context in which Ctrl-C reaches both this process and the script from the terminal; the script may handle it
        in any way.

        A signal that this process was started to ignore, by `nohup` or by a shell's `&`, remains ignored, even by the script.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        handlers: dict[int, Callable[..., None]] = {signal.SIGINT: self._interrupted}
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                handlers[getattr(signal, name)] = self._terminated
        before = {
            number: signal.signal(number, each)
            for number, each in handlers.items()
            if signal.getsignal(number) is not signal.SIG_IGN
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _interrupted(self, *_: object) -> None:
        self.interrupts += 1
        self._interrupted_at = time.monotonic()
        if self.interrupts >= _PATIENCE and self._is_started:
            self._limit = Limit.INTERRUPT
            self._process.kill()

    def _terminated(self, number: int, _: object) -> None:
        """End the script first, because this process is being terminated."""
        if not self._is_started:
            self._reported_to_go = number
            return
        self._process_folder.empty(self._process)
        self._process_folder.clean_up()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    # --- when it is over ---

    def _refuse(self, *, has_begun: bool) -> None:
        """Report why the program was not run, unless it was stopped before it could start.

        Raises:
            PythonError: this Python cannot run it.
            StorageError: the disk became full before it started.
        """
        fault = self._process_folder.reader.fault
        if fault and not has_begun:
            raise storage_error(fault)
        note = self._process_folder.folder / "refused"
        why = note.read_text() if note.exists() else ""
        if why:
            raise _refusal(self._process_folder.python, why)
        if not has_begun and self._limit is None and not self.interrupts:
            status = self._process.wait()
            if status < 0 and not self._is_hanging:
                ended_by = f"signal {-status}"
                with contextlib.suppress(ValueError):
                    ended_by = signal.Signals(-status).name
                raise PythonError(
                    f"{self._process_folder.python} was killed ({ended_by}) before it ran the script.",
                    fix="run the command again; the system kills processes when memory is short",
                )
            failure = (
                f"did not start the script within {START:g} seconds."
                if self._is_hanging
                else "did not run the script: it is not a working Python."
            )
            raise PythonError(
                f"{self._process_folder.python} {failure}",
                fix="use `--python PATH` to name a working Python; `minitape doctor` shows the default",
            )

    def _ended(self, received: RunReceiver) -> Ending:
        """Return how it ended, from its own messages and from the exit status of its process."""
        code = self._process.wait()
        ending = received.ending or received.so_far
        fault = self._process_folder.reader.fault
        if fault:
            ending = ending.replace(storage=fault)
        limit = self._limit or ending.limit
        if limit is not None:
            return ending.replace(limit=limit)
        is_cut = received.ending is None and self.interrupts > 0  # before it could report the limit
        if code == -signal.SIGINT or is_cut:
            return ending.replace(limit=Limit.INTERRUPT)
        if code >= _CRASHED_ON_WINDOWS:
            return ending.replace(died=f"a crash (0x{code:X})", exit_code=code)
        if code < 0:
            names = {each.value: each.name for each in signal.Signals}
            return ending.replace(died=names.get(-code, f"signal {-code}"), exit_code=128 - code)
        if received.ending is not None or fault:
            return ending.replace(exit_code=code)
        return ending.replace(died=f"os._exit({code})", exit_code=code)


def _refusal(python: str, why: str) -> PythonError:
    """Return the error for a Python that has refused the job, from the message of `child/boot.py`."""
    if why == "numpy":
        error = PythonError(
            f"{python} has no NumPy, which minitape needs.",
            fix=f"run `{python} -m pip install numpy`",
        )
        error.lacks = why
    elif why == "tensorflow":
        error = PythonError(
            f"{python} has no TensorFlow, which `--on tensorflow` needs.",
            fix=f"run `{python} -m pip install tensorflow-cpu`, or use `--python PATH` to name a Python that has it",
        )
        error.lacks = why
    elif why == "unfit":
        error = PythonError(
            "This command needs minitape's engine, but the script runs on TensorFlow.",
            fix="use `--on minitape`",
        )
    else:
        error = PythonError(
            f"{python} is Python {why.removeprefix('old ')}; minitape needs 3.10 or later.",
            fix="use `--python PATH` to select a later version of Python",
        )
    return error


def _is_in_front() -> bool:
    """Whether this process is in the foreground of a terminal whose keys reach the script as well."""
    try:
        with open("/dev/tty", "rb") as terminal:  # noqa: PTH123
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except (OSError, AttributeError):
        return False

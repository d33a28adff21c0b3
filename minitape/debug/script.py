"""Run a user's script under a tracer: as `__main__`, with its own arguments, within limits.

    run         runs it and gives back a Run
    Run         the trace, and how the script ended
    Crash       the exception that ended it, told with the user's frames only
    Limit       what stopped it, if it did not come to its end

The script sees what `python script.py` would show it. Two things differ: a tracer listens, and
`import tensorflow` may be answered by minitape. Whatever was recorded before a crash or a limit
stays usable.
"""

import _thread
import ast
import contextlib
import importlib
import importlib.util
import linecache
import random
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, TextIO

import numpy as np

from minitape.core import events
from minitape.debug import source
from minitape.debug.listener import Tracer
from minitape.debug.live import Recording
from minitape.debug.program import Program, of_file
from minitape.debug.trace import Event, Trace


class Limit(StrEnum):
    """What stopped a script before its end."""

    TIME = "time"
    OPS = "ops"
    INTERRUPT = "interrupt"


@dataclass(frozen=True)
class Crash:
    """The exception that ended a script; `text` is the traceback through the user's own frames."""

    type: str
    message: str
    text: str
    file: str | None
    line: int | None


@dataclass(frozen=True)
class Run:
    """A run of a script: what was recorded, and how it ended.

    `error` is the exception that nobody caught, `limit` what stopped the script, `exit_code` what
    it gave to `sys.exit` (0 if it came to its end, 1 after an exception). `served` tells whether
    minitape answered `import tensorflow`, `went_elsewhere` whether TensorFlow itself did, so that
    nothing could be recorded.
    """

    trace: Trace
    error: Crash | None
    limit: Limit | None
    exit_code: int
    served: bool
    went_elsewhere: bool

    @property
    def ok(self) -> bool:
        return self.error is None and self.limit is None and self.exit_code == 0


def run(
    script: Path | str | Program,
    argv: Sequence[str] = (),
    *,
    as_tensorflow: bool = False,
    stdout: TextIO | None = None,
    timeout: float = 30,
    max_ops: int = 20_000,
    seed: int | None = None,
    sink: Callable[[Event], None] | None = None,
    instead: Sequence[ast.Module] | None = None,
) -> Run:
    """Run a script as `python script.py` does, and record what it did on its tapes.

    Args:
        script: What to run; a file may be a script or a notebook.
        argv: Its arguments, `sys.argv[1:]`.
        as_tensorflow: Answer `import tensorflow` with minitape even where TensorFlow is
            installed; where it is not, that happens anyway.
        stdout: Where the script's standard output goes; None leaves it where it is.
        timeout: Seconds after which the script is stopped; 0 for no limit.
        max_ops: The number of ops after which it is stopped; 0 for no limit.
        seed: Seeds Python's, NumPy's and minitape's random numbers before the script starts.
        sink: Called with each trace event as it comes.
        instead: What to run in place of each part's text; its lines are told as the file's.

    Raises:
        OSError: the script cannot be read.
        ValueError: a notebook is none.
    """
    program = script if isinstance(script, Program) else of_file(Path(script))
    parts = [(part.text, part.file) for part in program.parts]
    todo: list[tuple[bytes | ast.Module, str]] = [*parts]
    if instead is not None:
        todo = [(tree, file) for tree, (_, file) in zip(instead, parts, strict=True)]
    guard = _Guard(timeout, max_ops, sink)
    alias = _Alias(insist=as_tensorflow)
    version = str(importlib.import_module("minitape").__version__)
    tracer = Recording(guard, script=program.shown, argv=argv, seed=seed, version=version)
    guard.tracer = tracer
    error: Crash | None = None
    limit: Limit | None = None
    exit_code = 0
    with _as_main(program, argv) as module, alias, _written_to(stdout), _recordings_ended(), tracer:
        if seed is not None:
            _plant(seed)
        try:
            with guard:
                for text, file in todo:
                    exec(compile(text, file, "exec", dont_inherit=True), module.__dict__)
        except _Stop as stop:
            limit = stop.limit
        except KeyboardInterrupt:
            limit = Limit.INTERRUPT
        except SystemExit as leaving:
            exit_code = _exit_code(leaving)
        except BaseException as raised:
            error, exit_code = _crash(raised), 1
            tracer.fail(raised, _steps(raised))
        went_elsewhere = "tensorflow" in sys.modules and not alias.served
    return Run(tracer.trace, error, limit, exit_code, alias.served, went_elsewhere)


source.doorsteps.add(run.__code__)

# --- the script's surroundings ---


@contextlib.contextmanager
def _as_main(program: Program, argv: Sequence[str]) -> Iterator[ModuleType]:
    """`__main__`, `sys.argv`, `sys.path[0]` as the script expects them; then these, and how NumPy prints, as they were."""
    folder = program.folder
    module = ModuleType("__main__")
    module.__package__ = program.package
    if program.path is not None:
        module.__file__ = str(program.path)
    if program.is_notebook:
        module.__dict__["display"] = print
    linecache.checkcache()  # a file may have been edited since it was last run here
    for part in program.parts:
        part.remember()
    held = sys.modules["__main__"], sys.argv, list(sys.path)
    known = set(sys.modules)
    sys.modules["__main__"] = module
    sys.argv = [program.invoked, *argv]
    sys.path.insert(0, str(folder))
    try:
        with np.printoptions():
            yield module
    finally:
        sys.modules["__main__"], sys.argv, sys.path[:] = held
        # The next script may have a neighbour of the same name.
        for name in set(sys.modules) - known:
            if _lives_in(sys.modules[name], folder):
                del sys.modules[name]


def _lives_in(module: ModuleType, folder: Path) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and folder in Path(file).parents and source.is_users(file)


@contextlib.contextmanager
def _recordings_ended() -> Iterator[None]:
    """A script that says `tf.debug.record()` means: until my end."""
    before = events.listeners
    try:
        yield
    finally:
        for listener in events.listeners:
            if isinstance(listener, Recording) and listener not in before:
                listener.stop()


def _written_to(stream: TextIO | None) -> contextlib.AbstractContextManager[Any]:
    return contextlib.nullcontext() if stream is None else contextlib.redirect_stdout(stream)


def _plant(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed % 2**32)
    importlib.import_module("minitape.random").set_seed(seed)


class _Alias(MetaPathFinder, Loader):
    """Answers `import tensorflow`, and imports from inside it, with minitape's own modules."""

    def __init__(self, insist: bool) -> None:
        self.served = False
        self._insist = insist
        self._is_needed = False
        self._specs: dict[str, ModuleSpec | None] = {}
        self._held: dict[str, ModuleType] = {}

    def __enter__(self) -> None:
        self._is_needed = self._insist or importlib.util.find_spec("tensorflow") is None
        if self._is_needed:
            self._held = self._take_away()
            sys.meta_path.insert(0, self)

    def __exit__(self, *_: object) -> None:
        if self._is_needed:
            sys.meta_path.remove(self)
            self._take_away()
            sys.modules.update(self._held)

    @staticmethod
    def _take_away() -> dict[str, ModuleType]:
        names = [name for name in sys.modules if name.split(".")[0] == "tensorflow"]
        return {name: sys.modules.pop(name) for name in names}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.split(".")[0] != "tensorflow":
            return None
        return ModuleSpec(name, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        ours = "minitape" + spec.name.removeprefix("tensorflow")
        try:
            module = importlib.import_module(ours)
        except ModuleNotFoundError as error:
            if error.name is None or not ours.startswith(error.name):
                raise
            raise ModuleNotFoundError(
                f"minitape has no {spec.name}; `minitape explain MT902` tells what it has.",
                name=spec.name,
            ) from None
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has just written the alias's spec onto our module.
        alias = module.__spec__
        if alias is not None and alias.name in self._specs:
            module.__spec__ = self._specs[alias.name]
        self.served = True


# --- limits ---


class _Stop(BaseException):
    """A limit was reached. No Exception, so that a script's `except Exception` lets it through."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit


_TICK = 0.05  # seconds until a stop that came at a bad moment is tried again
_LINES = 13  # a stop that was caught is tried again up to so many lines later


class _Guard:
    """Stops the script at its limits: as the tracer's sink, and by the system's alarm clock.

    Ctrl-C is held back too while an event is being written, so that none is left half done.
    """

    tracer: Tracer

    def __init__(self, timeout: float, max_ops: int, sink: Callable[[Event], None] | None) -> None:
        self._timeout = timeout
        self._max_ops = max_ops
        self._sink = sink
        self._deadline = float("inf")
        self._before: Any = None
        self._stops = 0
        self._tracing: Any = None
        is_main = threading.current_thread() is threading.main_thread()
        self._has_alarm = timeout > 0 and hasattr(signal, "setitimer") and is_main
        self._has_keyboard = (
            is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        # Where a stop would leave a half-written event in the trace, or the alarm switched on.
        told = Tracer.tell, Tracer.hand_out, Tracer.note, Tracer.fail, _Guard.__exit__
        self._not_now = {each.__code__ for each in told}

    def __enter__(self) -> None:
        self._tracing = sys.gettrace()
        if self._timeout > 0:
            self._deadline = time.monotonic() + self._timeout
        if self._has_alarm:
            self._before = signal.signal(signal.SIGALRM, self._rang)
            signal.setitimer(signal.ITIMER_REAL, self._timeout, _TICK)
        if self._has_keyboard:
            signal.signal(signal.SIGINT, self._interrupted)

    def __exit__(self, *_: object) -> None:
        self._deadline = float("inf")
        if self._has_alarm:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
        if self._has_keyboard and signal.getsignal(signal.SIGINT) == self._interrupted:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self._stops > 1:
            sys.settrace(self._tracing)

    def __call__(self, event: Event) -> None:
        if self._sink is not None:
            self._sink(event)
        if event["k"] == "op" and 0 < self._max_ops < self.tracer.ops:
            raise self._stop(Limit.OPS, sys._getframe())
        if time.monotonic() > self._deadline:
            raise self._stop(Limit.TIME, sys._getframe())

    def _rang(self, _: int, running: FrameType | None) -> None:
        if not self._is_telling(running):  # else it rings again after a tick
            raise self._stop(Limit.TIME, running)

    def _interrupted(self, _: int, running: FrameType | None) -> None:
        if not self._is_telling(running):
            raise KeyboardInterrupt
        again = threading.Timer(_TICK, _thread.interrupt_main)
        again.daemon = True
        again.start()

    def _is_telling(self, frame: FrameType | None) -> bool:
        """Whether an event is being written, or the guard is about to leave."""
        while frame is not None:
            if frame.f_code in self._not_now:
                return True
            frame = frame.f_back
        return False

    def _stop(self, limit: Limit, frame: FrameType | None) -> _Stop:
        """The stop to raise; a script that catches everything has caught the one before."""
        self._stops += 1
        if self._stops > 1:
            self._insist(limit, frame)
        return _Stop(limit)

    def _insist(self, limit: Limit, frame: FrameType | None) -> None:
        """Stop the script a few lines further on, each time a few more: sooner or later outside of its `try`."""
        wait = self._stops % _LINES

        def trace(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal wait
            if not source.is_users(frame.f_code.co_filename):
                return None
            wait -= event == "line"
            if wait < 0:
                raise _Stop(limit)
            return trace

        sys.settrace(trace)
        while frame is not None:
            if source.is_users(frame.f_code.co_filename):
                frame.f_trace = trace
            frame = frame.f_back


# --- the end ---


def _exit_code(leaving: SystemExit) -> int:
    """What the shell would see; a message goes to stderr, as Python does it."""
    if leaving.code is None:
        return 0
    if isinstance(leaving.code, int):
        return leaving.code
    print(leaving.code, file=sys.stderr)
    return 1


def _steps(error: BaseException) -> tuple[source.Step, ...]:
    """The user's frames in which an exception came up, the outermost first."""
    steps: list[tuple[CodeType, int]] = []
    at = error.__traceback__
    while at is not None:
        if source.is_users(at.tb_frame.f_code.co_filename):
            steps.append((at.tb_frame.f_code, at.tb_lasti))
        at = at.tb_next
    return tuple(steps)


def _crash(error: BaseException) -> Crash:
    told = traceback.TracebackException.from_exception(error, compact=True)
    _leave_users_frames(told)
    frame = told.stack[-1] if told.stack else None
    file, line = (frame.filename, frame.lineno) if frame is not None else (None, None)
    if isinstance(error, SyntaxError) and error.filename is not None:
        file, line = error.filename, error.lineno
    return Crash(type(error).__name__, str(error), "".join(told.format()), file, line)


def _leave_users_frames(told: traceback.TracebackException) -> None:
    """Take our frames and the libraries' out of a traceback and of those it came from."""
    waiting: list[traceback.TracebackException | None] = [told]
    while waiting:
        each = waiting.pop()
        if each is None:
            continue
        users = [frame for frame in each.stack if source.is_users(frame.filename)]
        each.stack = traceback.StackSummary.from_list(users)
        waiting += [each.__cause__, each.__context__]

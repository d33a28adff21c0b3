"""The main module of the script's process. It does one job, and reports everything to the command over the channel.

    main        reads the job (`jobs.py`), and does it

The script is the real `__main__` here, so it may exit in any way, hang, crash, fork, and close or replace anything. The
messages sent before that remain in the channel.
"""

from __future__ import annotations

import ast
import atexit
import builtins
import errno
import io
import json
import linecache
import os
import pickle
import shutil
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr, suppress
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from minitape.core import listeners
from minitape.run import messages
from minitape.run.channel import Writer
from minitape.run.child import inside
from minitape.run.child.choice import EngineChoice
from minitape.run.child.crash import crash, steps
from minitape.run.child.limits import Guard, LimitReached
from minitape.run.child.tether import end_with
from minitape.run.ending import Ending, Limit
from minitape.run.jobs import Errand, Job
from minitape.run.program import Program
from minitape.trace.writing import EventDict
from minitape.tracer.tracer import Tracer

_MOMENT = 0.1  # seconds


def main(folder: str, refuse: Callable[[str, str], NoReturn]) -> int:
    """Do the job in the folder; return the exit code.

    If Python itself is about to run the script, this function only prepares the run, and the rest is done at exit. `refuse`
    reports to the waiting command why this Python cannot run it, and ends the process.
    """
    job: Job = pickle.loads(Path(folder, "job").read_bytes())
    end_with(job.parent)
    is_copy = job.copying is not None
    if job.copying is not None:
        from minitape.run.child.copies import serve

        copied = serve(job.copying)
        if copied is None:
            return 0
        folder = copied
        job = pickle.loads(Path(folder, "job").read_bytes())
    channel = Writer(Path(folder))
    _limit_memory(job.run_options.max_memory)
    if job.program is None:
        _run_errands(Path(folder), channel)
        return 0
    performance = _Performance(job, job.program, channel, Path(folder), partial(refuse, folder))
    performance.begin()
    return 0 if job.program.is_script and not is_copy else performance.run()


# --- one run, as the real __main__ ---


class _Performance:
    """The single run of a process, from the header to the last exit function that the script has registered."""

    def __init__(
        self,
        job: Job,
        program: Program,
        channel: Writer,
        folder: Path,
        refuse: Callable[[str], NoReturn],
    ) -> None:
        run_options = job.run_options
        self._job, self._program, self._channel, self._folder = job, program, channel, folder
        runs_on = run_options.trace_calls is not None
        self._guard = Guard(
            # If a limit stops the script, the command watches the time, because a timer here would conflict with the script's
            # own timers.
            run_options.timeout if runs_on else 0,
            run_options.max_ops,
            run_options.trace_calls,
            runs_on=runs_on,
            sink=self._receive,
            received=channel.receive,
            forgiven=lambda seconds: self._emit(forgiven=seconds),
        )
        self._tracer = self._guard.tracer = inside.tracer_of(
            program,
            job.argv,
            run_options.seed,
            self._guard,
            keep=False,
            forgiving=True,
            explainer=self._explainer,
        )
        self._choice = EngineChoice(
            run_options.on,
            self._tracer,
            companion=job.companion,
            seed=run_options.seed,
            news=self._emit_so_far,
            uncounted=self._guard.uncounted,
            refused=refuse,
        )
        self._gradients: list[EventDict] = []
        self._ending = Ending()
        self._missing: tuple[tuple[str, int, str, str], ...] | None = None
        self._is_reported = self._forked = False

    def begin(self) -> None:
        """Prepare everything for the first line of the script."""
        _remember(self._program)
        # Functions registered first are called last at exit, so a script's own exit functions are traced too.
        atexit.register(self._finish)
        with suppress(AttributeError):  # this is an internal function of Python
            threading._register_atexit(self._script_is_over)  # type: ignore[attr-defined]
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._will_fork, after_in_child=self._is_a_copy)
        if self._job.companion is not None:
            self._job.companion.__enter__()
        self._tracer.start(undecided=True)
        sys.path.insert(
            0, str(self._program.folder)
        )  # the module path of the script, which may contain TensorFlow
        self._choice.__enter__()
        del sys.path[0]
        try:
            self._serve_others()
        except OSError as error:
            self._channel.fail(error.errno or errno.EIO)
            os._exit(1)
        self._emit(begun=True)
        if self._job.run_options.seed is not None:
            inside.plant(self._job.run_options.seed)
        self._guard.__enter__()
        # Some programs test whether the handler of Ctrl-C is Python's own.
        handler = signal.getsignal(signal.SIGINT)
        if handler == self._guard.interrupted:
            signal.default_int_handler = handler  # type: ignore[assignment]  # it may return, if an event is being written
        sys.excepthook = sys.__excepthook__ = self._hook = _hook_of(self._crashed)

    def run(self) -> int:
        """Run what Python cannot run as a script: a notebook, a text, a module."""
        module = _main_module(self._program, self._job.argv)
        self._ending = inside.execute(self._program, module, self._tracer, nullcontext())
        return self._ending.exit_code

    def _receive(self, event: EventDict) -> None:
        if self._job.in_step:
            _wait_for_reader()
        self._channel.write(messages.of_event(event))
        if self._job.companion is not None and event["k"] == "gradient":
            self._gradients.append(event)

    def _explainer(self, tracer: Tracer) -> Any:
        """Answer the script's own questions, such as `tf.why()`, from the messages in the channel."""
        reported = self._channel.reader()
        return inside.explainer(
            tracer, lambda: (json.loads(each) for each in reported.new() if messages.is_event(each))
        )

    # --- the end ---

    def _crashed(self, raised: BaseException, *, is_reported: bool = False) -> None:
        """Note an uncaught exception; the command prints it, with the user's frames only."""
        if isinstance(raised, LimitReached):
            self._ending = Ending(limit=raised.limit)
        elif isinstance(raised, KeyboardInterrupt):
            self._ending = Ending(limit=Limit.INTERRUPT)
        else:
            compiles = not isinstance(raised, SyntaxError) or raised.__traceback__ is not None
            with suppress(Exception):
                self._tracer.fail(raised, steps(raised))
            self._ending = Ending(
                crash(raised, is_reported=is_reported, compiles=compiles), exit_code=1
            )

    def _script_is_over(self) -> None:
        """Called when only Python's shutdown remains, which waits for threads and calls exit functions."""
        self._emit(ending=self._whole_ending().as_data())

    def _emit(self, **word: Any) -> None:
        self._channel.write_word(messages.of_word(**word))

    def _emit_so_far(self) -> None:
        """Report what is known about the ending so far, because the script may not reach its end."""
        known = self._choice.known
        if known["served"] and self._missing is None:
            self._missing = ()
            with suppress(
                Exception
            ):  # an error in this analysis of the text must not stop the program
                self._missing = self._missing_names()
        self._emit(so_far=known | {"missing": self._missing or ()})

    def _missing_names(self) -> tuple[tuple[str, int, str, str], ...]:
        from minitape.unsupported.lookahead import missing_names  # few programs import TensorFlow

        parts = [(part.file, part.text) for part in self._program.parts]
        found = missing_names(parts, self._program.folder)
        return tuple((each.file, each.line, each.name, each.error) for each in found)

    def _whole_ending(self) -> Ending:
        if (
            self._ending.ok and sys.excepthook is not self._hook
        ):  # the script's own hook has already printed the exception
            raised = getattr(sys, "last_value", None)
            if isinstance(raised, BaseException):
                self._crashed(raised, is_reported=True)
        started = {"multiprocessing.popen_spawn_posix", "multiprocessing.popen_spawn_win32"}
        return self._ending.replace(
            **self._choice.known,
            missing=self._missing or (),
            unwatched=self._guard.unwatched,
            forked=self._forked or not started.isdisjoint(sys.modules),
            failure=self._tracer.failure,
        )

    def _finish(self) -> None:
        """Send the message of the companion and the ending before Python exits."""
        if self._is_reported or not self._channel.is_open:
            return
        self._is_reported = True
        with suppress(Exception):
            self._tracer.stop()
        companion = self._job.companion
        if companion is not None:
            companion.__exit__(None, None, None)
            self._emit(companion=companion.message(self._gradients))
        self._emit(ending=self._whole_ending().as_data())

    # --- other processes ---

    def _serve_others(self) -> None:
        """Let the processes that the script starts find minitape, and serve it as TensorFlow if this process does so."""
        library = self._folder / "library"
        library.mkdir()
        package = Path(__file__).resolve().parents[2]
        try:
            (library / "minitape").symlink_to(package, target_is_directory=True)
        except OSError:  # Windows requires a privilege
            shutil.copytree(package, library / "minitape")
        if self._choice.is_minitape:
            (library / "tensorflow").mkdir()
            said = "from minitape.run.child import alias\n\nalias.serve()\n"
            (library / "tensorflow" / "__init__.py").write_text(said)
        sys.path.append(str(library))
        before = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (before, str(library))))

    def _will_fork(self) -> None:
        if not self._forked and self._channel.is_open:
            self._forked = True
            self._emit(so_far={"forked": True})

    def _is_a_copy(self) -> None:
        """Stop recording, because this process is a copy (fork), which is not recorded."""
        self._channel.leave()
        listeners.active = ()


def _remember(program: Program) -> None:
    """Store the text that is run, because the script may change or delete its file."""
    for part in program.parts:
        lines = part.lines
        for name in {part.file, str(Path(part.file).absolute())}:
            linecache.cache[name] = len(part.text), None, lines, name


def _wait_for_reader() -> None:
    """Wait until the command has read the output so far; only briefly, because it may not be reading."""
    with suppress(ImportError, OSError):
        import fcntl
        import termios

        until = time.monotonic() + _MOMENT
        waiting = b"\0" * 4
        while time.monotonic() < until:
            if fcntl.ioctl(1, termios.FIONREAD, waiting) == waiting:
                return
            time.sleep(_MOMENT / 500)


def _hook_of(crashed: Callable[[BaseException], None]) -> Callable[..., None]:
    """Return the handler for uncaught exceptions; for a program that tests it, it looks like Python's own handler."""

    def excepthook(_: Any, raised: BaseException, __: Any) -> None:
        crashed(raised)

    excepthook.__module__, excepthook.__qualname__ = "sys", "excepthook"
    return excepthook


def _main_module(program: Program, argv: tuple[str, ...]) -> ModuleType:
    """Return the `__main__` of this process, as a program finds it."""
    module = sys.modules["__main__"]
    module.__dict__.clear()
    module.__dict__.update(
        __name__="__main__",
        __doc__=None,
        __package__=None,
        __loader__=None,
        __spec__=None,
        __builtins__=builtins,
        __annotations__={},
    )
    inside.furnish(module, program, argv)
    sys.orig_argv = [sys.executable, *sys.argv]
    return module


def _limit_memory(most: int | None) -> None:
    """Limit the script's memory to `most` MB more, if the system supports that."""
    if most is None:
        return
    with suppress(ImportError, ValueError, OSError):
        import resource

        size = most << 20
        kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
        resource.setrlimit(kind, (size, resource.getrlimit(kind)[1]))


# --- several runs in succession ---


def _run_errands(folder: Path, channel: Writer) -> None:
    """Run the errands that arrive on stdin, one per line; report the trace or the companion's message of each."""
    requested = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    number, own = 0, os.getpid()

    def forgiven(seconds: float) -> None:
        if os.getpid() == own:  # but not in a copy that the script made
            channel.write_word(messages.of_word(forgiven=seconds))

    channel.write_word(messages.of_word(ready=True))
    with os.fdopen(requested, "rb") as requests:
        for _ in requests:
            errand: Errand = pickle.loads((folder / f"errand-{number}").read_bytes())
            for message in _done(errand, forgiven):
                if (
                    os.getpid() != own
                ):  # this is a copy that the script made, at the end of the script
                    os._exit(0)
                channel.write(message)
            number += 1


def _done(errand: Errand, forgiven: Callable[[float], None]) -> Iterator[bytes]:
    """Do an errand: send the events of a trace, or the message of the companion, and then report the end of the errand."""
    hush = io.StringIO()
    run_options = errand.run_options
    for part in errand.texts:
        part.remember(is_reported=True)
    instead = None if errand.instead is None else [_repaired(tree) for tree in errand.instead]
    with redirect_stderr(hush), warnings.catch_warnings(), _loaded_instead(errand.modules):
        warnings.simplefilter("ignore")
        received, _ = inside.run(
            errand.program,
            errand.argv,
            on=run_options.on,
            stdout=hush,
            timeout=run_options.timeout,
            max_ops=run_options.max_ops,
            max_calls=run_options.trace_calls,
            seed=run_options.seed,
            instead=instead,
            companion=errand.companion,
            forgiven=forgiven,
        )
    if errand.companion is not None:
        yield messages.of_word(companion=errand.companion.message(()))
    else:
        yield from map(messages.of_event, received)
    yield messages.of_word(over=True)


@contextmanager
def _loaded_instead(modules: Sequence[tuple[str, ast.Module]]) -> Iterator[None]:
    """Import syntax trees instead of the texts of these files."""
    trees = {os.path.realpath(path): _repaired(tree) for path, tree in modules}
    loader: Any = SourceFileLoader
    as_written = loader.get_code

    def get_code(self: Any, name: str) -> Any:
        tree = trees.get(os.path.realpath(self.get_filename(name)))
        if tree is None:
            return as_written(self, name)
        return inside.compiled(tree, self.get_filename(name))

    loader.get_code = get_code
    try:
        yield
    finally:
        loader.get_code = as_written


def _repaired(tree: ast.Module) -> ast.Module:
    """Return a tree from a different Python version, with None in the fields that exist only in this version."""
    for node in ast.walk(tree):
        for name in node._fields:
            if not hasattr(node, name):
                setattr(node, name, [] if name == "type_params" else None)
    return tree

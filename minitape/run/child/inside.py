"""Runs a user's program under a tracer in this process: as `__main__`, with its own arguments, within limits.

    run         runs the program, restores the previous state, and returns how the program ended
    execute     runs the program's parts in a module, and handles the exceptions that may end them

The script runs as with `python script.py`, with two differences: it is traced, and minitape may take the place of TensorFlow.
The events before a crash or a limit remain usable.

The commands run scripts in a separate process (`process.py`), and that process calls this module.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TextIO

import numpy as np

from minitape.errors import TapeRuntimeError
from minitape.run.child.choice import EngineChoice
from minitape.run.child.crash import crash, steps
from minitape.run.child.limits import Guard, LimitReached
from minitape.run.ending import Ending, Limit
from minitape.run.jobs import Companion
from minitape.run.program import Program, of_file
from minitape.source_text import deep_trees
from minitape.trace.writing import EventDict
from minitape.tracer import source
from minitape.tracer import tracer as engine_tracer
from minitape.tracer.tracer import Tracer


def run(
    script: Path | str | Program,
    argv: Sequence[str] = (),
    *,
    on: str | None = None,
    stdout: TextIO | None = None,
    timeout: float = 30,
    max_ops: int = 20_000,
    max_calls: int | None = None,
    seed: int | None = None,
    sink: Callable[[EventDict], None] | None = None,
    instead: Sequence[ast.Module] | None = None,
    companion: Companion | None = None,
    forgiven: Callable[[float], None] = lambda _: None,
) -> tuple[list[EventDict], Ending]:
    """Run a script as `python script.py` does, and record the events of its tapes.

    Args:
        script: A script or a notebook.
        argv: Its arguments, `sys.argv[1:]`.
        on: The engine, `tensorflow` or `minitape`; None for TensorFlow if it is installed and imported.
        stdout: Where the script's standard output goes; None leaves it unchanged.
        timeout: Seconds after which the script is stopped; 0 for no limit.
        max_ops: The number of ops after which it is stopped; 0 for no limit.
        max_calls: The number of gradient calls after which it is stopped; None for no limit.
        seed: Seeds the random numbers of the engine, Python and NumPy before the script starts.
        sink: Called with each trace event as it arrives.
        instead: Syntax trees to run instead of the texts of parts; events still refer to the lines of the files.
        companion: Also traces the program; on TensorFlow, only the companion traces.
        forgiven: Called with a number of seconds that do not count toward the limit, or that count again.

    Returns:
        The events, and how the script ended.

    Raises:
        OSError: the script cannot be read.
        ValueError: the notebook is not a notebook.
        Refused: TensorFlow was chosen, but is not installed.
    """
    program = script if isinstance(script, Program) else of_file(Path(script))
    guard = Guard(timeout, max_ops, max_calls, sink=sink, forgiven=forgiven)
    tracer = tracer_of(program, argv, seed, guard)
    guard.tracer = tracer
    choice = EngineChoice(on, tracer, companion=companion, seed=seed, uncounted=guard.uncounted)
    with ExitStack() as around:
        module = around.enter_context(_as_main(program, argv))
        around.enter_context(_written_to(stdout))
        around.enter_context(recordings_ended())
        if companion is not None:
            around.enter_context(companion)
        around.callback(tracer.stop)
        tracer.start(undecided=True)
        around.enter_context(choice)
        if seed is not None:
            plant(seed)
        ending = execute(program, module, tracer, guard, instead)
        ending = ending.replace(**choice.known)
    return tracer.received, ending


def tracer_of(
    program: Program,
    argv: Sequence[str],
    seed: int | None,
    guard: Guard,
    **run_options: Any,
) -> Tracer:
    """Return a tracer that writes the header of this run, reports to the guard, and answers questions of the script."""
    version = str(importlib.import_module("minitape").__version__)
    known = {"script": program.shown, "argv": argv, "seed": seed, "version": version}
    return Tracer(guard, over=guard.called, **{"explainer": explainer, **known, **run_options})


def explainer(tracer: Tracer, new: Callable[[], Iterable[EventDict]] | None = None) -> Any:
    """Return the object that answers `tf.why()` in a script without `tf.debug.record()`; `new` returns the latest events."""
    try:  # the explainer is large, and few scripts need it
        requested = importlib.import_module("minitape.debug.recording")
    except ImportError as error:
        raise TapeRuntimeError(
            f"This Python cannot explain gradients from inside a script ({error}).",
            fix="run `minitape explain SCRIPT`, or use Python 3.11 or later with minitape installed",
        ) from error
    return requested.Recording(tracer, new)


def execute(
    program: Program,
    module: ModuleType,
    tracer: Tracer,
    guard: contextlib.AbstractContextManager[Any],
    instead: Sequence[ast.Module] | None = None,
) -> Ending:
    """Run the parts of a program in a module; return how they ended."""
    todo: list[tuple[bytes | ast.Module, str]] = [(part.text, part.file) for part in program.parts]
    if instead is not None:
        todo = [(tree, file) for tree, (_, file) in zip(instead, todo, strict=True)]
    code = None  # stays None if the first part does not compile, because then nothing has run
    ending = Ending()
    try:
        with guard:
            for text, file in todo:
                code = compiled(text, file)
                exec(code, module.__dict__)
    except LimitReached as stop:
        ending = Ending(limit=stop.limit)
    except KeyboardInterrupt:
        ending = Ending(limit=Limit.INTERRUPT)
    except SystemExit as leaving:
        ending = Ending(exit_code=_exit_code(leaving))
    except BaseException as raised:
        is_reported = _hooked(raised)
        tracer.fail(raised, steps(raised))
        ending = Ending(
            crash(raised, is_reported=is_reported, compiles=code is not None), exit_code=1
        )
    return ending


source.add_doorstep(execute.__code__)


def compiled(program: bytes | ast.Module, file: str) -> CodeType:
    """Return the code of a text or a tree. Python compiles a tree recursively, and may need more stack than for its text."""
    with deep_trees() if isinstance(program, ast.Module) else contextlib.nullcontext():
        return compile(program, file, "exec", dont_inherit=True)


def plant(seed: int) -> None:
    """Seed all random generators."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    importlib.import_module("minitape.random").set_seed(seed)


@contextlib.contextmanager
def recordings_ended() -> Iterator[None]:
    """Stop the recordings that a script has started with `tf.debug.record()`, when the script ends."""
    before = engine_tracer.tracing
    try:
        yield
    finally:
        for each in engine_tracer.tracing:
            if each not in before:
                each.stop()


# --- the script's surroundings ---


@contextlib.contextmanager
def _as_main(program: Program, argv: Sequence[str]) -> Iterator[ModuleType]:
    """Set `__main__`, `sys.argv` and `sys.path[0]` for the script; afterwards, restore them and NumPy's print options."""
    module = ModuleType("__main__")
    held = sys.modules["__main__"], sys.argv, list(sys.path)
    known = set(sys.modules)
    sys.modules["__main__"] = module
    sys.path.insert(0, "")
    furnish(module, program, argv)
    try:
        with np.printoptions():
            yield module
    finally:
        sys.modules["__main__"], sys.argv, sys.path[:] = held
        # The next script may import a different module with the same name from its own folder.
        for name in set(sys.modules) - known:
            if _lives_in(sys.modules[name], program.folder):
                del sys.modules[name]


def furnish(module: ModuleType, program: Program, argv: Sequence[str]) -> None:
    """Set `__main__`, `sys.argv` and `sys.path[0]` to the values that the program expects."""
    module.__package__ = program.package
    if program.path is not None:
        module.__file__ = str(program.path)
    if program.is_notebook:
        module.__dict__["display"] = print
    for part in program.parts:
        part.remember()
    sys.argv = [program.invoked, *argv]
    sys.path[0] = str(program.folder)


def _lives_in(module: ModuleType, folder: Path) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and folder in Path(file).parents and source.is_users(file)


def _written_to(stream: TextIO | None) -> contextlib.AbstractContextManager[Any]:
    return contextlib.nullcontext() if stream is None else contextlib.redirect_stdout(stream)


# --- the end ---


def _exit_code(leaving: SystemExit) -> int:
    """Return the exit code that the shell would get; a message is printed to stderr, as Python does."""
    if leaving.code is None:
        return 0
    if isinstance(leaving.code, int):
        return leaving.code
    print(leaving.code, file=sys.stderr)
    return 1


def _hooked(raised: BaseException) -> bool:
    """Let the script's own `sys.excepthook` print the exception, if it has one."""
    if sys.excepthook is sys.__excepthook__:
        return False
    try:
        sys.excepthook(type(raised), raised, raised.__traceback__)
    except BaseException:
        return False  # the exception is then printed like any other
    return True

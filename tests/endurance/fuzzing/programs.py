"""Fuzzing: a random search over programs. Each is run with and without a tracer, and all commands are tried on it.

    python tests/endurance/fuzzing/programs.py --programs 20000 --seed 0

A traced program must print the same as without a tracer, and end with the same exception. Its trace must be readable, and it
must be possible to explain it, draw it, show it as a page and in steps, and compare it with the trace of the previous program.
A fix must produce valid Python. Exit code 70, a hang and growing memory are faults; each kind is reported once, with its seed
and the shortest program that still shows it.
"""

import argparse
import ast
import contextlib
import importlib
import io
import os
import pickle
import random
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from endurance.fuzzing.grammar import written
from endurance.fuzzing.inputs import LOOKS
from endurance.fuzzing.oracle import (
    Fault,
    Search,
    limit_memory,
    no_fault_of_ours,
    requested,
    within,
)

from minitape.explain.explain import explain
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.mistakes import mistakes_of
from minitape.fixes.repair.rules import fixes
from minitape.fixes.suggestions import suggested
from minitape.fixes.text.syntax import Joined, spot_of
from minitape.run.child import inside
from minitape.run.child.alias import Alias
from minitape.run.program import of_file
from minitape.trace.reading import read
from minitape.trace.trace import Trace
from minitape_cli import views

_SECONDS = 20.0  # for a run
_LOADED = (
    "asyncio",
    "minitape.debug.recording",
    "minitape.keras",
    "minitape.linalg",
    "minitape.fixes.suggestions",
)
_TRIAL = """\
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(2), tf.keras.layers.BatchNormalization(), tf.keras.layers.Lambda(abs)])
with tf.GradientTape() as tape:
    loss = tf.keras.losses.MeanSquaredError()(tf.ones([2, 2]), model(tf.linalg.inv(tf.eye(2))))
variables = model.trainable_variables
tf.keras.optimizers.Adam().apply_gradients(zip(tape.gradient(loss, variables), variables))
"""
_LOOKED = 3  # the number of views that are tried on each trace
_FIXED_BY_RUNNING = 0.004  # the fraction of the programs with a finding


@dataclass(frozen=True)
class Ran:
    """The output of a run, and how it ended: the type and text of the exception, or ""."""

    printed: str
    error: str
    events: tuple[dict[str, Any], ...] = ()


class Programs:
    """Generates programs and tries each of them.

    Args:
        folder: An empty one.
        known: Whether to generate programs that are known to cause faults.
    """

    def __init__(self, folder: Path, *, known: bool = False) -> None:
        self.folder = folder
        self.known = known
        self.path = folder / "program.py"
        self._last: Path | None = None
        self._met: set[str] = set()

    def __call__(self, seed: int) -> str:
        """Try the program of a seed; return the result."""
        text = written(seed, known=self.known)
        try:
            return self.tried(text, seed)
        except Fault as fault:
            signature = fault.signature
            if signature in self._met:
                raise
            self._met.add(signature)
            short = shortest(text, lambda less: self._shows(less, seed, signature))
            raise Fault(signature, f"{fault.detail}\n--- program:\n{short}") from None

    def _shows(self, text: str, seed: int, signature: str) -> bool:
        try:
            self.tried(text, seed)
        except Fault as fault:
            return fault.signature == signature
        return False

    def tried(self, text: str, seed: int) -> str:
        """Try a program.

        Raises:
            Fault: a result is wrong.
        """
        r = random.Random(seed)
        data = _as_bytes(text, r) if self.known else text.encode()
        self.path.write_bytes(data)
        plain = self._run(_plainly)
        traced = self._run(_traced)
        _hold_together(plain, traced)
        with within(_SECONDS, "looking at the trace"), no_fault_of_ours("looking"):
            found = self._looked_at(traced)
        path = self.folder / "t.jsonl"
        for look in r.sample(LOOKS, _LOOKED):
            other = self._last or path
            command, *rest = (each.format(out=self.folder / "out", other=other) for each in look)
            requested(command, path, *rest, refuses_control_characters=self.known)
        if found and r.random() < _FIXED_BY_RUNNING:
            requested("explain", self.path, "--fix", "--yes", "--on", "minitape", seconds=120)
            with no_fault_of_ours("what --fix wrote"):
                ast.parse(self.path.read_bytes())
        self._last = path.replace(self.folder / "last.jsonl")
        if plain.error:
            return "raised, with findings" if found else "raised"
        return "with findings" if found else "healthy"

    def _looked_at(self, ran: Ran) -> bool:
        """Write the trace, read it again, explain it, and apply each fix; return whether there is a finding."""
        trace = Trace.from_dicts(list(ran.events))
        path = self.folder / "t.jsonl"
        path.write_bytes(views.jsonl(trace))
        trace = read(path)
        report = explain(trace)
        program = of_file(self.path)
        for call in suggested(report, trace).calls:
            for source in call.sources:
                for finding in source.findings:
                    for each in finding.fixed:
                        compile(each.after, each.file, "exec", dont_inherit=True)
        if report.ok:
            return False
        joined, flow = Joined(program.parts), FlowGraph(trace)
        with contextlib.suppress(SyntaxError):
            tree = joined.tree
            for mistake in mistakes_of(report)[:6]:
                spot = spot_of(joined, flow, mistake.call, mistake.source, mistake.finding)
                for changed, _ in fixes(tree, spot) if spot is not None else ():
                    for each in joined.fixed(changed):
                        compile(each.after, each.file, "exec", dont_inherit=True)
        return True

    def _run(self, how: Callable[[Path], Ran]) -> Ran:
        """Run a program in a copy of this process.

        Raises:
            Fault: the run took too long, or the copy ended unexpectedly.
        """
        to = self.folder / "ran"
        to.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            _in_the_copy(how, self.path, to)
        until = time.monotonic() + _SECONDS
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if time.monotonic() > until:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                raise Fault(f"slow: {how.__name__}", "the run of the program")
            time.sleep(0.002)
        if not to.exists():
            raise Fault(
                f"died: {how.__name__}", "the process of the program ended without an answer"
            )
        came = pickle.loads(to.read_bytes())
        if "signature" in came:
            raise Fault(**came)
        return Ran(**came)


def _in_the_copy(how: Callable[[Path], Ran], path: Path, to: Path) -> None:
    """Run the program, write the result to a file, and end the process."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        warnings.simplefilter("ignore")
        try:
            with no_fault_of_ours(how.__name__):
                came = vars(how(path))
        except Fault as fault:
            came = {"signature": fault.signature, "detail": fault.detail}
        part = to.with_suffix(".part")
        part.write_bytes(pickle.dumps(came))
        part.rename(to)
    finally:
        os._exit(0)


def _plainly(path: Path) -> Ran:
    """Run the program as `python program.py` would, with minitape in place of TensorFlow and without a listener."""
    printed = io.StringIO()
    module = ModuleType("__main__")
    sys.modules["__main__"] = module
    sys.argv = [str(path)]
    module.__dict__["__file__"] = str(path)
    error = ""
    inside.plant(0)
    with contextlib.redirect_stdout(printed), Alias():
        try:
            exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), module.__dict__)
        except BaseException as raised:
            error = _said(type(raised).__name__, str(raised))
    return Ran(printed.getvalue(), error)


def _traced(path: Path) -> Ran:
    printed = io.StringIO()
    events, ending = inside.run(path, on="minitape", stdout=printed, seed=0, timeout=_SECONDS)
    crash = ending.error
    error = "" if crash is None else _said(crash.type, crash.message)
    if ending.limit is not None:
        raise Fault(f"limit: {ending.limit.value}", "a limit stopped it")
    return Ran(printed.getvalue(), error, tuple(events))


def _said(kind: str, message: str) -> str:
    return f"{kind}: {message}"


def _hold_together(plain: Ran, traced: Ran) -> None:
    """Check that the tracer did not change the behavior of the program.

    Raises:
        Fault: the behavior differs.
    """
    if plain.error != traced.error:
        raise Fault(
            "another exception when traced", f"plain:  {plain.error}\ntraced: {traced.error}"
        )
    if plain.printed != traced.printed:
        pairs = zip(plain.printed.splitlines(), traced.printed.splitlines(), strict=False)
        first = next((pair for pair in pairs if pair[0] != pair[1]), ("", "(more or fewer lines)"))
        raise Fault("prints something else when traced", f"plain:  {first[0]}\ntraced: {first[1]}")


def _as_bytes(text: str, r: random.Random) -> bytes:
    """Encode the program with an unusual encoding and unusual line ends."""
    kind = r.randrange(8)
    if kind == 0:
        return text.replace("\n", "\r").encode()
    if kind == 1:
        return text.replace("\n", "\r\n").encode()
    if kind == 2:
        return b"\xef\xbb\xbf" + text.encode()
    if kind == 3:
        return ("# coding: latin-1\n" + text.encode("latin-1", "ignore").decode("latin-1")).encode(
            "latin-1"
        )
    if kind == 4:
        return text.replace("\n\n", "\n\x0c\n").encode()
    if kind == 5:
        return text.replace("'a'", "'\x1b[31ma\u202e'").encode()
    return text.encode()


# --- the shortest program ---


def shortest(text: str, shows: Callable[[str], bool], most: int = 60) -> str:
    """Remove statements one by one as long as the program still shows the fault; try at most this many."""
    with contextlib.suppress(SyntaxError, RecursionError, ValueError):
        plain = ast.unparse(ast.parse(text)) + "\n"
        if shows(plain):
            text = plain
        is_less = True
        while is_less and most > 0:
            is_less = False
            for number in range(len(list(_bodies(ast.parse(text))))):
                least = 0
                while most > 0:
                    less = _without(text, number, least)
                    if less is None:
                        break
                    most -= 1
                    if shows(less):
                        text, is_less = less, True
                    else:
                        least += 1
    return text


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body:
                yield body


def _without(text: str, number: int, index: int) -> str | None:
    """Return the program without one statement, or with that statement replaced by its body; None if there is no such
    statement.
    """
    tree = ast.parse(text)
    bodies = list(_bodies(tree))
    if number >= len(bodies) or index >= len(bodies[number]):
        return None
    del bodies[number][-1 - index]
    if not bodies[number]:
        bodies[number].append(ast.Pass())
        if ast.unparse(tree) + "\n" == text:
            return None
    return ast.unparse(tree) + "\n"


def searched(
    folder: Path,
    first: int,
    count: int,
    *,
    known: bool = False,
    said: Callable[[str], None] = print,
) -> Search:
    """Try programs; return the results."""
    for name in _LOADED:  # before the first copy is made
        importlib.import_module(name)
    with Alias(), contextlib.redirect_stdout(io.StringIO()):
        exec(_TRIAL, {})
    search = Search(Programs(folder, known=known), said)
    search.run(first, count)
    return search


def main(args: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first one")
    parser.add_argument(
        "--with-known", action="store_true", help="include programs that are known to cause faults"
    )
    given = parser.parse_args(args)
    limit_memory()
    folder = Path(tempfile.mkdtemp(prefix="fuzzing-"))
    try:
        tried = searched(folder, given.seed, given.programs, known=given.with_known)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if tried.is_clean else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

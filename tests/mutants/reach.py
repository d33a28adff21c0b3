"""Finds the tests that execute each change: all tests are run once on an instrumented copy of the code.

Checkout    a copy of the files of this checkout, in which code may be changed
reaching    the tests that enter the function of each change
"""

import ast
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from changes import Change
from reached import ENTERED, FAILED, ONLY

ROOT = Path(__file__).parents[2]
_BLOCKS = (
    ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match, ast.FunctionDef, ast.ClassDef
)  # fmt: skip
_SECONDS = 3600  # other work may keep the machine busy
_PROCESSOR_SECONDS = 400  # for one process, because a change may run forever


def _limited() -> None:
    signal.signal(
        signal.SIGINT, signal.SIG_DFL
    )  # background jobs ignore this signal, but tests send it
    resource.setrlimit(resource.RLIMIT_CPU, (_PROCESSOR_SECONDS, _PROCESSOR_SECONDS + 10))


class Checkout:
    """A copy of the files of this checkout. Test runs in it, and the processes that they start, import the code of the copy."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        list_all = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(list_all, cwd=ROOT, capture_output=True, check=True, text=True)
        for name in filter(None, names.stdout.split("\0")):
            if (ROOT / name).exists():  # otherwise it was deleted, but not committed yet
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)

    def pytest(
        self, *arguments: str, within: float | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        paths = (self.folder, self.folder / "cli", self.folder / "tests" / "mutants")
        given = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))} | environment
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "reached", *arguments],
            cwd=self.folder,
            env=given,
            capture_output=True,
            text=True,
            timeout=within,
            preexec_fn=_limited if within else None,
            check=False,
        )  # fmt: skip

    def only(self, tests: list[str], *options: str) -> subprocess.CompletedProcess[str]:
        """Run these tests and collect no other files."""
        wanted = self.folder / "only.txt"
        wanted.write_text("\n".join(tests), encoding="utf-8")
        files = sorted({test.partition("::")[0] for test in tests})
        return self.pytest(*files, *options, within=_SECONDS, **{ONLY: str(wanted)})


def by_reach(tests: Iterable[str], of: Path) -> list[list[str]]:
    """Return the tests in three groups: those in the folder of the file's package, which detect a change soonest, the others,
    and the browser tests.
    """
    own = f"tests/{'cli' if of.parts[0] == 'cli' else of.parts[1]}/"
    parts: list[list[str]] = [[], [], []]
    for test in tests:
        parts[0 if test.startswith(own) else 2 if test.startswith("tests/browser/") else 1].append(
            test
        )
    return [part for part in parts if part]


def reaching(every: list[Change], room: Path, options: list[str]) -> dict[Change, list[str]]:
    """Return for each change the tests that enter its function, except those that fail without the change."""
    entered, failed = room / "entered.txt", room / "failed.txt"
    if not entered.exists():
        _note_what_enters(every, room, options)
    spoilt = set(_lines(failed))
    tests: dict[str, set[str]] = defaultdict(set)
    for line in _lines(entered):
        test, _, place = line.rpartition("\t")
        if (
            ROOT / test.partition("::")[0]
        ).exists():  # otherwise it belongs to a pytest run that a test started
            tests[place].add(test)
    return {change: sorted(tests[f"{change.file}:{change.function}"] - spoilt) for change in every}


def _note_what_enters(every: list[Change], room: Path, options: list[str]) -> None:
    """Run all tests on a copy of the code in which the function of each change records that it is entered."""
    checkout = Checkout(room / "reached")
    by_file = defaultdict(list)
    for change in every:
        by_file[change.file].append(change.function)
    for file, functions in by_file.items():
        path = checkout.folder / file
        path.write_bytes(_telling(path.read_bytes(), str(file), functions))
    unfinished = room / "unfinished.txt"
    checkout.pytest(
        "-n", "2", *options, **{ENTERED: str(unfinished), FAILED: str(room / "failed.txt")}
    )
    unfinished.replace(room / "entered.txt")


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def _telling(text: bytes, file: str, functions: list[int]) -> bytes:
    """Return the code with a call at the start of each of these functions that records the entry; 0 stands for all
    functions.
    """
    lines = text.splitlines(keepends=True)
    ours = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)]
    for function in sorted(ours, key=lambda each: -each.lineno):
        first = function.body[_is_docstring(function.body[0]) :][:1]
        for number in {0, function.lineno} & {*functions}:
            if first:
                row, column = _first_line(first[0]) - 1, first[0].col_offset
                is_block = isinstance(first[0], _BLOCKS)
                end = b"\n" + b" " * column if is_block else b"; "
                call = f"__import__('reached').by('{file}:{number}')".encode() + end
                lines[row] = lines[row][:column] + call + lines[row][column:]
    return b"".join(lines)


def _first_line(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", [])
    return min(each.lineno for each in (statement, *decorators))


def _is_docstring(first: ast.stmt) -> bool:
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)

"""What can be run: a file, a notebook, a module by its name, or a text.

    Program           its parts, and the environment that it expects
    ProgramPart       a text, and the file name that its lines refer to
    of_file           a script, or a notebook (.ipynb), whose cells run in order as one program
    of_module         what `python -m NAME` runs
    of_text           what `python -c CODE` and `python -` run
    with_tensorflow   the same program, importing TensorFlow instead of minitape

A text that is not in a file gets a name in angle brackets, as in Python: `<code>`, `<stdin>`, `<cell 3>`.
"""

import ast
import json
import linecache
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any, NamedTuple

from minitape.source_text import decoded, lines_of
from minitape.storage import read_file


@dataclass(frozen=True)
class ProgramPart:
    """A text that is compiled separately; `file` is its name in tracebacks and explanations."""

    file: str
    text: bytes

    @property
    def lines(self) -> list[str]:
        """Its lines, split as Python splits a file."""
        return [f"{line}\n" for line in lines_of(decoded(self.text))]

    def remember(self, *, is_reported: bool = False) -> None:
        """Let Python find the lines of a text that is not in a file, or of a text that `is_reported` in place of the file."""
        if is_reported or self.file.startswith("<"):
            linecache.cache[self.file] = len(self.text), None, self.lines, self.file


@dataclass(frozen=True)
class Program:
    """Parts that run in succession in one `__main__`.

    Attributes:
        parts: The parts.
        invoked: The value of `sys.argv[0]`.
        shown: The name of the program in reports.
        folder: The first entry of `sys.path`.
        package: The package of a module, for its relative imports.
        path: The file that it was read from, if any.
        is_changed: Whether the text differs from the file.
        left_out: Notes about parts that are not Python and do not run.
    """

    invoked: str
    shown: str
    folder: Path
    parts: tuple[ProgramPart, ...]
    package: str | None = None
    path: Path | None = None
    is_notebook: bool = False
    is_changed: bool = False
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.shown

    @property
    def is_script(self) -> bool:
        """Whether Python can run the program by its path."""
        is_file = self.path is not None and self.package is None
        return is_file and not self.is_notebook and not self.is_changed

    @property
    def name(self) -> str:
        """The name without the folder."""
        return Path(self.shown).name


def of_file(path: Path) -> Program:
    """Return a script or a notebook.

    Raises:
        OSError: the file cannot be read, is not a regular file, or is too large.
        ValueError: the file ends in .ipynb and is not a notebook.
    """
    folder = path.resolve().parent
    if path.suffix != ".ipynb":
        part = ProgramPart(str(path), read_file(path))
        # Python would take a name that starts with a dash for an option.
        invoked = f".{os.sep}{path}" if str(path).startswith("-") else str(path)
        return Program(invoked, str(path), folder, (part,), path=path)
    parts, left_out = _read_cells(path)
    return Program(
        str(path), str(path), folder, parts, path=path, is_notebook=True, left_out=left_out
    )


def of_text(text: str | bytes, *, file: str, invoked: str) -> Program:
    """Return a text from a command line or a pipe; `invoked` is the value of `sys.argv[0]`: `-c` or `-`."""
    data = text.encode() if isinstance(text, str) else text
    return Program(invoked, file, Path.cwd(), (ProgramPart(file, data),))


def of_module(name: str) -> Program:
    """Return a module, or the `__main__` of a package, found as by `python -m`, and not yet imported.

    Raises:
        ValueError: no module has this name, or it is not written in Python.
    """
    folder = Path.cwd()
    spec = _found(name, [str(folder), *sys.path])
    is_package = spec is not None and spec.submodule_search_locations is not None
    if is_package:
        name = f"{name}.__main__"
        spec = _found(name, [str(folder), *sys.path])
    if spec is None:
        raise ValueError(f"no module named {name}.")
    if spec.origin is None or not spec.origin.endswith(".py"):
        raise ValueError(f"the module {name} is not written in Python.")
    path = Path(spec.origin)
    part = ProgramPart(str(path), read_file(path))
    return Program(
        str(path), str(path), folder, (part,), package=name.rpartition(".")[0], path=path
    )


def _found(name: str, paths: Sequence[str] | None) -> ModuleSpec | None:
    """Return the spec of a module, found without importing its packages, because tracing has not started yet."""
    spec: ModuleSpec | None = None
    so_far = ""
    for word in name.split("."):
        so_far = f"{so_far}.{word}".lstrip(".")
        if paths is None:
            return None
        spec = PathFinder.find_spec(so_far, paths)
        if spec is None:
            return None
        locations = spec.submodule_search_locations
        paths = None if locations is None else list(locations)
    return spec


# --- notebooks ---

_CELL_MAGIC = re.compile(r"%%\w+")
# Cell magics that run the rest of the cell as Python: IPython's, minitape's own, and those of tools that measure or log a cell.
_PYTHON_CELLS = re.compile(
    r"%%(?:time|timeit|capture|prun|debug|tape|why|step|memit|mprun|lprun|scalene|wandb)\b"
)
_MEASURED = re.compile(r"%(?:time|timeit|prun)\s+(?=\S)")
_HELP = re.compile(r"\?|%{0,2}[\w.*]+\?{1,2}\s*$")
_TAKEN = re.compile(r"(?P<names>[\w.,\s\[\]'\"]+=)\s*(?P<sign>[!%])")
_MOST_REPORTED = 5  # the maximum number of cells that are listed


class _Cell(NamedTuple):
    """A cell as plain Python, and the numbers of the lines that are valid only in a notebook."""

    text: str
    left_out: list[int]


def _read_cells(path: Path) -> tuple[tuple[ProgramPart, ...], tuple[str, ...]]:
    """Return the code cells, numbered as in Jupyter after all cells have run, and notes about what was left out."""
    try:
        cells = json.loads(read_file(path).decode("utf-8-sig"))["cells"]
        texts = [_text(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{path.name} is not a notebook.") from error
    parts, left_out = [], []
    for number, text in enumerate(filter(str.strip, texts), start=1):
        cell = _without_magics(text)
        parts.append(ProgramPart(f"<cell {number}>", cell.text.encode(errors="replace")))
        if cell.left_out:
            left_out.append(f"cell {number} ({_line_numbers(cell.left_out)})")
    if not left_out:
        return tuple(parts), ()
    rest = len(left_out) - _MOST_REPORTED
    more = [f"{rest} more cells"] if rest > 0 else []
    reported = ", ".join(left_out[:_MOST_REPORTED] + more)
    return tuple(parts), (f"Left out because it is not Python: {reported}",)


def _line_numbers(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"line {numbers[0]}"
    is_run = numbers[-1] - numbers[0] == len(numbers) - 1
    said = (
        f"{numbers[0]} to {numbers[-1]}"
        if is_run
        else ", ".join(map(str, numbers[:_MOST_REPORTED]))
    )
    return f"lines {said}{' and more' if not is_run and len(numbers) > _MOST_REPORTED else ''}"


def _text(source: Any) -> str:
    return source if isinstance(source, str) else "".join(source)


def _without_magics(text: str) -> _Cell:
    """Return a cell as plain Python, with the same line numbers.

    Only the start of a statement is examined: `% b` in a formula and `!` in a string are not changed.
    """
    lines = list(lines_of(text.lstrip("\ufeff")))
    first = next(i for i, line in enumerate(lines) if line.strip())
    # As in IPython, the indentation of the first line is removed from all lines that begin with it.
    indent = lines[first][: len(lines[first]) - len(lines[first].lstrip(" \t"))]
    lines = [line.removeprefix(indent) for line in lines]
    if _CELL_MAGIC.match(lines[first]):
        if not _PYTHON_CELLS.match(lines[first]):
            return _Cell("pass\n" * len(lines), list(range(first + 1, len(lines) + 1)))
        lines[first] = "pass"
    left_out = []
    scan = _Scan()
    number = 0
    while number < len(lines):
        line = lines[number]
        plain = None if scan.is_within else _plain(line)
        if plain is None:
            scan.take(line)
            number += 1
            continue
        is_measured = _MEASURED.match(line.strip()) is not None
        lines[number] = plain
        if is_measured:
            scan.take(plain)
        else:
            left_out.append(number + 1)
            while line.endswith("\\") and number + 1 < len(lines):
                number += 1
                line, lines[number] = lines[number], ""
                left_out.append(number + 1)
        number += 1
    return _Cell("\n".join(lines) + "\n", left_out)


def _plain(line: str) -> str | None:
    """Return the replacement for a line that is valid only in a notebook; None for a line of Python."""
    said = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    measured = _MEASURED.match(said)
    if measured:
        return indent + said[measured.end() :]
    taken = _TAKEN.match(said)
    if taken:  # a command returns its output as lines
        return f"{indent}{taken['names']} {'[]' if taken['sign'] == '!' else 'None'}"
    # After `/`, `,` and `;`, IPython calls a function without parentheses.
    is_magic = said.startswith(("%", "!", "/", ",", ";")) or _HELP.match(said)
    return f"{indent}pass" if is_magic else None


class _Scan:
    """Whether the next line continues a statement: in brackets, in a string of several lines, or after a backslash."""

    _TOKEN = re.compile(r"'''|\"\"\"|\\.|['\"#()\[\]{}]", re.DOTALL)

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""
        self._goes_on = False

    @property
    def is_within(self) -> bool:
        return self._depth > 0 or bool(self._quote) or self._goes_on

    def take(self, line: str) -> None:
        """Process a line to its end."""
        for found in self._TOKEN.finditer(line):
            token = found.group()
            if self._quote:
                if token.startswith(self._quote):
                    self._quote = ""
            elif token == "#":
                line = ""
                break
            elif token[0] in "'\"":
                self._quote = token
            elif token in "([{":
                self._depth += 1
            elif token in ")]}":
                self._depth = max(0, self._depth - 1)
        self._goes_on = line.endswith("\\")
        if len(self._quote) == 1 and not self._goes_on:
            self._quote = ""  # such a string ends on the same line, or is an error


# --- for TensorFlow ---

_OURS, _THEIRS = "minitape", "tensorflow"


def with_tensorflow(program: Program) -> Program:
    """Return the program, importing TensorFlow instead of minitape; the same object if nothing in it imports minitape."""
    parts = tuple(replace(part, text=_swapped(part)) for part in program.parts)
    return program if parts == program.parts else replace(program, parts=parts, is_changed=True)


def _swapped(part: ProgramPart) -> bytes:
    try:
        tree = ast.parse(part.text)
    except (SyntaxError, ValueError, RecursionError):  # Python reports it when the program runs
        return part.text
    lines = part.text.splitlines(keepends=True)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and _asks(node):
            _rewrite(lines, node)
    return b"".join(lines)


def _asks(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.level == 0 and _is_ours(node.module or "")
    return any(_is_ours(each.name) for each in node.names)


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] == _OURS


def _rewrite(lines: list[bytes], node: ast.Import | ast.ImportFrom) -> None:
    """Rewrite a statement within its lines, so that the following lines keep their numbers."""
    if isinstance(node, ast.ImportFrom):
        node.module = _renamed(node.module or "")
    else:
        for each in node.names:
            if _is_ours(each.name):
                if each.asname is None and "." not in each.name:
                    each.asname = each.name
                each.name = _renamed(each.name)
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    before = lines[first][: node.col_offset]
    after = lines[last][node.end_col_offset :]
    empty = b"\n" * (last - first)
    lines[first : last + 1] = (before + ast.unparse(node).encode() + after + empty).splitlines(True)


def _renamed(name: str) -> str:
    return _THEIRS + name.removeprefix(_OURS)

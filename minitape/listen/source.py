"""Where in the user's program: file, line, columns, the exact expression, the user's own names.

A place is a code object and an instruction in it (`positions.py`), so `x * x` is found inside a long line, over several lines,
and in a comprehension. Places are noted while the program runs and looked up once each.
"""

import ast
import copy
import linecache
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from minitape.listen import positions

_PACKAGE = Path(__file__).resolve().parent.parent
_LIBRARY = tuple(
    str(Path(path).resolve())
    for path in {
        sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")
    }
)
_OURS = (str(_PACKAGE), str(_PACKAGE.parent / "cli" / "minitape_cli"))
# Programs that ship with the package are the user's to read, not the engine's.
_SHOWN = (str(_PACKAGE / "examples"), "_tutorials")


@cache
def is_users(filename: str) -> bool:
    """Whether a file is the user's own: not ours, not a library's."""
    if filename.startswith("<") and not filename.startswith(
        ("<ipython", "<stdin", "<string", "<cell", "<code", "<timed")
    ):
        return False
    path = filename if filename.startswith("<") else str(Path(filename).resolve())
    if any(shown in path for shown in _SHOWN):
        return True
    return (
        not path.startswith(_OURS) and not path.startswith(_LIBRARY) and "site-packages" not in path
    )


@cache
def is_kerass(filename: str) -> bool:
    """Whether a file is of our Keras, whose `fit` asks for gradients as a library's does."""
    return str(Path(filename).resolve()).startswith(str(_PACKAGE / "keras"))


@cache
def is_librarys(filename: str) -> bool:
    """Whether a file is neither the user's nor ours."""
    return not is_users(filename) and not str(Path(filename).resolve()).startswith(_OURS)


Step = tuple[CodeType, int]  # a code, and the instruction that runs in it

# Functions that run a user's program: what called them (a console script, a test) is no part of it. By their ids, for to hash a
# code takes longer than all else here.
_doorsteps: dict[int, CodeType] = {}


def add_doorstep(code: CodeType) -> None:
    """From now on the function with this code is one that runs a user's program."""
    _doorsteps[id(code)] = code
    _owners[code.co_filename] = _HOUSE


_ENGINE, _USER, _HOUSE = range(3)


class _Owners(dict[str, int]):
    """For each file whose code runs: the user's own, or one of ours or a library's; among ours, those with a doorstep."""

    def __missing__(self, filename: str) -> int:
        owner = self[filename] = _USER if is_users(filename) else _ENGINE
        return owner


_owners = _Owners()


class Stack:
    """The frames that led to the caller, looked at once for all that is asked of them.

    `calls` are the user's, each with the frame that it called, the outermost first. `key` is equal for equal places, and hashed
    fast: the ids of their codes, and the instructions that run there.
    """

    __slots__ = ("_frames", "calls", "key")

    def __init__(self) -> None:
        calls: list[tuple[FrameType, FrameType]] = []
        key: list[int] = []
        frames: list[FrameType] = []
        called = sys._getframe(1)
        frame = called.f_back
        while frame is not None:
            code = frame.f_code
            owner = _owners[code.co_filename]
            if owner:
                if owner == _USER:
                    calls.append((frame, called))
                    key += (id(code), frame.f_lasti)
                elif id(code) in _doorsteps:
                    break
            frames.append(frame)
            called = frame
            frame = frame.f_back
        calls.reverse()
        self.calls = calls
        self.key = tuple(key)
        self._frames = frames

    @property
    def steps(self) -> tuple[Step, ...]:
        """The user's frames, the outermost first."""
        return tuple([(frame.f_code, frame.f_lasti) for frame, _ in self.calls])

    def holds(self, frame: FrameType | None) -> bool:
        """Whether a frame is one of those that led to the caller."""
        return frame in self._frames


def here() -> tuple[Step, ...]:
    """The user's frames that led to the caller, the outermost first."""
    return Stack().steps


@dataclass
class Site:
    """A place in the user's code, looked up.

    `line` counts from 1, columns from 0 in characters; `column` is -1 where only the line is known. `expr` is the exact
    expression, `code` its whole statement, `target` the name the statement gives to exactly this expression. `operands` are the
    texts of what the expression combines, `parts` their syntax.
    """

    file: str
    line: int
    column: int = -1
    end_line: int = -1
    end_column: int = -1
    func: str = "<module>"
    code: str = ""
    expr: str = ""
    target: str | None = None
    loop: tuple[int, str] | None = None
    operands: tuple[str, ...] = ()
    parts: tuple[ast.expr, ...] = field(default=(), repr=False)
    node: ast.AST | None = field(default=None, repr=False)
    statement: ast.stmt | None = field(default=None, repr=False)

    @cached_property
    def at(self) -> list[Any]:
        return [self.file, self.line, self.column, self.end_line, self.end_column]


def find(step: Step, shown_file: str) -> Site:
    """The place of one step; `shown_file` is the file's name as traces show it."""
    code, _ = step
    line, end_line, column, end_column = position(step)
    site = Site(shown_file, line or code.co_firstlineno, func=positions.name(code))
    text = _text(code.co_filename)
    if not text:
        return site
    module = _parsed(code.co_filename, text)
    lines = text.splitlines()
    if line is None or column is None or end_line is None or end_column is None:
        site.code = lines[site.line - 1].strip() if site.line <= len(lines) else ""
        return site
    site.end_line = end_line
    site.column = _characters(lines, line, column)
    site.end_column = _characters(lines, end_line, end_column)
    if module is None:
        return site
    place = module.innermost(line, column, end_line, end_column)
    if place is None:
        return site
    statement, node, loop = place
    site.code = _header(text, statement)
    site.expr = ast.get_source_segment(text, node) or ""
    site.target = _target(statement, node)
    site.loop = None if loop is None else (loop.lineno, _header(text, loop))
    site.parts = tuple(_parts(node))
    site.operands = tuple(ast.get_source_segment(text, part) or "" for part in site.parts)
    site.node = node
    site.statement = statement
    return site


def position(step: Step) -> positions.Stretch:
    """Line, last line, column and last column; equal for all instructions of one expression."""
    code, instruction = step
    return _positions(code)[instruction // 2]


_positions = cache(positions.positions)


def text_of(step: Step) -> str:
    """The text of the file that a step is in."""
    return _text(step[0].co_filename)


def _text(filename: str) -> str:
    return "".join(linecache.getlines(filename))


def _characters(lines: list[str], line: int, column: int) -> int:
    """A column in characters: Python counts bytes of UTF-8."""
    if line > len(lines):
        return column
    return len(lines[line - 1].encode()[:column].decode(errors="replace"))


@cache
def _parsed(filename: str, text: str) -> "_Module | None":
    try:
        return _Module(ast.parse(text))
    except (SyntaxError, ValueError):
        return None


class _Module:
    """A parsed file, by position."""

    def __init__(self, tree: ast.Module) -> None:
        self._places: dict[
            tuple[int, int, int, int], tuple[ast.stmt, ast.AST, ast.stmt | None]
        ] = {}
        self._index(tree)

    def _index(self, tree: ast.Module) -> None:
        # A stack and no recursion: generated programs nest deeply.
        waiting: list[tuple[ast.AST, ast.stmt | None, ast.stmt | None]] = [(tree, None, None)]
        while waiting:
            node, statement, loop = waiting.pop()
            if isinstance(node, ast.stmt):
                statement = node
            # An expression that is a statement of its own has the same place as that statement.
            is_same = isinstance(node, ast.Expr)
            if statement and isinstance(node, ast.stmt | ast.expr) and not is_same:
                end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
                self._places.setdefault(
                    (node.lineno, node.col_offset, *end), (statement, node, loop)
                )
            inner = loop
            if isinstance(node, ast.For | ast.While):
                inner = node
            elif isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
                inner = None
            waiting.extend((child, statement, inner) for child in ast.iter_child_nodes(node))

    def innermost(
        self, line: int, column: int, end_line: int, end_column: int
    ) -> tuple[ast.stmt, ast.AST, ast.stmt | None] | None:
        return self._places.get((line, column, end_line, end_column))


def _header(text: str, statement: ast.stmt) -> str:
    """A statement's text on one line, of a compound one only its head."""
    lines = text.splitlines()
    last = statement.end_lineno or statement.lineno
    body = getattr(statement, "body", None)
    if isinstance(body, list) and body:
        last = max(statement.lineno, body[0].lineno - 1)
    joined = " ".join(line.strip() for line in lines[statement.lineno - 1 : last])
    return joined if len(joined) <= 200 else joined[:197] + "..."


def _target(statement: ast.stmt, node: ast.AST) -> str | None:
    """The name that `statement` gives to the value of exactly this expression."""
    if isinstance(statement, ast.Assign) and statement.value is node:
        return ast.unparse(statement.targets[0])
    if isinstance(statement, ast.AnnAssign) and statement.value is node:
        return ast.unparse(statement.target)
    if isinstance(statement, ast.AugAssign) and statement is node:
        return ast.unparse(statement.target)
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Tuple):
        names = statement.targets[0]
        if isinstance(names, ast.Tuple) and node in statement.value.elts:
            position = statement.value.elts.index(node)
            if position < len(names.elts):
                return ast.unparse(names.elts[position])
    if isinstance(statement, ast.With):
        for item in statement.items:
            # Python gives `__enter__` the place of the whole statement where there is one item.
            is_it = item.context_expr is node or (node is statement and len(statement.items) == 1)
            if is_it and item.optional_vars is not None:
                return ast.unparse(item.optional_vars)
    return None


def _parts(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.Compare():
            return [node.left, node.comparators[0]]
        case ast.UnaryOp():
            return [node.operand]
        case ast.AugAssign():
            return [node.target, node.value]
        case ast.Call():
            return [part for part in node.args if not isinstance(part, ast.Starred)]
        case ast.Subscript():
            return [node.value]
    return []


UNKNOWN = object()


def held(expression: ast.expr | None, frame: FrameType) -> Any:
    """What a name, attribute or entry holds, looked up without running any of the user's code; else UNKNOWN."""
    match expression:
        case ast.Constant(value):
            return value
        case ast.Name(name):
            return frame.f_locals.get(name, frame.f_globals.get(name, UNKNOWN))
        case ast.Attribute(owner, name):
            return getattr(held(owner, frame), "__dict__", {}).get(name, UNKNOWN)
        case ast.Subscript(owner, ast.Constant(key)):
            holder = held(owner, frame)
            if type(holder) is dict:
                return holder.get(key, UNKNOWN)
            if type(holder) in (list, tuple) and isinstance(key, int) and key < len(holder):
                return holder[key]
    return UNKNOWN


def argument(call: ast.AST | None, position: int, keyword: str) -> ast.expr | None:
    """One argument of a call, by position or name."""
    if not isinstance(call, ast.Call):
        return None
    for given in call.keywords:
        if given.arg == keyword:
            return given.value
    if position < len(call.args) and not any(isinstance(arg, ast.Starred) for arg in call.args):
        return call.args[position]
    return None


def leaf_names(expression: ast.expr | None, count: int) -> list[str | None]:
    """What the user calls each leaf of a nested argument: `[w, b]` gives w and b, a dict its sorted keys' values."""
    if expression is None:
        return [None] * count
    texts = _texts_of_leaves(expression)
    return list(texts) if len(texts) == count else [None] * count


@lru_cache(maxsize=256)
def _texts_of_leaves(expression: ast.expr) -> tuple[str, ...]:
    return tuple([ast.unparse(leaf) for leaf in _leaves(expression)])


def entry_names(expression: ast.expr | None, holder: Any, count: int) -> list[str | None]:
    """How to write each of the `count` leaves of a list, tuple or dict that the user gives under one name."""
    text = "" if expression is None else ast.unparse(expression)
    names: list[str] = []
    is_row = type(holder) in (list, tuple) and len(holder) == count
    if is_row or (holder is UNKNOWN and text.endswith("variables")):
        names = [f"{text}[{i}]" for i in range(count)]
    elif type(holder) is dict:
        names = [f"{text}[{key!r}]" for key in sorted(holder, key=str)]
    is_flat = isinstance(expression, ast.Name | ast.Attribute) and len(names) == count
    return list(names) if is_flat else [None] * count


def turn_names(expression: ast.expr | None, frame: FrameType, count: int) -> list[str | None]:
    """How to write each source that a comprehension gives: of `[b.w for b in blocks]` it is `blocks[0].w`; else nothing."""
    match expression:
        case ast.ListComp(elt, [ast.comprehension(ast.Name(turn), rows, ifs=[])]):
            holder = held(rows, frame)
            if type(holder) in (list, tuple) and len(holder) == count:
                return [_with_entry(elt, turn, f"{ast.unparse(rows)}[{i}]") for i in range(count)]
    return []


def _with_entry(expression: ast.expr, name: str, entry: str) -> str:
    """The text of an expression with the text of an entry in place of a name."""
    changed = copy.deepcopy(expression)
    for node in ast.walk(changed):
        if isinstance(node, ast.Name) and node.id == name:
            node.id = entry
    return ast.unparse(changed)


def _leaves(expression: ast.expr) -> Iterator[ast.expr]:
    if isinstance(expression, ast.List | ast.Tuple):
        for entry in expression.elts:
            yield from _leaves(entry)
    elif isinstance(expression, ast.Dict) and all(
        isinstance(key, ast.Constant) for key in expression.keys
    ):
        pairs = zip(expression.keys, expression.values, strict=True)
        for _, value in sorted(pairs, key=lambda pair: str(getattr(pair[0], "value", ""))):
            yield from _leaves(value)
    else:
        yield expression

"""Finds the location of an event in the user's program: file, line, columns, the expression, the user's own names.

A location is a code object and an instruction in it (`code/positions.py`), so `x * x` is found inside a long line, over several
lines, and in a comprehension. Locations are noted while the program runs, and each is looked up once.
"""

import ast
import copy
import sys
import sysconfig
import threading
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from minitape.source_text import Located, deep_trees, file_text, parsed
from minitape.tracer.code import converted, positions

_PACKAGE = Path(__file__).resolve().parent.parent
_LIBRARY = tuple(
    str(Path(path).resolve())
    for path in {
        sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")
    }
)
_OURS = (str(_PACKAGE), str(_PACKAGE.parent / "cli" / "minitape_cli"))
# Example programs in the package count as the user's, not as the engine's.
_SHOWN = (str(_PACKAGE / "examples"), "_tutorials")


@cache
def is_users(filename: str) -> bool:
    """Whether a file is the user's own: not part of minitape or of a library. A file that AutoGraph generated counts as the
    file of the original function.
    """
    filename = converted.file_of(filename)
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
    """Whether a file is part of minitape's Keras, whose `fit` requests gradients like a library."""
    return str(Path(filename).resolve()).startswith(str(_PACKAGE / "keras"))


@cache
def is_librarys(filename: str) -> bool:
    """Whether a file is neither the user's nor part of minitape."""
    return not is_users(filename) and not str(Path(filename).resolve()).startswith(_OURS)


StackStep = tuple[CodeType, int]  # a code object, and its current instruction

# Functions that run a user's program: their callers (a console script, a test) are not part of it. The keys are their ids,
# because hashing a code object takes longer than everything else here.
_doorsteps: dict[int, CodeType] = {}


def add_doorstep(code: CodeType) -> None:
    """Register the code of a function that runs a user's program."""
    _doorsteps[id(code)] = code
    _owners[code.co_filename] = _HOUSE


_ENGINE, _USER, _HOUSE, _KERAS, _TRAINER = range(5)

# The ends of the names of files with entry points of Keras: minitape's, those of Keras 3, and those of Keras 2.
_KERAS_FILES = (
    *("keras/layers/layer.py", "keras/losses/loss.py", "keras/optimizers/optimizer.py"),
    *("keras/src/layers/layer.py", "keras/src/losses/loss.py"),
    *("keras/src/optimizers/base_optimizer.py", "keras/src/optimizers/loss_scale_optimizer.py"),
    "keras/src/optimizers/multi_optimizer.py",
    *("keras/src/engine/base_layer.py", "keras/src/losses.py", "keras/src/optimizers/optimizer.py"),
    *("keras/src/optimizers/legacy/optimizer_v2.py", "keras/src/utils/metrics_utils.py"),
)
_KERAS_FOLDERS = ("/keras/metrics", "keras/src/metrics")
# These files run the loss and the metrics of a model, and call functions of the user's own metrics.
_TRAINER_FILES = (
    *("keras/training/steps.py", "keras/training/compiled_metrics.py"),
    *("keras/src/trainers/trainer.py", "keras/src/trainers/compile_utils.py"),
    "keras/src/engine/training.py",
)
_ENTRY_POINTS = frozenset(
    ("__call__", "update_state", "result", "decorated", "apply", "apply_gradients")
)


def _kind_of(filename: str) -> int:
    if is_users(filename):
        return _USER
    path = filename.replace("\\", "/")
    if path.endswith(_TRAINER_FILES):
        return _TRAINER
    is_kerass = path.endswith(_KERAS_FILES) or path.rpartition("/")[0].endswith(_KERAS_FOLDERS)
    return _KERAS if is_kerass else _ENGINE


class _Owners(dict[str, int]):
    """For each file whose code runs, whether it is the user's, part of minitape, or part of a library. For minitape and
    libraries, also whether it runs a user's program or contains entry points of Keras.
    """

    def __missing__(self, filename: str) -> int:
        owner = self[filename] = _kind_of(filename)
        return owner


_owners = _Owners()


# The number of the user's frames that `Outer` combines. In a deeper stack, only the innermost frames are examined each time.
_TOGETHER = 32
# The frames of these files recur, each time with a different caller.
_RESUMED = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR


class CallOfKeras(NamedTuple):
    """A running call of a Keras layer, model, loss, metric or optimizer.

    Attributes:
        frame: The frame of its entry point, whose `self` is the layer.
        depth: The number of the user's frames outside it.
    """

    frame: FrameType
    depth: int


class Outer:
    """Frames of the user that wait for a call to return. They do not change while the call runs.

    Attributes:
        outer: The frames around them; None for the outermost.
        steps: The frames, the outermost first.
        count: The number of these frames and of those around them.
        key: A key that is equal for equal `steps`. It contains the ids of their code objects and their current instructions.
    """

    __slots__ = ("__weakref__", "count", "key", "outer", "steps")

    def __init__(self, outer: "Outer | None", steps: tuple[StackStep, ...]) -> None:
        self.outer = outer
        self.steps = steps
        self.count: int = len(steps) + (0 if outer is None else outer.count)
        self.key = tuple([each for code, at in steps for each in (id(code), at)])


class _Known(threading.local):
    """The last deep stack of a thread: its frames, the outermost first, each with the frames and the Keras calls around it."""

    def __init__(self) -> None:
        self.frames: list[tuple[FrameType, Outer, list[CallOfKeras]]] = []
        self.indices: dict[int, int] = {}  # the index in `frames`, keyed by the id of the frame

    def around(self, frame: FrameType) -> tuple[Outer, list[CallOfKeras]] | None:
        """Return the known frames and calls around a frame of the stack, if any; frames inside it are discarded."""
        index = self.indices.get(id(frame))
        if index is None or self.frames[index][0] is not frame:
            return None
        self._leave(index + 1)
        return self.frames[index][1:]

    def add(self, frame: FrameType, outer: Outer, calls_of_keras: list[CallOfKeras]) -> None:
        self.indices[id(frame)] = len(self.frames)
        self.frames.append((frame, outer, calls_of_keras))

    def forget(self) -> None:
        self._leave(0)

    def _leave(self, count: int) -> None:
        while len(self.frames) > count:
            frame, _, _ = self.frames.pop()
            del self.indices[id(frame)]


_known = _Known()


def forget_frames() -> None:
    """Release the frames of a deep stack, because they hold the values of their functions."""
    _known.forget()


class Stack:
    """The frames that led to the caller, examined once for all queries.

    A deep recursion is not examined completely for each op. While a frame waits for a call, neither the frame nor the frames
    around it change. So when a frame is found again, all frames around it are known (`Outer`).

    Attributes:
        calls: The user's innermost frames, each with the frame that it called, the outermost first.
        outer: The user's frames around `calls`, if the stack is deep.
        entry: The frame of the innermost call of Keras that is running; None if there is none.
        key: A key that is equal for equal locations in `calls`, and fast to hash: the ids of their code objects, and their
            current instructions.
    """

    __slots__ = ("_around", "_frames", "calls", "entry", "key", "outer")

    def __init__(self) -> None:
        calls: list[tuple[FrameType, FrameType]] = []
        key: list[int] = []
        frames: list[FrameType] = []  # without the caller's frame, which references this stack
        called = sys._getframe(1)
        frame = called.f_back
        outer = None
        known = _known if _known.frames else None
        entry: FrameType | None = None
        around: Sequence[CallOfKeras] = ()
        while frame is not None:
            code = frame.f_code
            owner = _owners[code.co_filename]
            if owner:
                if owner == _USER:
                    calls.append((frame, called))
                    key += (id(code), frame.f_lasti)
                    if known is not None:
                        found = known.around(frame)
                        if found is not None:
                            outer, around = found
                            frames.append(frame)
                            break
                elif owner == _HOUSE:
                    if id(code) in _doorsteps:
                        break
                elif entry is None:
                    entry = _entry_of(frame, called, owner)
            frames.append(frame)
            called = frame
            frame = frame.f_back
        calls.reverse()
        if known is not None and outer is None:
            known.forget()
        self.entry = around[-1].frame if entry is None and around else entry
        self.calls = calls
        self.outer = outer
        self._around = around
        self._frames = frames
        if len(calls) > 2 * _TOGETHER:
            self.outer = _put_together(calls, outer, self.calls_of_keras)
            key = [
                each for frame, _ in reversed(calls) for each in (id(frame.f_code), frame.f_lasti)
            ]
        self.key = tuple(key)

    @property
    def calls_of_keras(self) -> list[CallOfKeras]:
        """The running Keras calls, the outermost first."""
        depth = len(self.calls) + (0 if self.outer is None else self.outer.count)
        found: list[CallOfKeras] = []
        for called, frame in pairwise(self._frames):
            owner = _owners[frame.f_code.co_filename]
            if owner == _USER:
                depth -= 1
            else:
                entry = _entry_of(frame, called, owner)
                if entry is not None:
                    found.append(CallOfKeras(entry, depth))
        return [*self._around, *reversed(found)]

    @property
    def steps(self) -> tuple[StackStep, ...]:
        """The locations of `calls`."""
        return _steps(self.calls)

    def holds(self, frame: FrameType | None) -> bool:
        """Whether a frame is one of those that led to the caller, and inside the frames that were known before."""
        return frame in self._frames


def here() -> tuple[StackStep, ...]:
    """Return the user's frames that led to the caller, the outermost first; for a deep stack, the innermost ones."""
    return Stack().steps


def _steps(calls: list[tuple[FrameType, FrameType]]) -> tuple[StackStep, ...]:
    return tuple([(frame.f_code, frame.f_lasti) for frame, _ in calls])


def _entry_of(frame: FrameType, called: FrameType, owner: int) -> FrameType | None:
    """Return the frame of the call of Keras that starts in a frame of a library; None if none starts there.

    A trainer runs the loss, and functions of the user's own metrics.
    """
    name = frame.f_code.co_name
    if owner == _KERAS:
        return frame if name in _ENTRY_POINTS else None
    if owner != _TRAINER:
        return None
    if name == "compute_loss":
        return frame
    is_users = _owners[called.f_code.co_filename] == _USER
    return called if is_users and name in _ENTRY_POINTS else None


def _put_together(
    calls: list[tuple[FrameType, FrameType]],
    outer: Outer | None,
    calls_of_keras: list[CallOfKeras],
) -> Outer | None:
    """Move the outermost frames out of `calls`; return the frames that are then around the others."""
    start = 0
    count = 0 if outer is None else outer.count
    for index in range(_TOGETHER, len(calls) - _TOGETHER):
        frame = calls[index][0]
        if index - start >= _TOGETHER and not frame.f_code.co_flags & _RESUMED:
            outer = Outer(outer, _steps(calls[start:index]))
            around = [each for each in calls_of_keras if each.depth <= count + index]
            _known.add(frame, outer, around)
            start = index
    del calls[:start]
    return outer


@dataclass
class CallSite:
    """A location in the user's code, with its texts.

    Attributes:
        line, column: Lines are counted from 1, columns from 0 in characters; `column` is -1 if only the line is known.
        expr: The expression.
        code: Its whole statement.
        target: The name that the statement assigns this expression to.
        operands: The texts of its operands.
        parts: The syntax trees of its operands.
        is_compared: Whether the value is part of a comparison.

    Very long texts are shortened in the middle.
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
    is_compared: bool = False

    @cached_property
    def at(self) -> list[Any]:
        return [self.file, self.line, self.column, self.end_line, self.end_column]


# A sum of 3,000 terms has 3,000 locations, each with the text of all terms before it.
_LONGEST = 2_000


def find(step: StackStep, shown_file: str) -> CallSite:
    """Return the call site of one step; `shown_file` is the name of the file in traces."""
    code, _ = step
    line, end_line, column, end_column = position(step)
    site = CallSite(shown_file, line or code.co_firstlineno, func=converted.name_of(code))
    text = file_text(converted.file_of(code.co_filename))
    if not text.lines:
        return site
    if line is None or column is None or end_line is None or end_column is None:
        site.code = text.lines[site.line - 1].strip() if site.line <= len(text.lines) else ""
        return site
    site.end_line = end_line
    site.column = text.column(line, column)
    site.end_column = text.column(end_line, end_column)
    module = _module(text)
    location = None if module is None else module.innermost(line, column, end_line, end_column)
    if module is None or location is None:
        return site
    statement, node, loop = location.statement, location.node, location.loop
    site.code = module.header(statement)
    site.expr = text.segment(node, _LONGEST)
    site.target = _target(statement, node)
    site.loop = None if loop is None else (loop.lineno, module.header(loop))
    site.parts = tuple(_parts(node))
    site.operands = tuple([text.segment(part, _LONGEST) for part in site.parts])
    site.node = node
    site.statement = statement
    site.is_compared = location.is_compared
    return site


def position(step: StackStep) -> positions.Stretch:
    """Return line, last line, column and last column, which are equal for all instructions of one expression."""
    code, instruction = step
    known = _positions.get(id(code))
    if known is None:
        if len(_positions) >= _MOST_CODES:
            _positions.clear()
        known = _positions[id(code)] = code, converted.positions_of(code)
    return known[1][instruction // 2]


# The keys contain the id of the code object, because hashing it takes time proportional to its length. The code object is kept
# alive, so that its id stays unique.
_positions: dict[int, tuple[CodeType, list[positions.Stretch]]] = {}
_MOST_CODES = 10_000


@lru_cache(maxsize=64)
def _module(text: Located) -> "_Module | None":
    try:
        return _Module(text, parsed(text.text))
    except SyntaxError:
        return None


class _Position(NamedTuple):
    """An expression or statement, the statement and the loop around it, and whether its value is part of a comparison."""

    node: ast.expr | ast.stmt
    statement: ast.stmt
    loop: ast.stmt | None
    is_compared: bool


class _Module:
    """A parsed file, indexed by position. Parts without events, such as a long table of data, are skipped."""

    def __init__(self, text: Located, tree: ast.Module) -> None:
        self._text = text
        self._body = tree.body
        self._indexed: set[int] = set()
        self._locations: dict[tuple[int, int, int, int], _Position] = {}
        self._headers: dict[ast.stmt, str] = {}

    def innermost(self, line: int, column: int, end_line: int, end_column: int) -> _Position | None:
        """Return the expression or statement at exactly this position."""
        number = bisect_right(self._body, (line, column), key=_start) - 1
        if number >= 0 and number not in self._indexed:
            self._indexed.add(number)
            self._index(self._body[number])
        return self._locations.get((line, column, end_line, end_column))

    def _index(self, outermost: ast.stmt) -> None:
        # This uses a stack instead of recursion, because generated programs nest deeply.
        waiting: list[tuple[ast.AST, ast.stmt, ast.stmt | None, bool, bool]] = [
            (outermost, outermost, None, False, False)
        ]
        while waiting:
            node, statement, loop, is_compared, is_named = waiting.pop()
            if isinstance(node, ast.stmt):
                statement, is_compared, is_named = node, False, False
            elif isinstance(node, ast.Compare):
                is_compared = True
            elif isinstance(node, ast.NamedExpr):
                is_named = True
            # An expression that is a statement has the same position as the statement.
            if isinstance(node, ast.stmt | ast.expr) and not isinstance(node, ast.Expr):
                end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
                self._locations.setdefault(
                    (node.lineno, node.col_offset, *end),
                    _Position(node, statement, loop, is_compared and not is_named),
                )
            inner = loop
            if isinstance(node, ast.For | ast.While):
                inner = node
            elif isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
                inner = None
            waiting.extend(
                (child, statement, inner, is_compared, is_named)
                for child in ast.iter_child_nodes(node)
            )

    def header(self, statement: ast.stmt) -> str:
        """Return the text of a statement on one line; of a compound statement only its header."""
        known = self._headers.get(statement)
        if known is None:
            known = self._headers[statement] = _header(self._text, statement)
        return known


def _start(statement: ast.stmt) -> tuple[int, int]:
    """Return where a statement starts, with its decorators."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    nodes: list[ast.expr | ast.stmt] = [statement, *decorators]
    return min([(each.lineno, each.col_offset) for each in nodes])


_LONGEST_HEADER = 200


def _header(text: Located, statement: ast.stmt) -> str:
    last = statement.end_lineno or statement.lineno
    body = getattr(statement, "body", None)
    if isinstance(body, list) and body:
        last = max(statement.lineno, body[0].lineno - 1)
    joined = ""
    for line in text.lines[statement.lineno - 1 : last]:
        joined = f"{joined} {line.strip()}" if joined else line.strip()
        if len(joined) > _LONGEST_HEADER:
            return joined[: _LONGEST_HEADER - 3] + "..."
    return joined


def unparsed(node: ast.AST) -> str:
    """Return a node as text, even if it nests more deeply than Python's recursion limit in the user's program."""
    with deep_trees():
        return ast.unparse(node)


def _target(statement: ast.stmt, node: ast.AST) -> str | None:
    """Return the name that `statement` assigns exactly this expression to."""
    if isinstance(statement, ast.Assign) and statement.value is node:
        return unparsed(statement.targets[0])
    if isinstance(statement, ast.AnnAssign) and statement.value is node:
        return unparsed(statement.target)
    if isinstance(statement, ast.AugAssign) and statement is node:
        return unparsed(statement.target)
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Tuple):
        names = statement.targets[0]
        if isinstance(names, ast.Tuple) and node in statement.value.elts:
            position = statement.value.elts.index(node)
            if position < len(names.elts):
                return unparsed(names.elts[position])
    if isinstance(statement, ast.With):
        for item in statement.items:
            # Python gives `__enter__` the position of the whole statement if it has one item.
            is_it = item.context_expr is node or (node is statement and len(statement.items) == 1)
            if is_it and item.optional_vars is not None:
                return unparsed(item.optional_vars)
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
    """Return the value of a name, attribute or item, looked up without running any of the user's code; else UNKNOWN."""
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
    """Return one argument of a call, by position or name."""
    if not isinstance(call, ast.Call):
        return None
    for given in call.keywords:
        if given.arg == keyword:
            return given.value
    if position < len(call.args) and not any(isinstance(arg, ast.Starred) for arg in call.args):
        return call.args[position]
    return None


def leaf_names(expression: ast.expr | None, count: int) -> list[str | None]:
    """Return the names of the leaves of a nested argument: w and b for `[w, b]`; for a dict, in the order of its sorted keys."""
    if expression is None:
        return [None] * count
    texts = _texts_of_leaves(expression)
    return list(texts) if len(texts) == count else [None] * count


@lru_cache(maxsize=256)
def _texts_of_leaves(expression: ast.expr) -> tuple[str, ...]:
    return tuple([unparsed(leaf) for leaf in _leaves(expression)])


def entry_names(expression: ast.expr | None, holder: Any, count: int) -> list[str | None]:
    """Return an expression for each of the `count` leaves of a list, tuple or dict that has a single name."""
    text = "" if expression is None else unparsed(expression)
    names: list[str] = []
    is_row = type(holder) in (list, tuple) and len(holder) == count
    if is_row or (holder is UNKNOWN and text.endswith("variables")):
        names = [f"{text}[{i}]" for i in range(count)]
    elif type(holder) is dict:
        names = [f"{text}[{key!r}]" for key in sorted(holder, key=str)]
    is_flat = isinstance(expression, ast.Name | ast.Attribute) and len(names) == count
    return list(names) if is_flat else [None] * count


def iteration_names(expression: ast.expr | None, frame: FrameType, count: int) -> list[str | None]:
    """Return each source of a comprehension as text, such as `blocks[0].w` for `[b.w for b in blocks]`; otherwise nothing."""
    match expression:
        case ast.ListComp(elt, [ast.comprehension(ast.Name(iteration), rows, ifs=[])]):
            holder = held(rows, frame)
            if type(holder) in (list, tuple) and len(holder) == count:
                return [_with_entry(elt, iteration, f"{unparsed(rows)}[{i}]") for i in range(count)]
    return []


def _with_entry(expression: ast.expr, name: str, entry: str) -> str:
    """Return the text of an expression with the text of an item in place of a name."""
    with deep_trees():
        changed = copy.deepcopy(expression)
    for node in ast.walk(changed):
        if isinstance(node, ast.Name) and node.id == name:
            node.id = entry
    return unparsed(changed)


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

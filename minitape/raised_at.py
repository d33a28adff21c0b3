"""The call in the user's program that led into the engine, and the names that its values have in the program.

    FailedCall  the line, the expression, the texts of its operands
    find        returns it; called just before an error is raised

This module is used only for errors, so it may be slow; a program without errors never calls it.
"""

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any

from minitape.source_text import file_text

_OURS = "minitape"
_BETWEEN = {
    "numpy",
    "contextlib",
    "functools",
}  # these modules call back into minitape on the user's behalf
_SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
_LONGEST = 40  # characters of an operand's text; a longer text would not help the reader
_MOST = 6  # values that are shown with their shapes


@dataclass(frozen=True)
class FailedCall:
    """A call in the user's program.

    `spoken` is the op as the user writes it: `tf.matmul`, or `x @ w`. `operands` are the source texts of its arguments (() if the
    user called another function of minitape, which then called the op). If the first argument is a list, `listed` contains the
    source texts of its elements. `values` are the arrays and tensors that the expression names.
    """

    file: str
    line: int
    code: str
    spoken: str = ""
    operands: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    values: dict[str, Any] = field(default_factory=dict)

    def names(self, arrays: Sequence[Any]) -> list[str]:
        """Return the name of each input of an op in the program; "input 0" and so on if it is not certain."""
        unknown = [f"input {i}" for i in range(len(arrays))]
        texts = self.listed if len(self.listed) == len(arrays) > 1 else self.operands
        if len(texts) < len(arrays) or any(len(text) > _LONGEST for text in texts):
            return unknown
        for text, array in zip(texts, arrays):
            # A function may pass on a different object than it was given; a tensor is identified by its array.
            value = self.values.get(text)
            if value is not None and getattr(value, "_array", array) is not array:
                return unknown
        return list(texts[: len(arrays)])

    def __str__(self) -> str:
        from pathlib import Path  # here, so that importing minitape is faster

        lines = [f"  line: {Path(self.file).name}:{self.line}  {self.code}"]
        shown = [_described(name, value) for name, value in list(self.values.items())[:_MOST]]
        if shown:
            lines.append(f"  with: {', '.join(shown)}")
        return "\n".join(lines)


def find(raised: TracebackType | None = None) -> FailedCall | None:
    """Return the user's call that is running now, or that led to an error; None if its source cannot be read.

    Args:
        raised: The traceback of an error whose message is created after it was raised.
    """
    inner = sys._getframe(1)
    for frame, line, instruction in _running() if raised is None else _passed(raised):
        if not _is_between(frame):
            return _call_in(frame, line, instruction, inner)
        inner = frame
    return None


def _running() -> Iterator[tuple[FrameType, int, int]]:
    """Yield the running frames, from the innermost to the outermost, each with its line and its instruction."""
    frame = sys._getframe(1).f_back
    while frame is not None:
        yield frame, frame.f_lineno, frame.f_lasti
        frame = frame.f_back


def _passed(raised: TracebackType) -> Iterator[tuple[FrameType, int, int]]:
    """Return the frames of a traceback in the same form; their current instruction may have changed since."""
    entries = []
    entry: TracebackType | None = raised
    while entry is not None:
        entries.append((entry.tb_frame, entry.tb_lineno, entry.tb_lasti))
        entry = entry.tb_next
    return reversed(entries)


def _call_in(frame: FrameType, line: int, instruction: int, inner: FrameType) -> FailedCall | None:
    file = frame.f_code.co_filename
    lines = file_text(file).lines
    code = lines[line - 1].strip() if line <= len(lines) else ""
    if not code:
        return None
    expression = _expression(frame, instruction)
    if expression is None:
        return FailedCall(file, line, code)
    values = dict(_values(expression, frame))
    if not _is_called_by(expression, inner):
        return FailedCall(file, line, code, values=values)
    operands, listed = _operands(expression)
    return FailedCall(file, line, code, _spoken(expression), operands, listed, values)


def _is_between(frame: FrameType) -> bool:
    name = frame.f_globals.get("__name__") or ""
    return name.partition(".")[0] in {_OURS, *_BETWEEN} and not name.startswith("minitape.examples")


def _expression(frame: FrameType, instruction: int) -> ast.AST | None:
    """Return the expression that is running in a frame; Python knows its place in the file since 3.11."""
    if not hasattr(frame.f_code, "co_positions"):
        return None
    location = list(frame.f_code.co_positions())[instruction // 2]
    line, end_line, column, end_column = location
    if line is None or end_line is None or column is None or end_column is None:
        return None
    source = file_text(frame.f_code.co_filename)
    if line > len(source.lines):
        return None
    text = source.text[source.offset(line, column) : source.offset(end_line, end_column)]
    try:
        parsed = ast.parse(f"({text})", mode="eval").body
    except SyntaxError:
        return _statement(text)
    return parsed


def _statement(text: str) -> ast.AST | None:
    """Return the statement, because `x += w` runs as a whole statement."""
    try:
        body = ast.parse(text.strip()).body
    except SyntaxError:
        return None
    return body[0] if len(body) == 1 else None


def _is_called_by(expression: ast.AST, inner: FrameType) -> bool:
    """Whether the expression calls the op directly, and not through another function of minitape."""
    entered = inner.f_code.co_name
    module = inner.f_globals.get("__name__", "")
    if isinstance(expression, ast.Call):
        called = ast.unparse(expression.func).rpartition(".")[2]
        return bool(entered == called or module == "minitape.core.primitive")
    return bool(module.startswith("minitape.core."))


def _spoken(expression: ast.AST) -> str:
    """Return the op as the user writes it: the function, or the whole expression around an operator if it is short."""
    if isinstance(expression, ast.Call):
        return ast.unparse(expression.func)
    text = ast.unparse(expression)
    operator = getattr(expression, "op", None) or getattr(expression, "ops", [None])[0]
    return text if len(text) <= _LONGEST else _SYMBOLS.get(type(operator), "")


def _operands(expression: ast.AST) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the texts of the operands, and of the elements of a list that is a call's first argument."""
    parts: list[ast.expr] = []
    listed: list[ast.expr] = []
    if isinstance(expression, ast.BinOp):
        parts = [expression.left, expression.right]
    elif isinstance(expression, ast.AugAssign):
        parts = [expression.target, expression.value]
    elif isinstance(expression, ast.Compare):
        parts = [expression.left, expression.comparators[0]]
    elif isinstance(expression, ast.Call):
        parts = [*expression.args, *(keyword.value for keyword in expression.keywords)]
        if parts and isinstance(parts[0], ast.List | ast.Tuple):
            listed = parts[0].elts
    return tuple(map(ast.unparse, parts)), tuple(map(ast.unparse, listed))


def _values(expression: ast.AST, frame: FrameType) -> Iterator[tuple[str, Any]]:
    """Yield the names in an expression that refer to something with a shape."""
    for node in ast.walk(expression):
        if isinstance(node, ast.Name | ast.Attribute):
            value = _held(node, frame)
            if _is_array(value):
                yield ast.unparse(node), value


def _is_array(value: Any) -> bool:
    """Whether the value is a tensor, variable or array; reading the shape of any other object may run code."""
    kind = type(value)
    is_known = kind.__module__.partition(".")[0] in (_OURS, "numpy")
    return is_known and hasattr(kind, "__array__")


def _held(node: ast.AST, frame: FrameType) -> Any:
    """Return the value of a name; attributes are looked up without running any code of the user."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if isinstance(node, ast.Attribute):
        owner = _held(node.value, frame)
        return getattr(owner, "__dict__", {}).get(node.attr)
    return None


def _described(name: str, value: Any) -> str:
    dtype = getattr(value.dtype, "name", value.dtype)
    return f"{name} {tuple(value.shape)} {dtype}"

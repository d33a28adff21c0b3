"""Finds and replaces parts of a program's syntax tree, for the rules.

SourcePart  a text of the program, and its name
FixContext  the location of a mistake, its gradient call, and its tape; `spot_of` returns it
Joined    the parts of a program, or the cells of a notebook, as one tree with continuous line numbers
"""

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from minitape.explain.at_source import originals
from minitape.explain.causes import CAUSES
from minitape.explain.causes.cause import Cause
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.report import CallReport, Finding, FixedFile, Location, SourceReport
from minitape.fixes.text.patching import marked, patched
from minitape.source_text import decoded, lines_of
from minitape.trace import events

_Node = TypeVar("_Node", bound=ast.AST)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class SourcePart(Protocol):
    """A text that is compiled separately: a script or a cell; `file` is its name in explanations."""

    @property
    def file(self) -> str: ...

    @property
    def text(self) -> bytes: ...


@dataclass(frozen=True)
class FixContext:
    """The information that a rule may use.

    Attributes:
        cause: The cause of the finding.
        place: The location of the finding.
        fix: The advice of the finding.
        call: The location of the gradient call.
        source: The name of the source of the call.
        made: The line that created the source; 0 if it is not in the program.
        opened: The line that opens the tape; 0 if it is not in the program.
        lines: The lines of all events of the cause.
        recorder: The name of the tape that recorded the ops that the tape of the call did not record.
        original: The location of the value of which the source is a copy.
        is_same_shape: Whether that value has the shape of the source.
        joined: The whole program as one tree.
    """

    cause: Cause[Any]
    place: Location
    fix: str
    call: Location
    source: str
    made: int
    opened: int
    lines: tuple[int, ...]
    recorder: str | None
    original: Location | None
    is_same_shape: bool
    joined: "Joined"

    @property
    def advised_code(self) -> str:
        """The code of the advice "write `...`"."""
        return self.fix.removeprefix("write `").partition("`")[0]

    def words(self, line: int) -> str:
        """Return the location of a line: `line 3`, or `line 3 of <cell 2>` in a notebook."""
        return self.joined.words(line)

    def line_of_place(self, line: int) -> int:
        """Return the line number in the whole program, for a line of the part to which the finding points."""
        return self.joined.line_beside(self.place.line, line)


class Joined:
    """The parts of a program as one tree; a statement that moves to another part gets its new location."""

    def __init__(self, parts: Sequence[SourcePart]) -> None:
        self._parts = parts
        self._texts = [lines_of(decoded(part.text)) for part in parts]
        self._starts = [0]
        for lines in self._texts:
            self._starts.append(self._starts[-1] + len(lines) + 1)

    @property
    def tree(self) -> ast.Module:
        """All statements, one part after the other."""
        whole = ast.Module([], [])
        for number, part in enumerate(self._parts):
            tree = marked(part.text, number)
            whole.body += ast.increment_lineno(tree, self._starts[number]).body
        return whole

    def apart(self, tree: ast.Module) -> list[ast.Module]:
        """Return a separate tree for each part, with the line numbers of that part."""
        modules = [ast.Module([], []) for _ in self._parts]
        for statement in tree.body:
            number = self._number(statement.lineno)
            modules[number].body.append(self._back_in_part(statement, number))
        return modules

    def fixed(self, tree: ast.Module) -> tuple[FixedFile, ...]:
        """Return the parts that a fixed tree changes, as text; empty if one of them cannot be written."""
        changed = []
        for number, module in enumerate(self.apart(copy.deepcopy(tree))):
            part = self._parts[number]
            before = decoded(part.text)
            after = patched(before, module, number)
            if after is None:
                return ()
            if after != before:
                changed.append(FixedFile(part.file, before, after))
        return tuple(changed)

    def _number(self, line: int) -> int:
        return max(i for i in range(len(self._parts)) if self._starts[i] < line)

    def _back_in_part(self, statement: ast.stmt, number: int) -> ast.stmt:
        start, end = self._starts[number], self._starts[number + 1]
        first = statement.lineno
        for node in ast.walk(statement):
            if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias):
                if not start < node.lineno <= end:
                    node.lineno = node.end_lineno = first
                    node.col_offset = node.end_col_offset = 0
                node.lineno -= start
                node.end_lineno = max(node.lineno, (node.end_lineno or node.lineno) - start)
        return statement

    def line(self, file: str, line: int) -> int | None:
        """Return the line number in the whole program for a line of a part; None for a file that is not a part."""
        known = [part.file for part in self._parts]
        names = [Path(each).name for each in known]  # a trace has only the script's name
        if file in known:
            return self._starts[known.index(file)] + line
        name = Path(file).name
        return self._starts[names.index(name)] + line if name in names else None

    def line_beside(self, known: int, line: int) -> int:
        """Return the line number in the whole program, for a line of the part that contains the line `known`."""
        return self._starts[self._number(known)] + line

    def place(self, place: Location) -> Location | None:
        """Return the same location in the whole program, with columns in bytes, as in syntax trees."""
        start = self.line(place.file, 0)
        if start is None:
            return None
        moved = replace(place, line=place.line + start, end_line=place.end_line + start)
        lines = self._texts[self._number(start + 1)]
        if place.column < 0 or not 0 < place.line <= place.end_line <= len(lines):
            return moved
        first = len(lines[place.line - 1][: place.column].encode())
        last = len(lines[place.end_line - 1][: place.end_column].encode())
        return replace(moved, column=first, end_column=last)

    def words(self, line: int) -> str:
        """Return the text for a line of the whole program."""
        number = self._number(line)
        within = "" if len(self._parts) == 1 else f" of {self._parts[number].file}"
        return f"line {line - self._starts[number]}{within}"


# --- from a finding ---


def spot_of(
    joined: Joined, flow: FlowGraph, call: CallReport, source: SourceReport, finding: Finding
) -> FixContext | None:
    """Return the context of a mistake in the parts of a program; None if no part contains the mistake."""
    place, requested_at = joined.place(finding.location), joined.place(call.location)
    if place is None or requested_at is None:
        return None
    requested = flow.event(call.event)
    assert isinstance(requested, events.GradientEvent)
    (tape,) = requested.tapes
    entered = flow.tapes[tape].entered
    numbers = [
        *finding.events,
        *(hop.event for hop in finding.path if hop.lost == finding.slug),
    ]
    evidence = [flow.event(number) for number in numbers]
    opened = flow.event(entered[0]) if entered else None
    lines = {place.line, *(_line_of(joined, each) for each in evidence if each is not opened)}
    original = _place(flow.event(finding.events[-1])) if len(finding.events) > 1 else None
    return FixContext(
        cause=CAUSES[finding.slug],
        place=place,
        fix=finding.fix,
        call=requested_at,
        source=source.name,
        made=_line_of(joined, flow.born.get(source.value)),
        opened=_line_of(joined, opened),
        lines=tuple(sorted(lines)),
        recorder=_recorder(flow, evidence),
        original=None if original is None else joined.place(original),
        is_same_shape=_is_same_shape(flow, source.value),
        joined=joined,
    )


def _line_of(joined: Joined, event: events.Event | None) -> int:
    """Return the line of an event in the program; 0 if no part contains the event."""
    place = _place(event)
    return (None if place is None else joined.line(place.file, place.line)) or 0


def _place(event: events.Event | None) -> Location | None:
    at = event.at if isinstance(event, events.Placed) else None
    return None if at is None else Location(*at)


def _recorder(flow: FlowGraph, evidence: list[events.Event]) -> str | None:
    """Return the name of the tape that recorded the ops of the finding."""
    for event in evidence:
        if isinstance(event, events.OpEvent) and event.recorded:
            entered = flow.tapes[event.recorded[-1]].entered
            opened = flow.event(entered[0]) if entered else None
            return opened.name if isinstance(opened, events.TapeEnterEvent) else None
    return None


def _is_same_shape(flow: FlowGraph, source: int) -> bool:
    """Whether a copy has the shape of its original."""
    ends = flow.numbers.get(source), flow.numbers.get([source, *originals(flow, source)][-1])
    shapes = [None if each is None else each.shape for each in ends]
    return shapes[0] == shapes[1]


# --- finding ---


def expressions_at(tree: ast.AST, place: Location) -> Iterator[ast.expr]:
    """Yield the expressions at a location, the outermost first."""
    wanted = place.line, place.column, place.end_line, place.end_column
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            span = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
            if span == wanted:
                yield node


def bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield all lists of statements, outer lists before inner lists."""
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield value


def covers(node: ast.stmt, line: int) -> bool:
    """Whether a line belongs to a statement."""
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def statement_at(tree: ast.AST, line: int) -> tuple[list[ast.stmt], ast.stmt] | None:
    """Return the innermost statement that covers a line, and the list of statements that contains it."""
    found = [(body, each) for body in bodies(tree) for each in body if covers(each, line)]
    return min(found, key=lambda at: (at[1].end_lineno or 0) - at[1].lineno, default=None)


def tape_block(tree: ast.AST, opened: int) -> tuple[ast.With, ast.withitem] | None:
    """Return the `with` statement that opens the tape."""
    for node in ast.walk(tree):
        if isinstance(node, ast.With) and node.lineno <= opened < node.body[0].lineno:
            tapes = [each for each in node.items if "GradientTape" in ast.unparse(each)]
            if len(tapes) == 1:
                return node, tapes[0]
    return None


@dataclass(frozen=True)
class Level:
    """A list of statements, the node to which it belongs, and the index of its statement that contains another statement."""

    owner: ast.AST
    body: list[ast.stmt]
    index: int

    @property
    def statement(self) -> ast.stmt:
        return self.body[self.index]


def levels(tree: ast.AST, statement: ast.stmt) -> list[Level]:
    """Return the lists around a statement up to its function, or to the program; the innermost first."""
    found: list[Level] = []
    inner: ast.stmt | None = statement
    while inner is not None:
        level = _level(tree, inner)
        if level is None:
            break
        found.append(level)
        owner = level.owner
        inner = owner if isinstance(owner, ast.stmt) and not isinstance(owner, Function) else None
    return found


def _level(tree: ast.AST, statement: ast.stmt) -> Level | None:
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and any(each is statement for each in value):
                return Level(node, value, value.index(statement))
    return None


def function_around(tree: ast.AST, line: int) -> Function | None:
    """Return the innermost function that contains a line."""
    around = [node for node in ast.walk(tree) if isinstance(node, Function) and covers(node, line)]
    return max(around, key=lambda node: node.lineno, default=None)


def names_in(node: ast.AST, how: type[ast.expr_context]) -> set[str]:
    """Return the names that a part of a program reads (`ast.Load`) or assigns (`ast.Store`)."""
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, how)
    }


# --- replacing ---


def exchange(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Replace `old` with `new`."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if value is old:
                setattr(node, name, new)
            elif isinstance(value, list):
                value[:] = [new if each is old else each for each in value]


def placed(new: _Node, old: ast.AST) -> _Node:
    """Return `new` with the location of `old`."""
    for node in ast.walk(new):
        ast.copy_location(node, old)
    return new


def statement_of(text: str, old: ast.AST) -> ast.stmt:
    """Return one statement from its text, with the location of `old`."""
    return placed(ast.parse(text).body[0], old)

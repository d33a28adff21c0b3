"""The iterations of loops in which each op ran.

A trace has the location of an op in the source, but not how often Python had reached that location before. The loops around a
location follow from the source text, which is in the trace. A new iteration has started if the program is further up in the
loop's body than before. If a body is a single statement, its most regular op marks the iterations.

    Ring     a loop of the source, in one call of the function that contains it
    Iteration one iteration
"""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from minitape.draw.words import short
from minitape.source_text import located
from minitape.trace import events
from minitape.trace.events import SourceRange
from minitape.trace.trace import Trace

_COUNTER = re.compile(r"for (\w+) in range\((\w+)\):?$")
_LOOPS = ast.For | ast.AsyncFor | ast.While
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
_LONGEST_SOURCE = 2_000_000


class Ring:
    """A loop. `frame` is the index in the stack of the call that contains it; `id` distinguishes two calls of one function.

    `length` is the number of its iterations if the head of the loop contains it as a literal, otherwise 0.
    """

    def __init__(self, id_: int, file: str, line: int, title: str, frame: int) -> None:
        self.id, self.file, self.line, self.title, self.frame = id_, file, line, title, frame
        counts = _COUNTER.match(title)
        self._counter = counts[1] if counts else ""
        self.length = int(counts[2]) if counts and counts[2].isdecimal() else 0

    def iteration_name(self, iteration: int) -> str:
        """Return `t=3` if the head of the loop counts with `t` in a range, otherwise `iteration 4`."""
        return f"{self._counter}={iteration}" if self._counter else f"iteration {iteration + 1}"


class Iteration(NamedTuple):
    """One iteration of a loop, from 0."""

    ring: Ring
    number: int

    @property
    def name(self) -> str:
        return self.ring.iteration_name(self.number)


@dataclass(frozen=True)
class _Around:
    """A loop around a location: its head, and the statement of its body that contains the location."""

    line: int
    column: int
    title: str
    statement: int


class _Op(NamedTuple):
    """An op and its loops, while its iterations are determined: `rings` from the outermost, with the statement of the body
    for each."""

    event: int
    rings: Sequence[tuple[Ring, int]]
    location: object
    looks: object
    reads: frozenset[int]


Iterations = dict[int, tuple[Iteration, ...]]


def iterations_of(trace: Trace) -> Iterations:
    """Return the iterations of each event in a loop (an op, or a number that re-entered), the outermost loop first."""
    finder = _Rings(trace)
    variables = {event.variable: event.variable for event in trace.of(events.VariableEvent)}
    variables |= {event.value: event.variable for event in trace.of(events.ReadEvent)}
    ran = trace.of(events.OpEvent, events.ReentryEvent)
    ops = [_op(event, rings, variables) for event in ran if (rings := finder.around(event))]
    found: dict[int, list[Iteration]] = defaultdict(list)
    waiting = [(ops, 0)]
    while waiting:
        some, depth = waiting.pop()
        for ring, run in _runs(some, depth):
            for number, ops_of_iteration in enumerate(_iterations(run, depth)):
                iteration = Iteration(ring, number)
                for op in ops_of_iteration:
                    found[op.event].append(iteration)
                deeper = [op for op in ops_of_iteration if len(op.rings) > depth + 1]
                if deeper:
                    waiting.append((deeper, depth + 1))
    return {event: tuple(iterations) for event, iterations in found.items()}


def _op(
    event: events.OpEvent | events.ReentryEvent,
    rings: Sequence[tuple[Ring, int]],
    variables: Mapping[int, int],
) -> _Op:
    if isinstance(event, events.ReentryEvent):
        return _Op(event.i, rings, event.at, (event.at,), frozenset())
    location = (event.at, event.name)
    looks = (location, *[(tuple(output.shape), output.dtype) for output in event.outputs])
    reads = [variables[given.value] for given in event.inputs if given.value in variables]
    return _Op(event.i, rings, location, looks, frozenset(reads))


# --- iterations ---


def _runs(ops: Iterable[_Op], depth: int) -> Iterator[tuple[Ring, list[_Op]]]:
    """Yield consecutive ops within one loop."""
    ring, run = None, list[_Op]()
    for op in ops:
        if ring is not None and op.rings[depth][0] != ring:
            yield ring, run
            run = []
        ring = op.rings[depth][0]
        run.append(op)
    if ring is not None:
        yield ring, run


def _iterations(run: list[_Op], depth: int) -> Iterator[list[_Op]]:
    """Yield the ops of each iteration."""
    direct = [op for op in run if len(op.rings) == depth + 1]
    if run[0].rings[depth][0].length == 1:
        yield run
        return
    inner = {op.rings[depth + 1][0] for op in run if len(op.rings) > depth + 1}
    if not direct and len(inner) == 1 and (length := inner.pop().length):
        # The body consists of a single loop, so the body starts again when that loop has finished.
        iterations = list(_iterations(run, depth + 1))
        for start in range(0, len(iterations), length):
            yield [op for iteration in iterations[start : start + length] for op in iteration]
        return
    sign = _signs(direct)
    anchor = _anchor([sign(op) for op in direct])
    iteration, last, is_seen = list[_Op](), -1, False
    for op in run:
        statement = op.rings[depth][1]
        is_anchor = len(op.rings) == depth + 1 and sign(op) == anchor
        if iteration and (statement < last or (is_anchor and is_seen)):
            yield iteration
            iteration, is_seen = [], False
        iteration.append(op)
        last, is_seen = statement, is_seen or is_anchor
    yield iteration


def _signs(ops: Sequence[_Op]) -> Callable[[_Op], object]:
    """Return a function whose result is equal for the same op in different iterations."""
    if _is_reported_by_variables(ops):
        return lambda op: (op.looks, op.reads)
    if len({op.looks for op in ops}) < len(ops):
        return lambda op: op.looks
    return lambda op: op.location  # these shapes grow with each iteration


def _is_reported_by_variables(ops: Iterable[_Op]) -> bool:
    """Whether the same variables recur. If they do, they distinguish the layers of one iteration; otherwise they distinguish
    iterations.
    """
    seen: dict[object, set[frozenset[int]]] = defaultdict(set)
    counts: Counter[object] = Counter()
    for op in ops:
        if op.reads:
            seen[op.looks].add(op.reads)
            counts[op.looks] += 1
    return any(1 < len(seen[looks]) < counts[looks] for looks in seen)


def _anchor(signs: list[object]) -> object:
    """Return the first op among those with the most common frequency, which is once per iteration."""
    counts = Counter(signs)
    often = Counter(counts.values())
    usual = max(often, key=lambda times: (often[times], times), default=0)
    return next((sign for sign in signs if counts[sign] == usual), None)


# --- loops of the source ---


class _Rings:
    """The loops around the locations of a trace."""

    def __init__(self, trace: Trace) -> None:
        self._sites = trace.sites
        self._texts = {source.file: source.text for source in trace.of(events.SourceEvent)}
        self._files: dict[str, _LoopsOfFile] = {}
        self._of_stack: dict[tuple[int, ...], list[tuple[Ring, int]]] = {}
        self._calls: dict[tuple[int, SourceRange], int] = {}
        self._rings: dict[tuple[int, str, int, int], Ring] = {}

    def around(self, event: events.Placed) -> list[tuple[Ring, int]]:
        """Return the loops around an event, the outermost first, and the statement of each body."""
        stack = tuple(event.stack)
        if stack not in self._of_stack:
            sites = [self._sites[site] for site in stack if site in self._sites]
            self._of_stack[stack] = list(self._find(sites))
        return self._of_stack[stack]

    def _find(self, sites: Sequence[events.SiteEvent]) -> Iterator[tuple[Ring, int]]:
        call = 0
        for frame, site in enumerate(sites):
            file = site.at.file
            for loop in self._loops(site):
                key = (call, file, loop.line, loop.column)
                if key not in self._rings:
                    ring = Ring(len(self._rings) + 1, file, loop.line, loop.title, frame)
                    self._rings[key] = ring
                yield self._rings[key], loop.statement
            call = self._calls.setdefault((call, site.at), len(self._calls) + 1)

    def _loops(self, site: events.SiteEvent) -> Sequence[_Around]:
        file, *location = site.at
        if file not in self._files:
            self._files[file] = _LoopsOfFile(self._texts.get(file, ""))
        found = self._files[file].loops.get(tuple(location))
        if found is None and site.loop is not None:
            return [_Around(site.loop.line, 0, short(site.loop.text, 60), site.at.line)]
        return found or []


class _LoopsOfFile:
    """The loops around each expression and statement of a source text, keyed by location."""

    def __init__(self, text: str) -> None:
        self.loops: dict[tuple[int, ...], tuple[_Around, ...]] = {}
        self._located = located(text)
        try:
            tree = ast.parse(text) if len(text) < _LONGEST_SOURCE else ast.Module([], [])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        # This uses a stack instead of recursion, because generated programs nest deeply.
        waiting: list[tuple[ast.AST, tuple[_Around, ...]]] = [(tree, ())]
        while waiting:
            node, around = waiting.pop()
            if isinstance(node, ast.stmt | ast.expr) and not isinstance(node, ast.Expr):
                self.loops.setdefault(self._location(node), around)
            waiting.extend(self._inside(node, around))

    def _inside(
        self, node: ast.AST, around: tuple[_Around, ...]
    ) -> Iterator[tuple[ast.AST, tuple[_Around, ...]]]:
        body: dict[ast.AST, _Around] = {}
        if isinstance(node, _LOOPS):
            location, title = (node.lineno, node.col_offset), self._head(node)
            body = {part: _Around(*location, title, i) for i, part in enumerate(node.body)}
        elif isinstance(node, _COMPREHENSIONS):
            location, title = (node.lineno, node.col_offset), self._comprehension(node)
            parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            body = {part: _Around(*location, title, 0) for part in parts}
        for child in ast.iter_child_nodes(node):
            if isinstance(node, _FUNCTIONS):
                yield child, ()
            else:
                yield child, (*around, body[child]) if child in body else around

    def _head(self, loop: ast.For | ast.AsyncFor | ast.While) -> str:
        lines = self._located.lines[loop.lineno - 1 : max(loop.lineno, loop.body[0].lineno - 1)]
        return short(" ".join(lines), 60)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> str:
        heads = (f"for {ast.unparse(g.target)} in {ast.unparse(g.iter)}" for g in node.generators)
        return short(" ".join(heads), 60)

    def _location(self, node: ast.stmt | ast.expr) -> tuple[int, ...]:
        """Return a location in the form of a trace, whose columns count characters, while Python's count bytes."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        column = self._located.column(node.lineno, node.col_offset)
        return node.lineno, column, end_line, self._located.column(end_line, end_column)

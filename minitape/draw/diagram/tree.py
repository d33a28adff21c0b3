"""The parts of a program as a tree: its functions, layers, loops and statements, down to single ops.

The tree follows from the call sites of each op and from the calls of layers around it. The ops of a part are consecutive in the
run, so two calls of a function are two parts, and the parts never depend on each other in a cycle.

    program
      function, layer, loop       with a name that the user gave; a block of `tf.name_scope` counts as a function
        statement                 one line of the user
          expression              a call of the library in it, such as `tf.nn.gelu(h)`
            op
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from minitape.draw.diagram.blocks import Block, blocks_of
from minitape.draw.facts import Facts
from minitape.draw.rollup.iterations import Iteration, Iterations
from minitape.trace import events

_CALLEE = re.compile(r"[\w.\[\]]+(?=\()")
_OF_LIBRARY = ("call", "__call__", "<lambda>", "<genexpr>", "<listcomp>", "train_step", "forward")
_OF_MODELS = ("fit", "train_on_batch", "train_step", "evaluate", "predict", "call")
_SAYS_NOTHING = ("", "layer", "block", "l", "f", "self", "loss", "lossfn", "lossobject")
_COMMENT = re.compile(r"\s{2,}#[^'\"\n]*$")
_ASSIGNED = re.compile(r"\s*([\w., ]+?)\s*=(?!=)\s*(.*)", re.DOTALL)


class PartKind(StrEnum):
    """The kind of a part of a program."""

    PROGRAM = "program"
    LAYER = "layer"
    LOSS = "loss"
    FUNCTION = "function"
    LOOP = "loop"
    ITERATION = "iteration"
    STATEMENT = "statement"
    EXPRESSION = "expression"
    OP = "op"


class Step(NamedTuple):
    """A level on the path from the program to an op."""

    kind: PartKind
    key: object
    title: str
    code: str = ""
    scope: events.ScopeEvent | None = None


@dataclass
class Part:
    """A part of the program: the ops that ran in it, in the order of the run, and the parts inside it."""

    step: Step
    parts: list["Part"] = field(default_factory=list)
    ops: list[events.OpEvent] = field(default_factory=list)

    @property
    def kind(self) -> PartKind:
        return self.step.kind

    @property
    def title(self) -> str:
        return self.step.title

    @property
    def is_block(self) -> bool:
        """Whether the part is a block of `tf.name_scope`, whose name the user chose."""
        return isinstance(self.step.key, tuple) and self.step.key[0] == "block"

    @property
    def is_container(self) -> bool:
        """Whether the part is a layer of layers, such as a `Sequential`, that the user named."""
        scope = self.step.scope
        return (
            scope is not None
            and self.title != scope.type
            and bool(self.parts)
            and all(part.kind is PartKind.LAYER for part in self.parts)
        )

    def named_parts(self) -> Iterator["Part"]:
        """Yield the outermost functions, layers and loops in the part, at any depth."""
        for part in self.parts:
            if part.kind in _NAMED:
                yield part
            else:
                yield from part.named_parts()


_NAMED = (PartKind.LAYER, PartKind.LOSS, PartKind.FUNCTION, PartKind.LOOP, PartKind.ITERATION)


def tree_of(
    facts: Facts,
    ops: Iterable[events.OpEvent],
    iterations: Iterations,
    scopes: dict[int, events.ScopeEvent],
) -> Part:
    """Return the program as a tree with these ops as its leaves."""
    ways = _Ways(facts, iterations, scopes)
    root = Part(Step(PartKind.PROGRAM, None, facts.script))
    open_parts = [root]
    for op in ops:
        steps = ways.of(op)
        depth = 0
        while depth < min(len(steps), len(open_parts) - 1) and (
            open_parts[depth + 1].step.key == steps[depth].key
        ):
            depth += 1
        del open_parts[depth + 1 :]
        for step in steps[depth:]:
            part = Part(step)
            open_parts[-1].parts.append(part)
            open_parts.append(part)
        for part in open_parts:
            part.ops.append(op)
    return _simple(root)


def _simple(root: Part) -> Part:
    """Return the tree without levels that add nothing: a part that contains a single part becomes the more informative of the
    two.
    """
    waiting = [root]
    while waiting:
        part = waiting.pop()
        part.parts = [_single(inner) for inner in part.parts]
        part.parts = [each for inner in part.parts for each in _layers_of_loop(inner) or [inner]]
        if part.kind is PartKind.LAYER:
            part.parts = _by_prefix(part.parts)
        waiting.extend(part.parts)
    return root


def _layers_of_loop(part: Part) -> list[Part]:
    """Return the layers that a loop calls one after another; empty for other loops."""
    if part.kind is not PartKind.LOOP:
        return []
    bodies = [each for iteration in part.parts for each in iteration.parts]
    inside = [
        inner
        for each in bodies
        for inner in (each.parts if each.kind is PartKind.STATEMENT else [_single(each)])
    ]
    return inside if all(each.kind is PartKind.LAYER for each in inside) else []


def _by_prefix(parts: list[Part]) -> list[Part]:
    """Return consecutive layers whose names begin in the same way, such as `down1_a` and `down1_b`, as one part."""
    found: list[Part] = []
    for prefix, group in groupby(parts, _prefix):
        some = list(group)
        if prefix and len(some) > 1 and len(some) < len(parts):
            ops = [op for each in some for op in each.ops]
            found.append(Part(Step(PartKind.FUNCTION, ("prefix", prefix), prefix), some, ops))
        else:
            found += some
    return found


def _prefix(part: Part) -> str:
    scope = part.step.scope
    if scope is None or _letters(scope.name) == _letters(scope.type):
        return ""
    return re.sub(r"[_/]?[^_/]*$", "", scope.name)


def _single(part: Part) -> Part:
    while len(part.parts) == 1:
        (inner,) = part.parts
        is_telling = part.is_block or _keeps_its_name(part.kind, inner.kind)
        part = Part(part.step, inner.parts, part.ops) if is_telling else inner
    return part


def _keeps_its_name(outer: PartKind, inner: PartKind) -> bool:
    """Whether the outer of two parts with the same ops is the more informative one."""
    if outer is PartKind.STATEMENT:
        return inner in (PartKind.EXPRESSION, PartKind.OP)
    if outer is PartKind.FUNCTION and inner is PartKind.FUNCTION:
        return True
    return outer is PartKind.LAYER or (outer in _NAMED and inner not in _NAMED)


class _Ways:
    """The path from the program to each op."""

    def __init__(
        self, facts: Facts, iterations: Iterations, scopes: dict[int, events.ScopeEvent]
    ) -> None:
        self._facts, self._iterations, self._scopes = facts, iterations, scopes
        self._by_location: dict[object, tuple[Step, ...]] = {}
        self._blocks: dict[str, tuple[Block, ...]] = {}  # keyed by the file
        self._statements: dict[int, Step] = {}  # keyed by the number of the call site

    def of(self, op: events.OpEvent) -> list[Step]:
        key = (tuple(op.stack), op.scope, self._iterations.get(op.i, ()))
        if key not in self._by_location:
            self._by_location[key] = tuple(self._find(op))
        return [*self._by_location[key], Step(PartKind.OP, op.number, op.name)]

    def _find(self, op: events.OpEvent) -> Iterator[Step]:
        sites = self._facts.sites(op)
        iterations = self._iterations.get(op.i, ())
        scopes = list(self._around(op))
        is_layer = False
        for frame, site in enumerate(sites):
            yield from self._within(site, [each for each in iterations if each.ring.frame == frame])
            if not is_layer or frame:
                if site.number not in self._statements:
                    self._statements[site.number] = _statement(site)
                yield self._statements[site.number]
            inner = [scope for scope in scopes if scope.depth == frame + 1 and scope.type]
            is_last = frame == len(sites) - 1
            for scope in inner:
                yield _of_scope(scope, site if scope is inner[0] else None)
            is_layer = bool(inner)
            if not is_last:
                name = _called(site, sites[frame + 1])
                if not (is_layer and name.rpartition(".")[2] in _OF_LIBRARY):
                    yield Step(PartKind.FUNCTION, ("call", site.at), name, site.expression)
            elif not inner:
                yield Step(PartKind.EXPRESSION, ("expression", site.at), _name_of(site))

    def _within(self, site: events.SiteEvent, iterations: Sequence[Iteration]) -> Iterator[Step]:
        """Yield the loops and the blocks of `tf.name_scope` around a call site within its function, the outermost first."""
        found: list[tuple[int, list[Step]]] = []
        for ring, number in iterations:
            loop = Step(PartKind.LOOP, ("loop", ring.id), ring.title)
            once = Step(PartKind.ITERATION, ("iteration", ring.id, number), ring.title)
            found.append((ring.line, [loop, once]))
        if site.at.file not in self._blocks:
            self._blocks[site.at.file] = blocks_of(self._facts.text_of(site.at.file))
        for block in self._blocks[site.at.file]:
            if block.name and block.has(site.at.line):
                key = ("block", site.at.file, block.line)
                found.append((block.line, [Step(PartKind.FUNCTION, key, block.name)]))
        if self._blocks[site.at.file]:
            found.sort(key=lambda each: each[0])
        for _, steps in found:
            yield from steps

    def _around(self, op: events.OpEvent) -> Sequence[events.ScopeEvent]:
        """Return the calls of layers around an op, the outermost first."""
        found = []
        number = op.scope
        while number is not None and number in self._scopes:
            found.append(self._scopes[number])
            number = self._scopes[number].outer
        return found[::-1]


def _statement(site: events.SiteEvent) -> Step:
    """Return the step for a statement, with the name to which it assigns and the code that it assigns."""
    written = _COMMENT.sub("", site.code)
    assigned = _ASSIGNED.match(written)
    name, code = (assigned[1], assigned[2]) if assigned else ("", written)
    key = ("statement", site.at.file, site.code)
    return Step(PartKind.STATEMENT, key, name, code.removeprefix("return "))


def _of_scope(scope: events.ScopeEvent, site: events.SiteEvent | None) -> Step:
    """Return the step for a call of a layer; `site` is the user's call of it, if the user called it directly."""
    kind = PartKind.LOSS if scope.role == "loss" else PartKind.LAYER
    title = scope.type if kind is PartKind.LOSS else _users_name(scope, site) or scope.type
    return Step(kind, ("scope", scope.number), title, scope=scope)


def _users_name(scope: events.ScopeEvent, site: events.SiteEvent | None) -> str:
    """Return the name that the user gave to a layer, or the name of its attribute, unless the name only repeats its class."""
    kind = _letters(scope.type)
    if _letters(scope.name) not in (kind, ""):
        return scope.name
    written = _CALLEE.match(site.expression) if site is not None else None
    if written is None:
        return ""
    owner, _, name = written[0].rpartition(".")
    if name in _OF_MODELS:
        name = owner.rpartition(".")[2]
    return "" if _letters(name) in (kind, *_SAYS_NOTHING) else name


def _letters(name: str) -> str:
    """Return a name in lowercase without its number and underscores, so that `conv2d_1` and `Conv2D` are equal."""
    return re.sub(r"_\d+$", "", name).replace("_", "").lower()


def _called(site: events.SiteEvent, inside: events.SiteEvent) -> str:
    """Return the name of a called function, as the caller writes it."""
    written = _CALLEE.match(site.expression)
    name = written[0].removeprefix("self.") if written else ""
    defined = inside.function.rpartition(".")[2]
    return name.rpartition(".")[2] if name else defined


def _name_of(site: events.SiteEvent) -> str:
    """Return the name of the library function that is called, or an empty text for operators."""
    written = _CALLEE.match(site.expression)
    return written[0].rpartition(".")[2] if written else ""

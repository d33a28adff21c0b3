"""All paths from a source to the target, and which causes must be fixed before a gradient flows along one of them.

    CutSets    for one call: the causes of each source
    Losses     the causes of one None, and the smallest sets of causes that are worth fixing together

The path that breaks the fewest edges (`breaks`) has the first causes. On the other paths, a broken edge counts only if its step
belongs to this iteration and could be differentiable. Each value gets its minimal cut sets: the smallest sets of causes that cut
it off from the source. An op passes on the sets of its inputs, and a broken edge adds its own cause to each.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from minitape.explain.breaks import Path, on_edge
from minitape.explain.causes import cuts, tapes
from minitape.explain.causes.cause import BrokenEdge, Facts
from minitape.explain.causes.wording.storing import StoredInVariable
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.edges import FlowEdge
from minitape.explain.flow.graph import FlowGraph
from minitape.trace import events

_MOST_SETS = 8  # the maximum number of cut sets of one value
_MOST_CAUSES = 6  # the maximum number of causes of one source


@dataclass(frozen=True)
class LostPath:
    """One cause, and the path that it breaks, if there is one."""

    found: BrokenEdge[Facts]
    path: Path | None


@dataclass(frozen=True)
class Losses:
    """The causes for one source, the most important first; each cut set has indices into that list.

    Fixing all causes of a cut set restores a gradient; fixing only some of them does not.
    """

    losses: tuple[LostPath, ...]
    cut_sets: tuple[tuple[int, ...], ...]


class _PathStep(NamedTuple):
    """The last edge of a path, the reason if it is lost, and the path up to it."""

    edge: FlowEdge
    found: BrokenEdge[Facts] | None
    before: "_PathStep | None"


_Sets = dict[frozenset[int], _PathStep | None]


class CutSets:
    """The cut sets of one call. Results that its sources share are computed only once."""

    def __init__(self, flow: FlowGraph, call: GradientCall) -> None:
        self._flow = flow
        self._call = call
        self._before = call.event.i
        entered = flow.tapes[call.tape].entered
        self._opened = entered[0] if entered else 0
        made = [flow.born.get(each.value or 0) for each in call.event.sources]
        # No value was computed from a source before the first source was made.
        self._since = min((0 if each is None else each.i for each in made), default=0)
        self._forks: dict[int, tuple[int, int]] = {}
        self._from: dict[int, _Beyond] = {}

    def losses(self, source: int, first: Path, origin: BrokenEdge[Facts] | None) -> Losses:
        """Return all causes of a None; `first` is the path with the fewest breaks, and `origin` the break at the source
        itself.
        """
        fork, steps = self._fork(source, first)
        rest = Path(first.edges[steps:], first.lost[steps:])
        known = self._from.get(fork)
        if known is None or known.first != rest:
            known = self._from[fork] = self._beyond(fork, rest)
        # If a path has no break, only the source's own cause is left.
        is_sound_beyond = frozenset() in known.paths
        if origin is not None and not is_sound_beyond and known.causes.has(origin):
            origin = None
        near = Path(first.edges[:steps], first.lost[:steps])
        return _listed(known, near, origin)

    def _fork(self, source: int, first: Path) -> tuple[int, int]:
        """Return the node at which the paths to the target diverge, or at which the only path breaks, and the number of steps to
        it.
        """
        gone, node = list[int](), source
        for edge, lost in zip(first.edges, first.lost, strict=True):
            if node in self._forks or lost is not None or self._ways.get(node) != [edge]:
                break
            gone.append(node)
            node = edge.end
        fork, steps = self._forks.get(node, (node, 0))
        for each in reversed(gone):
            steps += 1
            self._forks[each] = fork, steps
        return fork, steps

    def _beyond(self, fork: int, rest: Path) -> "_Beyond":
        causes = _Causes(self._flow, self._call, rest)
        sets = self._sets(fork, rest, causes)
        at_end: _Sets = {}
        for target in self._call.ends:
            for each, step in sets.get(target, {}).items():
                _keep(at_end, each, step)
        paths = {each: _traced(at_end[each]) for each in sorted(at_end, key=sorted)}
        return _Beyond(rest, causes, paths)

    def _sets(self, source: int, first: Path, causes: "_Causes") -> dict[int, _Sets]:
        """Return the smallest sets of causes that cut off each value between source and target."""
        sets: dict[int, _Sets] = {source: {frozenset(): None}}
        for edge in self._edges_from(source, first):
            if edge.start not in sets:
                continue
            found = _as_pause(self._flow, self._call, on_edge(self._flow, self._call, edge))
            own = causes.number(edge, found)
            if own is None:
                continue
            for each, before in sets[edge.start].items():
                _keep(sets.setdefault(edge.end, {}), each | own, _PathStep(edge, found, before))
        return sets

    def _edges_from(self, source: int, first: Path) -> list[FlowEdge]:
        """Return the edges between the source and the target, in the order of their events."""
        found, seen, waiting = set(first.edges), {source}, [source]
        while waiting:
            for edge in self._ways.get(waiting.pop(), ()):
                found.add(edge)
                if edge.end not in seen:
                    seen.add(edge.end)
                    waiting.append(edge.end)
        # The edges from the values that a backward pass read to its call, and from the call to its gradients, belong to one
        # event.
        return sorted(found, key=lambda e: (e.event, e.kind == "gradient", e.start, e.end))

    @cached_property
    def _ways(self) -> dict[int, list[FlowEdge]]:
        """The edges that lead to the targets, by the node that they leave."""
        useful = set(self._call.ends)
        waiting = list(useful)
        fix_sets: dict[int, list[FlowEdge]] = {}
        while waiting:
            for edge in self._flow.into.get(waiting.pop(), ()):
                if self._may_count(edge):
                    fix_sets.setdefault(edge.start, []).append(edge)
                    if edge.start not in useful:
                        useful.add(edge.start)
                        waiting.append(edge.start)
        return fix_sets

    def _may_count(self, edge: FlowEdge) -> bool:
        """Whether an edge may count: earlier iterations are cut off on purpose, but a step that no tape recorded may belong
        to this one.
        """
        if not self._since <= edge.event < self._before:
            return False
        if edge.event > self._opened:
            return True
        if edge.kind == "op":
            return not self._flow.op(edge.event).recorded
        return edge.kind in ("read", "contents")


class _Causes:
    """The causes of one source, numbered; breaks with the same cause at the same location are one."""

    def __init__(self, flow: FlowGraph, call: GradientCall, first: Path) -> None:
        self._flow = flow
        self._call = call
        self._numbers: dict[tuple[object, ...], int] = {}
        self._breaks: list[BrokenEdge[Facts]] = []
        self._events: list[dict[int, None]] = []
        for each in first.lost:
            found = _as_pause(flow, call, each)
            if found is not None:
                self._add(found)
        self.on_first = len(self._breaks)

    def found(self, number: int) -> BrokenEdge[Facts]:
        """Return one cause: its first break, with the events of all its breaks."""
        first = self._breaks[number]
        others = [each for each in self._events[number] if each not in (first.event, *first.also)]
        return replace(first, also=(*first.also, *others))

    def has(self, found: BrokenEdge[Facts]) -> bool:
        """Whether the cause is already in the list."""
        return self._key(found) in self._numbers

    def number(self, edge: FlowEdge, found: BrokenEdge[Facts] | None) -> frozenset[int] | None:
        """Return what an edge adds to a set of causes; None if the edge does not lead to a target."""
        if found is None:
            return frozenset()
        if not self.has(found) and not self._is_slip(edge, found):
            return None
        return frozenset([self._add(found)])

    def _key(self, found: BrokenEdge[Facts]) -> tuple[object, ...]:
        if found.cause.goes_on:
            return (found.cause,)
        if found.cause is cuts.state_assign and isinstance(found.facts, StoredInVariable):
            # A buffer is one mistake, regardless of the number of lines that store into it.
            return (found.cause, found.facts.variable)
        return (found.cause, *self._location(found))

    def _location(self, found: BrokenEdge[Facts]) -> tuple[object, ...]:
        if found.at is not None:
            return found.at
        if found.site is not None:
            return self._flow.sites[found.site].at
        return self._flow.placed(found.event).at or (found.event,)

    def _add(self, found: BrokenEdge[Facts]) -> int:
        number = self._numbers.setdefault(self._key(found), len(self._breaks))
        if number == len(self._breaks):
            self._breaks.append(found)
            self._events.append({})
        self._events[number][found.event] = None
        return number

    def _is_slip(self, edge: FlowEdge, found: BrokenEdge[Facts]) -> bool:
        if not found.cause.is_slip or found.is_last_resort or len(self._breaks) >= _MOST_CAUSES:
            return False
        event = self._flow.event(edge.event)
        return not (isinstance(event, events.ReentryEvent) and event.flat)


@dataclass(frozen=True)
class _Beyond:
    """The results that sources share if their paths diverge or break at the same value: the best path from there, its causes, and
    all paths.
    """

    first: Path
    causes: _Causes
    paths: dict[frozenset[int], Path]


def _as_pause(
    flow: FlowGraph, call: GradientCall, found: BrokenEdge[Facts] | None
) -> BrokenEdge[Facts] | None:
    """Return the break of a gradient that was computed while the recording was stopped. The cause is the pause, not the
    location.
    """
    if found is None or found.cause is not tapes.second_order_not_recorded:
        return found
    if not flow.tapes[call.tape].pauses:
        return found
    last = None
    for each in flow.trace.of(events.StopRecordingEvent):
        if each.i < found.event and call.tape in each.tapes:
            last = each
    if last is None or not last.on:
        return found
    return BrokenEdge(
        tapes.stop_recording, last.i, (found.event,), tapes.WhilePaused(op=found.event)
    )


def _keep(sets: _Sets, causes: frozenset[int], step: _PathStep | None) -> None:
    """Keep the smallest sets only."""
    if any(each <= causes for each in sets):
        return
    for larger in [each for each in sets if causes < each]:
        del sets[larger]
    if len(sets) < _MOST_SETS:
        sets[causes] = step


def _traced(step: _PathStep | None) -> Path:
    """Return the path that ends with a step."""
    steps: list[_PathStep] = []
    while step is not None:
        steps.append(step)
        step = step.before
    steps.reverse()
    return Path(tuple(each.edge for each in steps), tuple(each.found for each in steps))


def _listed(known: _Beyond, near: Path, origin: BrokenEdge[Facts] | None) -> Losses:
    """Return the causes on any path: the causes of the first path, the cause of the source itself, which is on each path, and all
    others.
    """
    causes = known.causes
    paths = {
        each: Path(near.edges + path.edges, near.lost + path.lost)
        for each, path in known.paths.items()
    }
    used = sorted(set[int]().union(*paths))
    listed: list[int | None] = [n for n in used if n < causes.on_first]
    listed += [] if origin is None else [None]
    listed += [n for n in used if n >= causes.on_first]
    losses = []
    for number in listed:
        if number is None:
            assert origin is not None
            losses.append(LostPath(origin, next(iter(paths.values()))))
        else:
            path = next(path for each, path in paths.items() if number in each)
            losses.append(LostPath(causes.found(number), path))
    cut_sets = [
        tuple(i for i, number in enumerate(listed) if number is None or number in each)
        for each in paths
    ]
    return Losses(tuple(losses), tuple(cut_sets))

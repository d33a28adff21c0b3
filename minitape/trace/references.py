"""Checks that the events of a trace are consistent: references refer to earlier events, and no number is defined twice.

Other code follows ids without checking them, so a value that was computed from itself would cause an infinite loop.
"""

from collections.abc import Callable, Collection, Iterable
from math import prod
from typing import Any, TypeVar

from minitape.trace import elements, events
from minitape.trace.events import Event, Numbers, Placed, Scoped
from minitape.trace.writing import ITEM_SIZES

_Id = TypeVar("_Id", int, str)


class References:
    """The numbers that events have defined so far; `fault` checks the next event."""

    def __init__(self) -> None:
        self._values: set[int] = set()
        self._variables: set[int] = set()
        self._sites: set[int] = set()
        self._frames: set[int] = set()
        self._scopes: set[int] = set()
        self._ops: set[int] = set()
        self._primitives: set[str] = set()
        self._exports: set[int] = set()
        self._sources: dict[int, list[int | None]] = {}  # of each gradient call
        self._answered: set[tuple[int, int]] = set()
        self._is_over = False
        self._checks: dict[type[Event], Callable[[Any], str | None]] = {
            events.SiteEvent: self._site,
            events.FramesEvent: self._frames_of_many,
            events.ScopeEvent: self._scope,
            events.PrimitiveEvent: self._primitive,
            events.ConstantEvent: self._constant,
            events.VariableEvent: self._variable,
            events.ReadEvent: self._read,
            events.OpEvent: self._op,
            events.AssignEvent: self._assign,
            events.ExportEvent: self._export,
            events.ReentryEvent: self._reentry,
            events.RebindEvent: self._rebind,
            events.WatchEvent: self._watch,
            events.GradientEvent: self._gradient,
            events.SeedEvent: self._seed,
            events.BackEvent: self._back,
            events.ResultEvent: self._result,
            events.ErrorEvent: self._error,
            events.EndEvent: self._end,
        }

    def fault(self, event: Event) -> str | None:
        """Return what is wrong with the next event; None if it is consistent."""
        if self._is_over:
            return "follows the end event"
        if isinstance(event, Placed | events.FramesEvent):
            fault = None
            if not self._sites.issuperset(event.stack):
                fault = self._known(self._sites, event.stack, "site")
            elif event.outer is not None:
                fault = self._known(self._frames, (event.outer,), "frames")
            if fault is None and isinstance(event, Scoped) and event.scope is not None:
                fault = self._known(self._scopes, (event.scope,), "scope")
            if fault is not None:
                return fault
        check = self._checks.get(type(event))
        return None if check is None else check(event)

    # --- references and definitions ---

    def _known(
        self, held: Collection[_Id], ids: Iterable[_Id | None], what: str = "value"
    ) -> str | None:
        for each in ids:
            if each is not None and each not in held:
                return f"refers to {what} {each}, which no earlier event defines"
        return None

    def _new(self, held: set[int], number: int, what: str = "value") -> str | None:
        if number in held:
            return f"uses the number of {what} {number} a second time"
        held.add(number)
        return None

    # --- each kind of event ---

    def _site(self, site: events.SiteEvent) -> str | None:
        return self._new(self._sites, site.number, "site")

    def _frames_of_many(self, frames: events.FramesEvent) -> str | None:
        return self._new(self._frames, frames.number, "frames")

    def _scope(self, scope: events.ScopeEvent) -> str | None:
        fault = self._known(self._scopes, (scope.outer,), "scope")
        return fault or self._new(self._scopes, scope.number, "scope")

    def _primitive(self, primitive: events.PrimitiveEvent) -> str | None:
        self._primitives.add(primitive.name)
        return None

    def _constant(self, constant: events.ConstantEvent) -> str | None:
        return (
            self._known(self._values, (constant.origin,))
            or self._new(self._values, constant.numbers.id)
            or _uneven(constant.numbers)
        )

    def _variable(self, made: events.VariableEvent) -> str | None:
        fault = self._known(self._values, (made.origin,)) or _uneven(made.numbers)
        self._variables.add(made.variable)
        return fault or _other(made) or self._new(self._values, made.variable)

    def _read(self, read: events.ReadEvent) -> str | None:
        fault = self._known(self._variables, (read.variable,), "variable")
        return fault or self._new(self._values, read.value)

    def _op(self, op: events.OpEvent) -> str | None:
        fault = self._new(self._ops, op.number, "op")
        fault = fault or self._known(self._primitives, (op.name,), "primitive")
        fault = fault or self._known(self._values, [given.value for given in op.inputs])
        for output in op.outputs:
            fault = fault or self._new(self._values, output.id) or _uneven(output)
        return fault or self._known(self._values, op.saved)

    def _assign(self, assign: events.AssignEvent) -> str | None:
        fault = self._known(self._variables, (assign.variable,), "variable")
        fault = fault or self._known(self._values, (assign.origin,))
        return fault or _other(assign) or _uneven(assign.numbers)

    def _export(self, export: events.ExportEvent) -> str | None:
        fault = self._known(self._values, export.values)
        return fault or self._new(self._exports, export.number, "export")

    def _reentry(self, reentry: events.ReentryEvent) -> str | None:
        fault = self._known(self._values, (reentry.value, *reentry.value_of))
        return fault or self._known(self._exports, reentry.exports, "export")

    def _rebind(self, rebind: events.RebindEvent) -> str | None:
        return self._known(self._values, (rebind.was, rebind.now))

    def _watch(self, watch: events.WatchEvent) -> str | None:
        return self._known(self._values, (watch.value,))

    def _gradient(self, gradient: events.GradientEvent) -> str | None:
        if gradient.call in self._sources:
            return f"uses the number of gradient call {gradient.call} a second time"
        sources = [source.value for source in gradient.sources]
        given = gradient.output_gradients or ()
        fault = self._known(self._values, (*gradient.targets, *sources, *given))
        fault = fault or self._known(self._sources, (gradient.inside,), "gradient call")
        self._sources[gradient.call] = sources
        return fault or self._known(self._exports, gradient.left, "export")

    def _seed(self, seed: events.SeedEvent) -> str | None:
        fault = self._known(self._sources, (seed.call,), "gradient call")
        return fault or self._known(self._values, (seed.value,)) or _uneven(seed.numbers)

    def _back(self, back: events.BackEvent) -> str | None:
        fault = self._known(self._sources, (back.call,), "gradient call")
        fault = fault or self._known(self._ops, (back.op,), "op")
        # An op that ran before tracing started has values without a number: 0.
        met = [back.arrived.id, *(each.value for each in back.skipped)]
        fault = fault or _uneven(back.arrived)
        for contribution in back.sent:
            met += [contribution.value, *contribution.reads]
            fault = fault or _uneven(contribution.numbers) or _uneven(contribution.total)
        return fault or self._known(self._values, [each or None for each in met])

    def _result(self, result: events.ResultEvent) -> str | None:
        call, source, gradient = result.call, result.source, result.numbers
        fault = self._known(self._sources, (call,), "gradient call")
        fault = fault or self._known(self._values, (result.value,))
        if fault is None and self._sources[call][source : source + 1] != [result.value]:
            fault = f"is the result for value {result.value}, which is not source {source}"
        if fault is None and (call, source) in self._answered:
            fault = f"is a second result for source {source}"
        self._answered.add((call, source))
        if gradient is not None:
            self._values.add(gradient.id)  # an op of the backward pass may have computed it
            fault = fault or _uneven(gradient)
        return fault

    def _error(self, error: events.ErrorEvent) -> str | None:
        return self._known(self._sources, (error.call,), "gradient call")

    def _end(self, end: events.EndEvent) -> str | None:
        self._is_over = True
        return None if end.events == end.i + 1 else f"counts {end.events} events"


def _other(event: events.VariableEvent | events.AssignEvent) -> str | None:
    identity = event.numbers.id
    return None if event.variable == identity else f"contains the numbers of value {identity}"


# --- the numbers of a tensor ---


def _uneven(tensor: Numbers) -> str | None:
    """Return why the numbers of a tensor do not fit its shape; None if they do."""
    shape = tensor.shape
    if (
        prod(filter(None, shape)) > _MOST
    ):  # NumPy cannot create such an array, not even an empty one
        return f"has shape {shape}, which is too large"
    if prod(shape) != tensor.size:
        return f"has shape {shape} but {tensor.size} elements"
    fault = elements.fault(tensor)
    if fault is not None or tensor.data is None:
        return fault
    if tensor.dtype == "string":
        return None if _is_text(tensor.data) else "has data that is not a list of strings"
    if not _fits(tensor.data, shape):
        return f"has data that is not of shape {shape}"
    return None if _are_numbers(tensor) else f"has data that is not {tensor.dtype}"


def _is_text(data: Any) -> bool:
    return isinstance(data, list) and all(isinstance(each, str) for each in data)


_MOST = 2**59  # the number of 16-byte elements that fit into the address space
_LARGEST = 2**64  # larger than the integers of any dtype


def _are_numbers(tensor: Numbers) -> bool:
    """Whether the elements are valid numbers; in complex tensors they are strings."""
    try:
        row = elements.elements(tensor) or []
    except (ValueError, OverflowError):  # a string that is not a complex number, or is too large
        return False
    is_known = tensor.dtype in ITEM_SIZES
    return not any(
        (is_known and isinstance(each, str)) or (type(each) is int and abs(each) >= _LARGEST)
        for each in row
    )


_ELEMENTS = frozenset((int, float, bool, str))


def _fits(data: Any, shape: list[int]) -> bool:
    """Check axis by axis instead of recursively: a malicious file may nest more deeply than Python can recurse."""
    rows = [data]
    for length in shape:
        if any(type(row) is not list or len(row) != length for row in rows):
            return False
        rows = [item for row in rows for item in row]
    return _ELEMENTS.issuperset(map(type, rows))

"""Gradient calls as trace events: the request, each step of the backward pass, the results."""

import ast
import threading
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

from minitape.core import events
from minitape.tracer import source
from minitape.tracer.accumulation import BackwardPassState, SparseRows
from minitape.tracer.engine import Engine
from minitape.tracer.locations import EventLocation, EventLocations, names_of_outputs
from minitape.tracer.value_table import ValueTable

Left = Callable[[events.GradientCalled, EventLocation, str | None], list[int]]


class GradientCalls:
    """Follows the gradient calls in progress; a gradient function of the user may itself request a gradient.

    Args:
        write: Called with the kind and the fields of each event.
        locations: The locations of the calls in the user's program.
        known: The ids and names of values.
        tapes: The numbers of the tapes in the trace, keyed by the engine's own numbers; tapes opened before tracing started are
            added.
        op_of: The number of the op that computed a value, keyed by the value's engine id.
        left: The exits through which targets and sources left the engine before the call.
        engine: The engine of the tapes.
        over: Called after each call that is not inside another one, with the number of such calls so far.
    """

    def __init__(
        self,
        write: Callable[[str, dict[str, Any]], None],
        locations: EventLocations,
        known: ValueTable,
        tapes: dict[int, int],
        op_of: dict[int, int],
        left: Left,
        engine: Engine,
        over: Callable[[int], None],
    ) -> None:
        self._write = write
        self._locations = locations
        self._known = known
        self._tapes = tapes
        self._op_of = op_of
        self._left = left
        self._engine = engine
        self._over = over
        self._calls = 0
        self._visits: Counter[tuple[str, int]] = Counter()
        self._thread = _OpenCalls()

    def gradient_called(self, event: events.GradientCalled, stack: source.Stack) -> None:
        spot = self._locations.location(stack)
        where = spot.where
        site = spot.site or source.CallSite("", 0)
        self._calls += 1
        self._visits[site.file, site.line] += 1
        inside = self._thread.backward_passes[-1].call if self._thread.backward_passes else None
        self._thread.backward_passes.append(BackwardPassState(self._calls, event, site.target))
        frame, requested = stack.calls[-1] if stack.calls else (None, None)
        # If a library makes the call, as Keras does in `fit`, the user's text has the arguments of that function.
        requesting = "" if requested is None else requested.f_code.co_filename
        is_librarys = bool(requesting) and (
            source.is_librarys(requesting) or source.is_kerass(requesting)
        )
        node = None if is_librarys else site.node
        first = self._is_given_tape(node, frame)
        names = self._names_of_sources(event, node, frame, 1 + first)
        goal = source.leaf_names(source.argument(node, first, "target"), 1)[0]
        given = event.output_gradients
        seeds = None if given is None else [None if g is None else self._known.of(g) for g in given]
        sources = [
            {"t": self._known.of_any(leaf), "name": name}
            for leaf, name in zip(event.sources, names, strict=True)
        ]
        self._write(
            "gradient",
            {
                "call": self._calls,
                "inside": inside,
                "api": event.api,
                "tape": [self._tapes.setdefault(event.tape, len(self._tapes) + 1)],
                "target": [
                    self._known.of(leaf) for leaf in event.targets if self._engine.is_value(leaf)
                ],
                "target_name": "the loss" if is_librarys else goal,
                "sources": sources,
                "left": self._left(event, spot, goal),
                "output_gradients": seeds,
                "unconnected": event.unconnected,
                "visit": self._visits[site.file, site.line],
                "text": site.expr or site.code,
                **where,
            },
        )

    def _names_of_sources(
        self,
        event: events.GradientCalled,
        node: ast.AST | None,
        frame: FrameType | None,
        position: int,
    ) -> list[str]:
        """Return the names of the sources in the call, or their own names, or else their positions in the argument."""
        given = source.argument(
            node, position, "source" if event.api == "batch_jacobian" else "sources"
        )
        written = source.leaf_names(given, len(event.sources))
        entries = _entries(given, frame, len(event.sources))
        if any(entries):  # the text names the object that contains the sources
            written = [None] * len(entries)
        own = [self._known.name_of(leaf) for leaf in event.sources]
        names = [
            text
            or (name if name != "Variable" and own.count(name) == 1 else None)
            or entry
            or name
            or f"sources[{i}]"
            for i, (text, name, entry) in enumerate(zip(written, own, entries, strict=True))
        ]
        # Two variables created on one line have the same name, so their positions distinguish them.
        ids = [self._known.of_any(leaf) for leaf in event.sources]
        return [
            f"{name} (sources[{i}])" if _is_shared(name, names, ids) else name
            for i, name in enumerate(names)
        ]

    def _is_given_tape(self, node: ast.AST | None, frame: FrameType | None) -> bool:
        """Whether the call is `why_of(tape, target, sources)` or similar, not `tape.gradient(target, sources)`."""
        first = source.argument(node, 0, "tape")
        return frame is not None and self._engine.is_tape(source.held(first, frame))

    def backward_began(self, event: events.BackwardBegan) -> None:
        self._thread.backward_passes[-1].begin(event.plan, event.rows)

    def seeded(self, event: events.Seeded) -> None:
        identity = self._known.ids[event.target]
        summary = self._known.summary(event.cotangent, identity)
        self._write(
            "seed", {"call": self._thread.backward_passes[-1].call, "t": identity, "T": summary}
        )

    def stepped_back(self, event: events.BackwardStepped) -> None:
        backward_pass = self._thread.backward_passes[-1]
        known, ids = self._known, self._known.ids
        backward_pass.step += 1
        out = ids.get(event.arrived_for, 0)
        came = self._engine.numbers_of(event.arrived)
        total, arrived = backward_pass.reported.pop(event.arrived_for, (None, None))
        arrived = (
            known.packing.again(arrived)
            if arrived is not None and total is came
            else known.of_array(came, out)
        )
        sent = []
        for engine_id, amount, reads, reads_output in event.sent:
            identity = ids.get(engine_id, 0)
            rows = self._engine.rows_of(amount)
            numbers = self._engine.numbers_of(amount) if rows is None else rows.values
            total = backward_pass.add(engine_id, numbers if rows is None else rows)
            if type(total) is SparseRows:
                total = total.values
            # A sum passes on its cotangent unchanged. A single contribution equals its sum, and arrives unchanged. These
            # numbers are already in the trace.
            is_passed_on, is_all = numbers is came, total is numbers
            contribution = (
                known.again(arrived, identity)
                if is_passed_on
                else known.of_array(numbers, identity)
            )
            reported = (
                known.packing.again(contribution) if is_all else known.of_array(total, identity)
            )
            backward_pass.reported[engine_id] = total, reported
            sent.append(
                {
                    "t": identity,
                    "T": contribution,
                    "sum": reported,
                    "use": backward_pass.used[engine_id],
                    "uses": backward_pass.uses[engine_id],
                    "reads": [ids[each] for each in reads if each in ids]
                    + ([out] if reads_output else []),
                }
            )
        skipped = [{"t": ids.get(each, 0), "why": why} for each, why in event.skipped]
        fields: dict[str, Any] = {
            "call": backward_pass.call,
            "op": self._op_of.get(event.outputs[0]),
            "step": backward_pass.step,
            "of": backward_pass.steps,
            "grad_in": arrived,
            "out": sent,
            "skipped": skipped,
        }
        if backward_pass.rows is not None:
            fields["rows"] = backward_pass.rows
        self._write("back", fields)

    def gradient_returned(self, event: events.GradientReturned) -> None:
        recording = self._engine.recording()
        active = [self._tapes[number] for number in recording if number in self._tapes]
        backward_pass = self._thread.backward_passes[-1]
        names = names_of_outputs(backward_pass.target, len(event.results))
        for index, (result, leaf, name) in enumerate(
            zip(event.results, backward_pass.requested.sources, names, strict=True)
        ):
            summary = None
            if self._engine.is_value(result):
                identity = self._known.named(self._engine.id_of(result), name)
                requested = self._engine.id_of(leaf) if self._engine.is_value(leaf) else 0
                total, reported = backward_pass.reported.get(requested, (None, {}))
                if total is self._engine.numbers_of(
                    result
                ):  # the sum for this source, which was already emitted
                    summary = self._known.again(reported, identity)
                else:
                    summary = self._known.summary(result, identity)
            elif result is not None:
                summary = self._known.summary(result, self._known.named(None, name))
            self._write(
                "result",
                {
                    "call": backward_pass.call,
                    "source": index,
                    "t": self._known.of(leaf),
                    "T": summary,
                    "recorded": active,
                },
            )
        self._emit_if_over()
        # This comes last, because otherwise a limit that is reached in the meantime would appear as a failure of this call.
        self._thread.backward_passes.pop()

    def gradient_failed(self, event: events.GradientFailed, stack: source.Stack) -> None:
        """Record that a call raised an exception, except for Ctrl-C and limits, which do not concern the gradient."""
        backward_pass = self._thread.backward_passes[-1]
        if isinstance(event.error, Exception):
            self._write_error(event.error, backward_pass, stack)
            self._emit_if_over()
        self._thread.backward_passes.pop()

    def _write_error(
        self, error: Exception, backward_pass: BackwardPassState, stack: source.Stack
    ) -> None:
        where = self._locations.location(stack).where
        fields = {"call": backward_pass.call, **described(error)}
        refused = self._engine.refusal(error, backward_pass.requested)
        if refused is not None:
            fields["refused"] = refused
        self._write("error", {**fields, **where})

    def _emit_if_over(self) -> None:
        if len(self._thread.backward_passes) == 1:
            self._over(self._calls)


class _OpenCalls(threading.local):
    def __init__(self) -> None:
        self.backward_passes: list[BackwardPassState] = []  # the innermost call is last


def described(error: BaseException) -> dict[str, Any]:
    """Return the name of an exception's class in the trace."""
    return {"type": type(error).__name__, "message": message_of(error)}


def message_of(error: BaseException) -> str:
    """Return the text of an exception; Python's own text if its `__str__` raises."""
    try:
        return str(error)
    except Exception:  # any exception is possible, because the class belongs to the program
        return "<exception str() failed>"


def _entries(given: ast.expr | None, frame: FrameType | None, count: int) -> list[str | None]:
    """Return the sources as elements of the user's argument: `params[0]`."""
    if frame is None:
        return [None] * count
    names = source.iteration_names(given, frame, count)
    return names or source.entry_names(given, source.held(given, frame), count)


def _is_shared(name: str, names: list[str], ids: list[int | None]) -> bool:
    """Whether a name belongs to more than one value."""
    return len({id_ for each, id_ in zip(names, ids, strict=True) if each == name}) > 1

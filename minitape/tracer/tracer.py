"""Tracer: receives the events of an engine and writes them as trace events (docs/trace-format.md).

    engine.py                                     the interface of an engine
    locations.py                                  the location of an event in the user's program
    value_table.py                                small ids in order of appearance, names, statistics of tensors
    scopes.py                                     the Keras layer, loss, ... that is running
    input_expressions.py                          the source text of each input of an op
    gradient_calls.py                             gradient calls and the backward pass
    provenance/by_mark.py, provenance/by_name.py  values that left the engine and re-entered

Tracing does not change any value.
"""

import linecache
import platform
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minitape.core import events
from minitape.core.declaration import Declaration
from minitape.core.primitive import OpRan
from minitape.core.variable import Assigned, VariableMade
from minitape.trace.writing import FORMAT, VERSION, EventDict, seldom_searched, strict
from minitape.tracer import source
from minitape.tracer.engine import Engine
from minitape.tracer.gradient_calls import GradientCalls, described
from minitape.tracer.input_expressions import Wording
from minitape.tracer.locations import EventLocation, EventLocations, names_of_outputs
from minitape.tracer.minitape import Minitape
from minitape.tracer.packing import Packing
from minitape.tracer.provenance.by_mark import MarkTable
from minitape.tracer.provenance.by_name import NameProvenance, names_given_by
from minitape.tracer.scopes import Scopes
from minitape.tracer.value_table import ValueTable

if TYPE_CHECKING:
    from typing import Self

MAX_EVENTS = 200_000
# The functions with which layers create their weights.
_INITIAL = {
    "tf.eye",
    "tf.fill",
    "tf.ones",
    "tf.random.normal",
    "tf.random.truncated_normal",
    "tf.random.uniform",
    "tf.zeros",
}

# All active tracers, for any engine, in the order in which they started. This is a tuple, so that a loop over it is not
# affected by changes.
tracing: tuple["Tracer", ...] = ()


class Tracer:
    """Traces while its block runs, or from `start` to `stop`; `received` holds the events.

    Args:
        sink: Called with each event as it arrives, to write it while the program runs.
        script: The name of the program in the header; file names are relative to its folder.
        argv: The program's arguments, for the header.
        seed: The random seed of the run, for the header.
        version: The version of minitape, for the header.
        max_events: After this many events, further events are only counted.
        keep: Whether to keep the events in `received`.
        forgiving: Whether an exception in the tracer ends only the tracing, not the program; `failure` then holds the exception.
        explainer: Makes the object that answers the program's own questions (`tf.why`) from the tracer.
        engine: The engine to trace; None for minitape.
        over: Called after each gradient call that is not inside another one, with the number of such calls so far.
    """

    def __init__(
        self,
        sink: Callable[[EventDict], None] | None = None,
        *,
        script: str = "",
        argv: Sequence[str] = (),
        seed: int | None = None,
        version: str = "",
        max_events: int = MAX_EVENTS,
        keep: bool = True,
        forgiving: bool = False,
        explainer: "Callable[[Tracer], Any] | None" = None,
        engine: Engine | None = None,
        over: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.received: list[EventDict] = []
        self.failure: str | None = None
        self.dropped = 0
        self.listens = False
        self._is_enough = False
        self._sink = sink
        self._over = over
        self._keep = keep
        self._forgiving = forgiving
        self._explainer_of = explainer
        self._explainer: Any = None
        self._folder = Path(script).resolve().parent if script else Path.cwd()
        self._header = {
            "format": FORMAT,
            "v": VERSION,
            "minitape": version,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "script": Path(script).name,
            "argv": list(argv),
            "seed": seed,
        }
        self._max_events = max_events
        self._count = 0
        self._packing = Packing(lambda: self._count)
        self._lock = threading.RLock()
        self._tracing = self._connection = ExitStack()
        self._memory = MarkTable()
        self._name_provenance = NameProvenance()
        self._op_of: dict[int, int] = {}
        self._ops = 0
        self._exports: list[tuple[int, ...]] = []
        self._bound: dict[tuple[str, str], int] = {}
        self._special: set[int] = set()  # variables and watched values by name
        self._waiting: _Waiting | None = None
        self._locations = EventLocations(self._write, self._folder)
        self._introduced: dict[str, Declaration] = {}
        # Tapes and gradient calls.
        self._tapes: dict[int, int] = {}
        self._open = _Open()
        self._paused: set[int] = set()
        self._bind_engine(Minitape() if engine is None else engine)

    def _bind_engine(self, engine: Engine) -> None:
        """Bind everything that depends on the engine."""
        self._engine = engine
        self._known = ValueTable(self._write, engine, self._packing)
        self._wording = Wording(engine)
        self._scopes = Scopes(self._write, engine)
        self._gradients = GradientCalls(
            self._write,
            self._locations,
            self._known,
            self._tapes,
            self._op_of,
            self._left_already,
            engine,
            self._over,
        )
        self._reporters: dict[type, Callable[[Any, source.Stack], None]] = {
            events.Entered: self._entered,
            OpRan: self._op_ran,
            VariableMade: self._variable_made,
            Assigned: self._assigned,
            events.TapeOpened: self._tape_opened,
            events.TapeClosed: self._tape_closed,
            events.Watched: self._watched,
            events.Paused: self._was_paused,
            events.Resumed: self._was_resumed,
            events.WasReset: self._was_reset,
            events.GradientCalled: self._gradients.gradient_called,
            events.GradientFailed: self._gradients.gradient_failed,
        }
        # The location of an event during a gradient call is the location of the call.
        self._inside_calls: dict[type, Callable[[Any], None]] = {
            events.BackwardBegan: self._gradients.backward_began,
            events.Seeded: self._gradients.seeded,
            events.BackwardStepped: self._gradients.stepped_back,
            events.GradientReturned: self._gradients.gradient_returned,
        }

    # --- start and stop ---

    def start(self, *, undecided: bool = False) -> None:
        """Start tracing. It changes no value, but everything runs more slowly.

        Args:
            undecided: Whether the engine may still change (`switch_engine`); the header is then written with the first event.
        """
        global tracing
        self.listens = True
        tracing = (*tracing, self)
        # In a notebook, or where one process runs a program several times, a file may have been edited since it was last read.
        linecache.checkcache()
        self._tracing = ExitStack()
        if self._keep:
            self._tracing.enter_context(seldom_searched())
        self._connection = self._tracing.enter_context(ExitStack())
        self._connection.enter_context(self._engine.connected(self))
        if not undecided:
            self._begin()

    def switch_engine(self, engine: Engine) -> bool:
        """Switch to this engine, which is possible only before the first event; return whether it was possible."""
        if self._count or not self.listens:
            return False
        self._connection.close()
        self._bind_engine(engine)
        self._begin()
        self._connection.enter_context(engine.connected(self))
        return True

    def _begin(self) -> None:
        self._write("header", self._header | self._engine.header, always=True)

    def stop(self) -> None:
        """Stop tracing and keep the events. A second call does nothing."""
        global tracing
        if not self.listens:
            return
        self.listens = False
        tracing = tuple(other for other in tracing if other is not self)
        self._tracing.close()
        if self.failure is None:
            self._flush_pending_op(source.Stack())
        self._wording.forget()
        self._scopes.forget()
        source.forget_frames()
        if not self._count:
            self._begin()
        ended = self._packing.ended
        packed = {} if ended is None else {"packed_until": ended}
        ending = {"events": self._count + 1, "dropped": self.dropped, **packed}
        self._write("end", ending, always=True)

    def stop_soon(self) -> None:
        """Stop tracing after the event that is being written, for a sink that needs no more."""
        self._is_enough = True

    def __enter__(self) -> "Self":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def explainer(self) -> Any:
        """Return the object that answers questions about the trace, if any."""
        if self._explainer is None and self._explainer_of is not None:
            self._explainer = self._explainer_of(self)
        return self._explainer

    @property
    def ops(self) -> int:
        """The number of ops so far."""
        return self._ops

    @property
    def engine(self) -> Engine:
        """The engine that is traced."""
        return self._engine

    @property
    def ids(self) -> dict[int, int]:
        """The ids of the engine's values in the trace, by the engine's own ids."""
        return self._known.ids

    @property
    def tapes(self) -> dict[int, int]:
        """The numbers of the engine's tapes in the trace, by the engine's own numbers."""
        return self._tapes

    @property
    def written(self) -> int:
        """The number of events so far."""
        return self._count

    def fail(self, error: BaseException, steps: tuple[source.StackStep, ...] = ()) -> None:
        """Emit the program's exception, if tracing is still active."""
        if self.listens:
            self._flush_pending_op(source.Stack())
            where = EventLocation(self._locations, steps).where
            self._write("error", {"call": None, **described(error), **where})

    def note(self, text: str) -> None:
        """Emit a note of the program."""
        with self._lock:
            stack = source.Stack()
            self._flush_pending_op(stack)
            self._write("note", {"text": text, **self._locations.location(stack).where})

    # --- what the engine calls ---

    def emit(self, event: Any) -> None:
        try:
            with self._lock:
                if not self.listens:
                    return
                kind = type(event)
                if kind in self._inside_calls:
                    if self._waiting is not None:
                        self._flush_pending_op(source.Stack())
                    self._inside_calls[kind](event)
                else:
                    stack = source.Stack()
                    self._flush_pending_op(stack)
                    self._reporters[kind](event, stack)
                if self._is_enough:
                    self.stop()
        except Exception as fault:
            self.disable(fault)

    def disable(self, fault: Exception) -> None:
        """Stop tracing after an exception: the program may have replaced something that the tracer needs."""
        if not self._forgiving:
            raise fault
        if self.failure is None:
            self.failure = f"{type(fault).__name__}: {fault}"
            self._tracing.enter_context(self._engine.untraced(self._connection.close))

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        try:
            return self._handed_out(tensors, via, product)
        except Exception as fault:
            self.disable(fault)
            return product

    def _handed_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        with self._lock:
            if not self.listens:
                return product
            stack = source.Stack()
            self._flush_pending_op(stack)
            spot = self._locations.location(stack)
            if via == "format" and not any(names_given_by(each.statement) for each in spot.given):
                return product  # without a name, because the value is probably only printed
            known = [each for each in tensors if self._engine.is_value(each)]
            ids = tuple(self._known.of(each) for each in known)
            self._exports.append(ids)
            number = len(self._exports)
            fields = {"export": number, "t": list(ids), "via": via}
            self._write("export", {**fields, **spot.where})
            if via not in ("bool", "index"):
                self._name_provenance.note(spot.given, number, spot.all, spot.text)
            marked = self._memory.mark(product, frozenset({number}))
            if via in ("numpy", "__array__") and isinstance(marked, np.ndarray):
                # `np.asarray` returns a plain view that knows only the owner of its memory, so the owner must carry the mark.
                return marked.copy()
            return marked

    # --- writing ---

    def _write(self, kind: str, fields: dict[str, Any], *, always: bool = False) -> None:
        if self._count >= self._max_events and not always:
            self.dropped += 1
            return
        if not self._count and kind != "header":
            self._begin()
        event = {"i": self._count, "k": kind, **fields}
        self._count += 1
        if self._keep:
            self.received.append(event)
        if self._sink is not None:
            self._sink(event)

    def _where(self, spot: EventLocation, stack: source.Stack) -> dict[str, Any]:
        """Return the fields about the location of an event, and about the Keras call that contains it."""
        if stack.entry is None and not self._scopes.is_running:
            return spot.where
        scope = self._scopes.of(stack)
        return spot.where if scope is None else {**spot.where, "scope": scope}

    def _bind(self, spot: EventLocation, name: str | None, identity: int) -> None:
        """Let `name` refer to `identity`; emit an event if it previously referred to a variable or a watched value."""
        if name is None:
            return
        key = (spot.function, name)
        was = self._bound.get(key)
        self._bound[key] = identity
        if was is not None and was != identity and was in self._special:
            self._write("rebind", {"name": name, "was": was, "now": identity, **spot.where})

    def _reenter(self, given: Any, identity: int, spot: EventLocation, text: str | None) -> None:
        """Emit the origin of a plain value, if it had left the engine before."""
        if not self._exports:
            return
        marks = self._memory.exits_of(given)
        sure = bool(marks)
        is_number = not isinstance(given, bool | str) and not self._engine.is_value(given)
        if not sure and spot.site is not None and text and is_number:
            marks = self._name_provenance.exits_of(text, spot.all, spot.text)
        if marks:
            numbers = sorted(set(map(abs, marks)))
            value_of = sorted({t for number in numbers for t in self._exports[number - 1]})
            fields = {
                "t": identity,
                "value_of": value_of,
                "exports": numbers,
                "sure": sure,
                "flat": max(marks) < 0,
            }
            self._write("reentry", {**fields, **spot.where})

    def _left_already(
        self, event: events.GradientCalled, spot: EventLocation, goal: str | None
    ) -> list[int]:
        """Return the exits of the targets and sources that are no longer tensors."""
        leaves = event.targets + event.sources
        plain = [leaf for leaf in leaves if not self._engine.is_value(leaf)]
        exits = {abs(number) for leaf in plain for number in self._memory.exits_of(leaf)}
        if plain and not exits and goal and spot.site is not None:
            named = self._name_provenance.exits_of(goal, spot.all, spot.text)
            exits.update(map(abs, named))
        return sorted(exits)

    # --- constants, variables ---

    def _entered(self, event: events.Entered, stack: source.Stack) -> None:
        if event.how.startswith(("tf.Variable", "Variable.")):
            return  # the variable's own event follows
        spot = self._locations.location(stack)
        where = self._where(spot, stack)
        engine_id = self._engine.id_of(event.tensor)
        identity = self._known.new(engine_id)
        name = spot.target if event.how == "tf.constant" else None
        text = spot.first_operand if event.how == "tf.constant" else None
        if event.how == "convert":
            (text,) = self._texts([event.given], spot, stack)
            self._wording.made([engine_id], text)
        elif (
            event.given is None
        ):  # an intermediate value, such as the samples of `tf.random.normal`
            self._texts((), spot, stack)
            self._wording.made([engine_id])
        if name is not None:
            self._known.names[identity] = name
        summary = self._known.summary(event.tensor, identity)
        origin = self._known.of_any(event.given)
        fields = {"T": summary, "how": event.how, "text": text, "from": origin}
        self._write("constant", {**fields, **where})
        self._bind(spot, name, identity)
        # A layer creates its weights when it is called; they do not come from its argument.
        called = spot.site.expr if spot.site is not None else ""
        is_weight = event.how in _INITIAL and event.how.rpartition(".")[2] not in called
        self._reenter(event.given, identity, spot, None if is_weight else spot.all_operands)

    def _variable_made(self, event: VariableMade, stack: source.Stack) -> None:
        variable = event.variable
        spot = self._locations.location(stack)
        where = self._where(spot, stack)
        identity = self._known.new(self._engine.id_of(variable))
        target = spot.target if self._engine.is_made_by_user() else None
        self._known.names[identity] = target or self._engine.path_of(variable)
        origin = self._known.of_any(event.initial)
        self._known.write_variable(variable, identity, origin, where)
        self._special.add(identity)
        self._bind(spot, target, identity)
        self._reenter(event.initial, identity, spot, spot.first_operand)

    def _assigned(self, event: Assigned, stack: source.Stack) -> None:
        identity = self._known.of(event.variable)
        spot = self._locations.location(stack)
        where = self._where(spot, stack)
        origin = self._known.of_any(event.given)
        summary = self._known.summary(event.variable, identity)
        part = {"part": True} if event.is_part else {}
        fields = {"var": identity, "how": event.how, "from": origin, "T": summary}
        self._write("assign", {**fields, **part, **where})
        self._reenter(event.given, identity, spot, spot.first_operand)

    # --- ops ---

    def _op_ran(self, event: OpRan, stack: source.Stack) -> None:
        primitive = event.primitive
        spot = self._locations.location(stack)
        where = self._where(spot, stack)
        self._introduce(primitive)
        texts = self._texts(event.given, spot, stack)
        inputs = [
            self._input(value, text, spot, where)
            for value, text in zip(event.given, texts, strict=True)
        ]
        self._ops += 1
        outputs = []
        engine_ids = list(map(self._engine.id_of, event.outputs))
        for tensor, engine_id in zip(event.outputs, engine_ids, strict=True):
            identity = self._known.new(engine_id)
            self._op_of[engine_id] = self._ops
            outputs.append(self._known.summary(tensor, identity))
        self._wording.ran(engine_ids)
        recorded = [
            self._tapes[tape.number] for tape in event.recorded_by if tape.number in self._tapes
        ]
        fields = {
            "op": self._ops,
            "name": primitive.name,
            "inputs": inputs,
            "attrs": {key: _jsonable(value) for key, value in event.settings.items()},
            "outputs": outputs,
            "tape": list(self._open.tapes),
            "recorded": recorded,
            "why_not": self._why_not(event, recorded, inputs),
            "saved": [self._known.of(each) for each in event.saved if self._is_tensor(each)],
            "target_name": None,
            **where,
        }
        target, level = spot.naming
        running = stack.calls[level][1] if stack.calls else None
        self._waiting = _Waiting(fields, spot, target, running)

    def _flush_pending_op(self, stack: source.Stack) -> None:
        """Write the pending op. If the call in which it ran has ended, it was the last op there, so its value gets the name."""
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return
        outputs = waiting.fields["outputs"]
        target = None if stack.holds(waiting.running) else waiting.target
        waiting.fields["target_name"] = target
        if target is None:
            self._write("op", waiting.fields)
            return
        names = names_of_outputs(target, len(outputs))
        for summary, name in zip(outputs, names, strict=True):
            if name is not None:
                summary["name"] = self._known.names[summary["id"]] = name
        self._write("op", waiting.fields)
        for summary, name in zip(outputs, names, strict=True):
            self._bind(waiting.location, name, summary["id"])

    def _texts(
        self, given: Sequence[Any], spot: EventLocation, stack: source.Stack
    ) -> Sequence[str | None]:
        if spot.site is None:
            return [None] * len(given)
        return self._wording.of_inputs(given, spot.site, stack.calls[-1])

    def _introduce(self, primitive: Declaration) -> None:
        """Emit the primitive before its first use, and again if two primitives share a name, as casts to floats and to
        integers do."""
        if self._introduced.get(primitive.name) is not primitive:
            self._introduced[primitive.name] = primitive
            self._write(
                "primitive",
                {
                    "name": primitive.name,
                    "rule": primitive.rule,
                    "gradient": primitive.gradient,
                    "reason": primitive.reason or None,
                },
            )

    def _input(
        self, value: Any, text: str | None, spot: EventLocation, where: dict[str, Any]
    ) -> dict[str, Any]:
        if not self._engine.is_value(value):
            identity = self._known.new()
            summary = self._known.of_operand(value, identity)
            fields = {"T": summary, "how": "operand", "text": text, "from": None}
            self._write("constant", {**fields, **where})
            self._reenter(value, identity, spot, text or spot.all_operands)
            return {"t": identity, "text": text, "watched": []}
        if not self._engine.is_variable(value):
            watched = self._watching(value)
            return {"t": self._known.of(value), "text": text, "watched": watched}
        origin = self._engine.origin_of(value)
        # If a tape watches it, the result of `assign` is the current value of its variable.
        if origin is not None and self._watching(origin):
            value = origin
        watched = self._watching(value)
        identity, out = self._known.of(value), self._known.new()
        self._write("read", {"var": identity, "out": out, "watched": watched, **where})
        return {"t": out, "text": text, "watched": watched}

    def _watching(self, value: Any) -> list[int]:
        """Return the user's tapes that watch `value`, without the recorders of forward mode."""
        watching = self._engine.watching(value)
        return [self._tapes[number] for number in watching if number in self._tapes]

    def _is_tensor(self, thing: Any) -> bool:
        return self._engine.is_value(thing) and not self._engine.is_variable(thing)

    def _why_not(
        self, event: OpRan, recorded: list[int], inputs: list[dict[str, Any]]
    ) -> dict[str, str]:
        if not self._open.tapes:
            return {"0": "no_tape"}
        silent = [tape for tape in self._open.tapes if tape not in recorded]
        if not silent:
            return {}
        reasons = {}
        going = {self._tapes.get(number) for number in self._engine.recording()}
        for tape in silent:
            is_watched = any(tape in each["watched"] for each in inputs)
            is_stopped = tape in self._paused or tape not in going
            # TensorFlow pauses all tapes for `stop_gradient`, which has no gradient anyway.
            if is_stopped and not (is_watched and event.primitive.gradient == "none"):
                reasons[str(tape)] = "recording_stopped"
            elif not is_watched:
                values = [each for each in event.given if self._engine.is_value(each)]
                whole = bool(values) and all(map(self._engine.is_whole, values))
                reasons[str(tape)] = "not_floating" if whole else "no_watched_input"
            else:
                reasons[str(tape)] = "no_gradient"
        return reasons

    # --- tapes ---

    def _tape_opened(self, event: events.TapeOpened, stack: source.Stack) -> None:
        number = self._tapes.setdefault(event.tape, len(self._tapes) + 1)
        self._open.tapes.append(number)
        spot = self._locations.location(stack)
        self._write(
            "tape_enter",
            {
                "tape": [number],
                "persistent": event.persistent,
                "watch_vars": event.watches_variables,
                "depth": len(self._open.tapes),
                "name": spot.site.target if spot.site is not None else None,
                **spot.where,
            },
        )

    def _tape_closed(self, event: events.TapeClosed, stack: source.Stack) -> None:
        number = self._tapes.get(event.tape)
        if number in self._open.tapes:
            self._open.tapes.remove(number)
        self._tape_event("tape_exit", event.tape, {"n_ops": event.ops}, stack)

    def _tape_event(
        self, kind: str, engine_number: int, fields: dict[str, Any], stack: source.Stack
    ) -> None:
        number = self._tapes.setdefault(engine_number, len(self._tapes) + 1)
        self._write(kind, {"tape": [number], **fields, **self._locations.location(stack).where})

    def _watched(self, event: events.Watched, stack: source.Stack) -> None:
        identity = None if event.value is None else self._known.of(event.value)
        if identity is not None:
            self._special.add(identity)
        how = "explicit" if event.explicitly else "read"
        self._tape_event("watch", event.tape, {"t": identity, "how": how}, stack)

    def _was_paused(self, event: events.Paused, stack: source.Stack) -> None:
        self._paused.add(self._tapes.get(event.tape, 0))
        self._tape_event("stop_recording", event.tape, {"on": True}, stack)

    def _was_resumed(self, event: events.Resumed, stack: source.Stack) -> None:
        self._paused.discard(self._tapes.get(event.tape, 0))
        self._tape_event("stop_recording", event.tape, {"on": False}, stack)

    def _was_reset(self, event: events.WasReset, stack: source.Stack) -> None:
        self._tape_event("reset", event.tape, {"dropped": event.dropped}, stack)


class _Open(threading.local):
    """The open tapes of a thread, the outermost first."""

    def __init__(self) -> None:
        self.tapes: list[int] = []


class _Waiting(NamedTuple):
    """The event of an op that is not written yet, and the call that must end before the value gets a name."""

    fields: dict[str, Any]
    location: EventLocation
    target: str | None
    running: FrameType | None


def _jsonable(value: Any) -> Any:
    if isinstance(value, float):
        return strict(float(value))
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, tuple | list):
        return [_jsonable(each) for each in value]
    if isinstance(value, np.dtype):
        return value.name
    if isinstance(value, type) and issubclass(value, np.generic):
        return value.__name__
    if callable(value):  # its text contains an address, which differs between runs
        return str(getattr(value, "__name__", type(value).__name__))
    return str(value)

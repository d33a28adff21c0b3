"""Tracer: hears what the engine tells and writes it down as trace events (docs/trace-format.md).

It looks up where in the user's program each event came from, gives small ids in order of appearance, and knows values again that
left the engine and came back. It changes nothing: all numbers are what they are without it.
"""

import ast
import hashlib
import linecache
import platform
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, NamedTuple, Self

import numpy as np

from minitape.autodiff.gradient_tape import GradientTape
from minitape.core import dtypes, events, recorders
from minitape.core.batched import Batched
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.primitive import Primitive
from minitape.core.tensor import ArrayFace, Tensor
from minitape.core.variable import AfterAssign, Variable
from minitape.debug import source
from minitape.debug.hearsay import Hearsay, gives_to_caller, names_given_by
from minitape.debug.leaving import Memory
from minitape.debug.summary import summarise
from minitape.debug.trace import FORMAT, VERSION, Event, Trace

MAX_EVENTS = 200_000


class Tracer:
    """Listens while its block runs; `trace` holds what it heard.

    Args:
        sink: Called with each event as it comes, for writing while the program runs.
        script: What to call the program in the header; its folder is what file names are relative to.
        argv: The program's arguments, for the header.
        seed: The random seed it was given, for the header.
        version: Of minitape, for the header.
        max_events: From then on events are counted and left out.
        keep: Whether `trace` keeps the events.
    """

    def __init__(
        self,
        sink: Callable[[Event], None] | None = None,
        *,
        script: str = "",
        argv: Sequence[str] = (),
        seed: int | None = None,
        version: str = "",
        max_events: int = MAX_EVENTS,
        keep: bool = True,
    ) -> None:
        self.trace = Trace()
        self._sink = sink
        self._keep = keep
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
        self._dropped = 0
        self._lock = threading.RLock()
        self._listening: Any = None
        self._memory = Memory()
        self._hearsay = Hearsay()
        # Engine ids → trace ids, and what the trace knows of each.
        self._ids: dict[int, int] = {}
        self._next_id = 1
        self._names: dict[int, str] = {}
        self._op_of: dict[int, int] = {}
        self._ops = 0
        self._exports: list[tuple[int, ...]] = []
        self._bound: dict[tuple[str, str], int] = {}
        self._special: set[int] = set()  # variables and what was watched by name
        self._waiting: _Waiting | None = None
        # The call of the user's that runs, what it was given and what it made (nobody wrote that), and whether an op ran in it.
        self._entry: FrameType | None = None
        self._inside: dict[int | None, str | None] = {}
        self._has_computed = False
        # Places.
        self._sites: dict[source.Step, tuple[int, source.Site]] = {}
        self._places: dict[tuple[Any, ...], tuple[int, source.Site]] = {}
        self._files: dict[str, str] = {}
        self._primitives: set[str] = set()
        # Tapes and gradient calls.
        self._tapes: dict[int, int] = {}
        self._open: list[int] = []
        self._paused: set[int] = set()
        self._calls = 0
        self._visits: Counter[tuple[str, int]] = Counter()
        self._walks: list[
            _Walk
        ] = []  # a gradient function of the user's may ask for a gradient itself
        self._tellers: dict[type, Callable[[Any], None]] = {
            events.Entered: self._entered,
            events.OpRan: self._op_ran,
            events.VariableMade: self._variable_made,
            events.Assigned: self._assigned,
            events.TapeOpened: self._tape_opened,
            events.TapeClosed: self._tape_closed,
            events.Watched: self._watched,
            events.Paused: self._was_paused,
            events.Resumed: self._was_resumed,
            events.WasReset: self._was_reset,
            events.GradientCalled: self._gradient_called,
            events.WalkBegan: self._walk_began,
            events.Seeded: self._seeded,
            events.SteppedBack: self._stepped_back,
            events.GradientReturned: self._gradient_returned,
            events.GradientFailed: self._gradient_failed,
        }

    # --- its own life ---

    def __enter__(self) -> Self:
        self._write("header", self._header)
        self._listening = events.listen(self)
        self._listening.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._listening.__exit__(kind, error, traceback)
        self._settle()
        self._entry = None
        self._write_always("end", {"events": self._count + 1, "dropped": self._dropped})

    @property
    def ops(self) -> int:
        """How many ops ran so far."""
        return self._ops

    @property
    def written(self) -> int:
        """How many events were written so far."""
        return self._count

    def fail(self, error: BaseException, steps: tuple[source.Step, ...] = ()) -> None:
        """The program raised: note where."""
        self._settle()
        self._write("error", {"call": None, **_described(error), **self._where(steps)})

    def note(self, text: str) -> None:
        """A remark of the program's own."""
        self._settle()
        self._write("note", {"text": text, **self._where(source.here())})

    # --- what the engine calls ---

    def tell(self, event: Any) -> None:
        with self._lock:
            self._settle()
            self._tellers[type(event)](event)

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        with self._lock:
            self._settle()
            if via == "format" and not self._is_kept(source.here()):
                return product  # only looked at
            known = [each for each in tensors if isinstance(each, ArrayFace)]
            ids = tuple(self._id(each) for each in known)
            self._exports.append(ids)
            number = len(self._exports)
            steps = source.here()
            self._write(
                "export", {"export": number, "t": list(ids), "via": via, **self._where(steps)}
            )
            if via not in ("bool", "index"):
                self._hearsay.note(self._statements_given(steps), number)
            return self._memory.mark(product, frozenset({number}))

    def _is_kept(self, steps: tuple[source.Step, ...]) -> bool:
        """Whether some statement on the way gives the value a name; else it is printed, most likely."""
        return any(names_given_by(site.statement) for site in self._statements_given(steps))

    def _statements_given(self, steps: tuple[source.Step, ...]) -> list[source.Site]:
        """The places whose statements get the value: the innermost, and outwards as long as it is returned."""
        sites = []
        for step in reversed(steps):
            sites.append(self._site(step)[1])
            if not gives_to_caller(sites[-1].statement):
                break
        return sites

    # --- writing ---

    def _write(self, kind: str, fields: dict[str, Any]) -> None:
        if self._count >= self._max_events:
            self._dropped += 1
            return
        self._write_always(kind, fields)

    def _write_always(self, kind: str, fields: dict[str, Any]) -> None:
        event = {"i": self._count, "k": kind, **fields}
        self._count += 1
        if self._keep:
            self.trace.events.append(event)
        if self._sink is not None:
            self._sink(event)

    # --- where ---

    def _where(self, steps: tuple[source.Step, ...]) -> dict[str, Any]:
        """`at` and `stack` of the user's frames; sites are written at first use."""
        if not steps:
            return {"at": None, "stack": []}
        stack = [self._site(step)[0] for step in steps]
        return {"at": self._site(steps[-1])[1].at, "stack": stack}

    def _site(self, step: source.Step) -> tuple[int, source.Site]:
        known = self._sites.get(step)
        if known is not None:
            return known
        # An expression has several instructions, and Python gives it others once it runs often.
        place = (step[0].co_filename, step[0].co_qualname, *source.position(step))
        if place in self._places:
            self._sites[step] = self._places[place]
            return self._sites[step]
        site = source.find(step, self._file(step[0].co_filename))
        number = len(self._places) + 1
        self._sites[step] = self._places[place] = number, site
        self._write(
            "site",
            {
                "site": number,
                "at": site.at,
                "func": site.func,
                "loop": None if site.loop is None else list(site.loop),
                "code": site.code,
                "expr": site.expr,
                "target": site.target,
            },
        )
        return number, site

    def _target(self, steps: tuple[source.Step, ...]) -> str | None:
        """The name that the value of the running expression gets, also one that it is returned to."""
        return self._naming(steps)[0]

    def _naming(self, steps: tuple[source.Step, ...]) -> tuple[str | None, int]:
        """That name, and which of the steps gives it."""
        for level in reversed(range(len(steps))):
            site = self._site(steps[level])[1]
            if not isinstance(site.statement, ast.Return) or site.statement.value is not site.node:
                return site.target, level
        return None, 0

    def _file(self, filename: str) -> str:
        shown = self._files.get(filename)
        if shown is None:
            shown = self._files[filename] = self._shown_name(filename)
            text = "".join(linecache.getlines(filename))
            digest = hashlib.sha256(text.encode()).hexdigest()
            self._write("source", {"file": shown, "sha256": digest, "text": text})
        return shown

    def _shown_name(self, filename: str) -> str:
        if filename.startswith("<"):
            return filename
        path = Path(filename).resolve()
        try:
            return path.relative_to(self._folder).as_posix()
        except ValueError:
            return path.name

    # --- ids and values ---

    def _new_id(self, engine_id: int | None = None) -> int:
        identity = self._next_id
        self._next_id += 1
        if engine_id is not None:
            self._ids[engine_id] = identity
        return identity

    def _id(self, value: Tensor | Variable | ArrayFace) -> int:
        """The trace id of an engine value; one that was made before the tracer listened gets its event now."""
        engine_id: int = value._id
        identity = self._ids.get(engine_id)
        if identity is None:
            identity = self._new_id(engine_id)
            if isinstance(value, Variable):
                origin = self._id(value._origin) if isinstance(value, AfterAssign) else None
                self._write_variable(value, identity, origin, {"at": None, "stack": []})
            else:
                fields = {
                    "T": self._summary(value, identity),
                    "how": "earlier",
                    "text": None,
                    "from": None,
                }
                self._write("constant", {**fields, "at": None, "stack": []})
        return identity

    def _summary(self, value: Any, identity: int, name: str | None = None) -> dict[str, Any]:
        numbers = _numbers(value)
        if name is not None:
            self._names[identity] = name
        dtype = dtypes._BY_NUMPY.get(numbers.dtype)
        return summarise(
            numbers,
            identity,
            name or self._names.get(identity),
            dtype.name if dtype else str(numbers.dtype),
        )

    def _bind(self, steps: tuple[source.Step, ...], name: str | None, identity: int) -> None:
        """`name` now holds `identity`: worth an event if it held a variable or a watched value."""
        if name is None or not steps:
            return
        key = (steps[-1][0].co_qualname, name)
        was = self._bound.get(key)
        self._bound[key] = identity
        if was is not None and was != identity and was in self._special:
            self._write("rebind", {"name": name, "was": was, "now": identity, **self._where(steps)})

    def _reenter(
        self, given: Any, identity: int, steps: tuple[source.Step, ...], text: str | None
    ) -> None:
        """Write where a plain value came from, if it had left the engine before."""
        marks = self._memory.exits_of(given)
        exits = frozenset(map(abs, marks))
        sure = bool(exits)
        if not sure and steps and text and not isinstance(given, ArrayFace | bool | str):
            sites = [self._site(step)[1] for step in steps[-2:]]
            exits = self._hearsay.exits_of(text, sites, source.text_of(steps[-1]))
        if exits:
            numbers = sorted(exits)
            value_of = sorted({t for number in numbers for t in self._exports[number - 1]})
            fields = {
                "t": identity,
                "value_of": value_of,
                "exports": numbers,
                "sure": sure,
                "flat": sure and max(marks) < 0,
            }
            self._write("reentry", {**fields, **self._where(steps)})

    # --- constants, variables ---

    def _entered(self, event: events.Entered) -> None:
        if event.how.startswith(("tf.Variable", "Variable.")):
            return  # the variable's own event follows
        steps = source.here()
        where = self._where(steps)
        identity = self._new_id(event.tensor._id)
        site = self._site(steps[-1])[1] if steps else None
        name = self._target(steps) if event.how == "tf.constant" else None
        written = site.operands if site is not None else ()
        text = written[0] if event.how == "tf.constant" and written else None
        if event.how == "convert":
            (text,) = self._texts([event.given], steps, source.calls_of_users())
            self._inside[event.tensor._id] = text
        summary = self._summary(event.tensor, identity, name)
        origin = self._id_if_any(event.given)
        fields = {"T": summary, "how": event.how, "text": text, "from": origin}
        self._write("constant", {**fields, **where})
        self._bind(steps, name, identity)
        self._reenter(event.given, identity, steps, f"({', '.join(written)},)")

    def _variable_made(self, event: events.VariableMade) -> None:
        variable = event.variable
        steps = source.here()
        where = self._where(steps)
        identity = self._new_id(variable._id)
        is_direct = _called_by_user(Variable.__init__.__code__)
        target = self._target(steps) if is_direct else None
        self._names[identity] = target or variable.path
        origin = self._id(event.initial) if isinstance(event.initial, ArrayFace) else None
        self._write_variable(variable, identity, origin, where)
        self._special.add(identity)
        self._bind(steps, target, identity)
        self._reenter(event.initial, identity, steps, self._first_operand(steps))

    def _write_variable(
        self, variable: Variable, identity: int, origin: int | None, where: dict[str, Any]
    ) -> None:
        self._names.setdefault(identity, variable.path)
        self._write(
            "variable",
            {
                "var": identity,
                "name": variable.name,
                "T": self._summary(variable, identity),
                "trainable": variable._trainable,
                "from": origin,
                **where,
            },
        )

    def _assigned(self, event: events.Assigned) -> None:
        identity = self._id(event.variable)
        steps = source.here()
        where = self._where(steps)
        origin = self._id(event.given) if isinstance(event.given, ArrayFace) else None
        summary = self._summary(event.variable, identity)
        self._write(
            "assign", {"var": identity, "how": event.how, "from": origin, "T": summary, **where}
        )
        self._reenter(event.given, identity, steps, self._first_operand(steps))

    def _first_operand(self, steps: tuple[source.Step, ...]) -> str | None:
        operands = self._site(steps[-1])[1].operands if steps else ()
        return operands[0] if operands else None

    # --- ops ---

    def _op_ran(self, event: events.OpRan) -> None:
        primitive = event.primitive
        steps = source.here()
        where = self._where(steps)
        calls = source.calls_of_users()
        self._introduce(primitive)
        active = recorders.thread.active
        texts = self._texts(event.given, steps, calls)
        self._has_computed = True
        inputs = [
            self._input(value, text, active, steps)
            for value, text in zip(event.given, texts, strict=True)
        ]
        self._ops += 1
        outputs = []
        for tensor in event.outputs:
            identity = self._new_id(tensor._id)
            self._op_of[tensor._id] = self._ops
            outputs.append(self._summary(tensor, identity))
            self._inside[tensor._id] = None
        recorded = [
            self._tapes[tape.number] for tape in event.recorded_by if tape.number in self._tapes
        ]
        fields = {
            "op": self._ops,
            "name": primitive.name,
            "inputs": inputs,
            "attrs": {key: _jsonable(value) for key, value in event.settings.items()},
            "outputs": outputs,
            "tape": list(self._open),
            "recorded": recorded,
            "why_not": self._why_not(event, recorded, inputs),
            "saved": [self._id(each) for each in event.kept if type(each) is Tensor],
            "target_name": None,
            **where,
        }
        target, level = self._naming(steps)
        running = calls[level][1] if calls else None
        self._waiting = _Waiting(fields, steps, target, running)

    def _settle(self) -> None:
        """Write the op that waits; its value gets the name if the call that it ran in is over, for it was the last one there."""
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return
        outputs = waiting.fields["outputs"]
        is_inner = any(frame is waiting.running for frame in source.running())
        target = None if is_inner else waiting.target
        names = _names_of_outputs(target, len(outputs))
        waiting.fields["target_name"] = target
        for summary, name in zip(outputs, names, strict=True):
            if name is not None:
                summary["name"] = self._names[summary["id"]] = name
        self._write("op", waiting.fields)
        for summary, name in zip(outputs, names, strict=True):
            self._bind(waiting.steps, name, summary["id"])

    def _texts(
        self,
        given: Sequence[Any],
        steps: tuple[source.Step, ...],
        calls: list[tuple[FrameType, FrameType]],
    ) -> list[str | None]:
        """What the user wrote for each input of an op; nothing for what a function made on its own way."""
        if not steps:
            return [None] * len(given)
        site = self._site(steps[-1])[1]
        frame, entry = calls[-1]
        if entry is not self._entry:
            self._entry, self._inside, self._has_computed = entry, {}, False
        held = [source.held(part, frame) for part in site.parts]
        texts: list[str | None] = []
        for i, value in enumerate(given):
            engine_id = getattr(value, "_id", None)
            if engine_id in self._inside:
                texts.append(self._inside[engine_id])
                continue
            matching = [j for j, each in enumerate(held) if _is_same(each, value)]
            if not matching and not self._has_computed and i < len(held):
                matching = [i] if _may_be(held[i], value) else []
            texts.append(site.operands[matching[0]] if matching else None)
            if engine_id is not None:
                self._inside[engine_id] = texts[-1]
        return texts

    def _introduce(self, primitive: Primitive) -> None:
        if primitive.name not in self._primitives:
            self._primitives.add(primitive.name)
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
        self, value: Any, text: str | None, active: tuple[Any, ...], steps: tuple[source.Step, ...]
    ) -> dict[str, Any]:
        where = self._where(steps)
        if isinstance(value, Variable):
            watched = self._watching(value, active)
            identity, out = self._id(value), self._new_id()
            self._write("read", {"var": identity, "out": out, "watched": watched, **where})
            return {"t": out, "text": text, "watched": watched}
        if isinstance(value, Tensor):
            watched = self._watching(value, active)
            return {"t": self._id(value), "text": text, "watched": watched}
        identity = self._new_id()
        array = np.asarray(value) if not isinstance(value, np.ndarray) else value.view(np.ndarray)
        summary = self._summary(array, identity)
        fields = {"T": summary, "how": "operand", "text": text, "from": None}
        self._write("constant", {**fields, **where})
        operands = self._site(steps[-1])[1].operands if steps else ()
        self._reenter(value, identity, steps, text or f"({', '.join(operands)},)")
        return {"t": identity, "text": text, "watched": []}

    def _watching(self, value: Any, active: tuple[Any, ...]) -> list[int]:
        """The user's tapes that watch `value`; forward mode's recorders are no tapes of the user's."""
        return [
            self._tapes[tape.number]
            for tape in active
            if value._id in tape.watched and tape.number in self._tapes
        ]

    def _why_not(
        self, event: events.OpRan, recorded: list[int], inputs: list[dict[str, Any]]
    ) -> dict[str, str]:
        if not self._open:
            return {"0": "no_tape"}
        reasons = {}
        for tape in self._open:
            if tape in recorded:
                continue
            if tape in self._paused:
                reasons[str(tape)] = "recording_stopped"
            elif not any(tape in each["watched"] for each in inputs):
                kinds = [
                    each._array.dtype.kind for each in event.given if isinstance(each, ArrayFace)
                ]
                whole = bool(kinds) and all(kind in "iub" for kind in kinds)
                reasons[str(tape)] = "not_floating" if whole else "no_watched_input"
            else:
                reasons[str(tape)] = "no_gradient"
        return reasons

    # --- tapes ---

    def _tape_opened(self, event: events.TapeOpened) -> None:
        tape: GradientTape = event.tape
        number = self._tapes.setdefault(tape._number, len(self._tapes) + 1)
        self._open.append(number)
        steps = source.here()
        site = self._site(steps[-1])[1] if steps else None
        self._write(
            "tape_enter",
            {
                "tape": [number],
                "persistent": tape._persistent,
                "watch_vars": tape._watches_variables,
                "depth": len(self._open),
                "name": site.target if site is not None else None,
                **self._where(steps),
            },
        )

    def _tape_closed(self, event: events.TapeClosed) -> None:
        number = self._tapes.get(event.tape._number)
        if number in self._open:
            self._open.remove(number)
        inner = event.tape._tape
        n_ops = len(inner.records) if inner is not None else 0
        self._tape_event("tape_exit", event.tape._number, {"n_ops": n_ops})

    def _tape_event(self, kind: str, engine_number: int, fields: dict[str, Any]) -> None:
        number = self._tapes.setdefault(engine_number, len(self._tapes) + 1)
        self._write(kind, {"tape": [number], **fields, **self._where(source.here())})

    def _watched(self, event: events.Watched) -> None:
        identity = None if event.value is None else self._id(event.value)
        if identity is not None:
            self._special.add(identity)
        how = "explicit" if event.explicitly else "read"
        self._tape_event("watch", event.tape, {"t": identity, "how": how})

    def _was_paused(self, event: events.Paused) -> None:
        self._paused.add(self._tapes.get(event.tape, 0))
        self._tape_event("stop_recording", event.tape, {"on": True})

    def _was_resumed(self, event: events.Resumed) -> None:
        self._paused.discard(self._tapes.get(event.tape, 0))
        self._tape_event("stop_recording", event.tape, {"on": False})

    def _was_reset(self, event: events.WasReset) -> None:
        self._tape_event("reset", event.tape, {"dropped": event.dropped})

    # --- gradient calls ---

    def _gradient_called(self, event: events.GradientCalled) -> None:
        steps = source.here()
        where = self._where(steps)
        site = self._site(steps[-1])[1] if steps else source.Site("", 0)
        self._calls += 1
        self._visits[site.file, site.line] += 1
        inside = self._walks[-1].call if self._walks else None
        self._walks.append(_Walk(self._calls, event.sources, site.target))
        second = "source" if event.api == "batch_jacobian" else "sources"
        written = source.leaf_names(source.argument(site.node, 1, second), len(event.sources))
        entries = self._entries(site, second, len(event.sources))
        if any(entries):  # what is written is their holder's name
            written = [None] * len(entries)
        own = [self._name_of(leaf) for leaf in event.sources]
        names = [
            text
            or (name if name != "Variable" and own.count(name) == 1 else None)
            or entry
            or name
            or f"sources[{i}]"
            for i, (text, name, entry) in enumerate(zip(written, own, entries, strict=True))
        ]
        goal = source.leaf_names(source.argument(site.node, 0, "target"), 1)[0]
        given = event.output_gradients
        seeds = None if given is None else [None if g is None else self._id(g) for g in given]
        sources = [
            {"t": self._id_if_any(leaf), "name": name}
            for leaf, name in zip(event.sources, names, strict=True)
        ]
        self._write(
            "gradient",
            {
                "call": self._calls,
                "inside": inside,
                "api": event.api,
                "tape": [self._tapes.setdefault(event.tape, len(self._tapes) + 1)],
                "target": [self._id(leaf) for leaf in event.targets if isinstance(leaf, ArrayFace)],
                "target_name": goal,
                "sources": sources,
                "left": self._left_already(event, steps, goal),
                "output_gradients": seeds,
                "unconnected": event.unconnected,
                "visit": self._visits[site.file, site.line],
                "text": site.expr or site.code,
                **where,
            },
        )

    def _entries(self, site: source.Site, keyword: str, count: int) -> list[str | None]:
        """The sources as entries of what the user gave: `params[0]`."""
        given = source.argument(site.node, 1, keyword)
        calls = source.calls_of_users()
        holder = source.held(given, calls[-1][0]) if calls else None
        return source.entry_names(given, holder, count)

    def _left_already(
        self, event: events.GradientCalled, steps: tuple[source.Step, ...], goal: str | None
    ) -> list[int]:
        """The exits through which targets and sources that are no tensors left the engine."""
        plain = [leaf for leaf in event.targets + event.sources if not isinstance(leaf, ArrayFace)]
        exits = {abs(number) for leaf in plain for number in self._memory.exits_of(leaf)}
        if plain and not exits and goal and steps:
            sites = [self._site(step)[1] for step in steps[-2:]]
            exits.update(self._hearsay.exits_of(goal, sites, source.text_of(steps[-1])))
        return sorted(exits)

    def _id_if_any(self, leaf: Any) -> int | None:
        return self._id(leaf) if isinstance(leaf, ArrayFace) else None

    def _name_of(self, leaf: Any) -> str | None:
        return self._names.get(self._id(leaf)) if isinstance(leaf, ArrayFace) else None

    def _walk_began(self, event: events.WalkBegan) -> None:
        walk = self._walks[-1]
        walk.rows = event.rows
        walk.steps = len(event.plan)
        walk.uses = Counter(identity for _, inputs in event.plan for identity in inputs)

    def _seeded(self, event: events.Seeded) -> None:
        identity = self._ids[event.target]
        summary = self._summary(event.cotangent, identity)
        self._write("seed", {"call": self._walks[-1].call, "t": identity, "T": summary})

    def _stepped_back(self, event: events.SteppedBack) -> None:
        walk = self._walks[-1]
        walk.step += 1
        op = self._op_of.get(event.outputs[0])
        out = self._ids.get(event.outputs[0], 0)
        sent = []
        for engine_id, amount, reads, reads_output in event.sent:
            identity = self._ids.get(engine_id, 0)
            total = walk.add(engine_id, _numbers(amount))
            sent.append(
                {
                    "t": identity,
                    "T": self._summary(amount, identity),
                    "sum": self._summary(total, identity),
                    "use": walk.used[engine_id],
                    "uses": walk.uses[engine_id],
                    "reads": [self._ids[each] for each in reads if each in self._ids]
                    + ([out] if reads_output else []),
                }
            )
        skipped = [{"t": self._ids.get(each, 0), "why": why} for each, why in event.skipped]
        fields: dict[str, Any] = {
            "call": walk.call,
            "op": op,
            "step": walk.step,
            "of": walk.steps,
            "grad_in": self._summary(event.arrived, out),
            "out": sent,
            "skipped": skipped,
        }
        if walk.rows is not None:
            fields["rows"] = walk.rows
        self._write("back", fields)

    def _gradient_returned(self, event: events.GradientReturned) -> None:
        active = [
            self._tapes[tape.number]
            for tape in recorders.thread.active
            if tape.number in self._tapes
        ]
        walk = self._walks.pop()
        names = _names_of_outputs(walk.target, len(event.results))
        for index, (result, leaf, name) in enumerate(
            zip(event.results, walk.sources, names, strict=True)
        ):
            summary = None
            if isinstance(result, Tensor):
                identity = self._ids.get(result._id) or self._new_id(result._id)
                summary = self._summary(result, identity, name)
            elif result is not None:
                summary = self._summary(result, self._new_id(), name)
            self._write(
                "result",
                {
                    "call": walk.call,
                    "source": index,
                    "t": self._id(leaf),
                    "T": summary,
                    "recorded": active,
                },
            )

    def _gradient_failed(self, event: events.GradientFailed) -> None:
        where = self._where(source.here())
        self._write("error", {"call": self._walks.pop().call, **_described(event.error), **where})


class _Waiting(NamedTuple):
    """An op's event that is not written yet, and the call that must be over before its value can have a name."""

    fields: dict[str, Any]
    steps: tuple[source.Step, ...]
    target: str | None
    running: FrameType | None


class _Walk:
    """What the tracer keeps of the walk that is going on."""

    def __init__(self, call: int, sources: tuple[Any, ...], target: str | None) -> None:
        self.call = call
        self.sources = sources
        self.target = target
        self.rows: int | None = None
        self.step = 0
        self.steps = 0
        self.uses: Counter[int] = Counter()
        self.used: Counter[int] = Counter()
        self._totals: dict[int, Any] = {}

    def add(self, engine_id: int, amount: Any) -> Any:
        """The running total of what a value was sent."""
        self.used[engine_id] += 1
        held = self._totals.get(engine_id)
        same = held is None or np.shape(held) == np.shape(amount)
        total = amount if held is None or not same else held + amount
        if self.uses[engine_id] > self.used[engine_id]:
            self._totals[engine_id] = total
        else:
            self._totals.pop(engine_id, None)
        return total


def _numbers(value: Any) -> Any:
    """The numbers of any value that may flow in a walk."""
    if isinstance(value, ArrayFace):
        return value._array
    if type(value) is Batched:
        return _numbers(value.stack)
    if type(value) is IndexedSlices:
        return _numbers(value.values)
    return value


def _called_by_user(code: Any) -> bool:
    """Whether the function with this code, now running, was called from the user's own file."""
    import sys

    frame = sys._getframe(1)
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back  # type: ignore[assignment]
    return (
        frame is not None
        and frame.f_back is not None
        and source.is_users(frame.f_back.f_code.co_filename)
    )


def _is_same(held: Any, value: Any) -> bool:
    """Whether what a name or number in the source stands for is this input."""
    if held is value:
        return True
    is_number = isinstance(held, int | float) and not isinstance(value, ArrayFace)
    return is_number and np.ndim(value) == 0 and bool(np.asarray(value) == held or held != held)


def _may_be(held: Any, value: Any) -> bool:
    """Whether an operand in the same place may be this input: a longer expression, or an array that was converted."""
    if held is source.UNKNOWN:
        return True
    return not isinstance(held, ArrayFace | int | float) and not isinstance(value, ArrayFace)


def _names_of_outputs(target: str | None, count: int) -> list[str | None]:
    """`a, b = f(x)` names two outputs; `pair = f(x)` names pair[0] and pair[1]."""
    if target is None or count == 1:
        return [target] * count
    parts = [part.strip() for part in target.strip("()").split(",")]
    if len(parts) == count:
        return list(parts)
    return [f"{target}[{i}]" for i in range(count)]


def _described(error: BaseException) -> dict[str, Any]:
    return {"type": type(error).__name__, "message": str(error)}


def _jsonable(value: Any) -> Any:
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if isinstance(value, tuple | list):
        return [_jsonable(each) for each in value]
    if isinstance(value, np.dtype):
        return value.name
    if isinstance(value, type) and issubclass(value, np.generic):
        return value.__name__
    if callable(value):  # its text would hold an address, which differs from run to run
        return str(getattr(value, "__name__", type(value).__name__))
    return str(value)

"""Gradient calls and the backward pass: for each step the gradient rule, the cotangent that arrives, and the cotangents that it
sends.

TensorFlow runs the backward pass in C++ and calls the gradient function of each op in Python, where the step is traced. The
attributes passed to the gradient function are the same object that the op had when it ran, which identifies the op of a step.
The steps are emitted after the backward pass, because only then is it known how often each value was used.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from minitape.core import events
from minitape.core.primitive import OpRan
from minitape.tracer.engine import EventSink
from minitape.tracer.tensorflow.forward import Forward
from minitape.tracer.tensorflow.internals import Hooks, Privates
from minitape.tracer.tensorflow.jacobian import JacobianRows
from minitape.tracer.tensorflow.notes import RunNotes
from minitape.tracer.tensorflow.settings import Declared, OpDefinitions
from minitape.tracer.tensorflow.tapes import RuleStep, Shadow, ShadowTapes, TapeOp
from minitape.tracer.tensorflow.values import TensorFlowValues, number


class _BackwardState(threading.local):
    def __init__(self) -> None:
        self.backward_passes: list[
            list[RuleStep]
        ] = []  # gradient calls in progress, the innermost last


class Backward:
    """Traces tapes (opening, pauses, gradient requests) and the steps of their backward passes.

    Args:
        tf: The private names of TensorFlow.
        values: Identifies values.
        tapes: The shadows of the program's tapes.
        settings: Reads the attributes of ops.
        notes: Collects the notes about how the program was traced.
        forward: Traces ops.
        sink: Receives the events.
    """

    def __init__(
        self,
        tf: Privates,
        values: TensorFlowValues,
        tapes: ShadowTapes,
        settings: OpDefinitions,
        notes: RunNotes,
        forward: Forward,
        sink: EventSink,
    ) -> None:
        self._tf = tf
        self._values = values
        self._tapes = tapes
        self._settings = settings
        self._notes = notes
        self._forward = forward
        self._sink = sink
        self._thread = _BackwardState()
        self._rows = JacobianRows(tf, values, notes, forward, self._walk)

    def install(self, hooks: Hooks) -> None:
        """Install the hooks."""
        tape = self._tf.backprop.GradientTape
        hooks.put(tape, "_push_tape", self._traced_push)
        hooks.put(tape, "_pop_tape", self._traced_pop)
        hooks.put(tape, "__enter__", self._traced_enter)
        hooks.put(tape, "__exit__", self._traced_exit)
        hooks.put(tape, "watch", self._traced_watch)
        hooks.put(tape, "reset", self._traced_reset)
        hooks.put(tape, "stop_recording", self._traced_pause)
        for api in ("gradient", "jacobian", "batch_jacobian"):
            hooks.put(tape, api, partial(self._tracing_call, api))
        hooks.put(self._tf.tape, "push_new_tape", self._rows.keeping_tapes)
        hooks.put(self._tf.record, "record_operation", self._traced_own_rules)
        plain = self._tf.backprop._gradient_function
        register = self._tf.tfe.TFE_Py_RegisterGradientFunction
        register(self._traced_rules(plain))
        hooks.at_end(register, plain)

    @property
    def _is_ours(self) -> bool:
        """Whether the current code is the program's own (not TensorFlow's internals) and runs eagerly."""
        return not self._forward.is_quiet and bool(self._tf.context.executing_eagerly())

    def _note(self, emit: Callable[..., None], tape: Any, *given: Any) -> None:
        """Emit an event about a tape, if the program's own code causes it."""
        if self._is_ours:
            self._forward.guarded(lambda: emit(self._tapes.of(tape), *given))

    # --- the life of a tape ---

    def _traced_push(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def _push_tape(tape: Any) -> None:
            original(tape)
            self._note(self._tapes.push, tape)

        return _push_tape

    def _traced_pop(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def _pop_tape(tape: Any) -> None:
            original(tape)
            self._note(self._tapes.pop, tape)

        return _pop_tape

    def _traced_enter(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def __enter__(tape: Any) -> Any:  # noqa: N807
            entered = original(tape)
            self._note(self._opened, tape)
            return entered

        return __enter__

    def _opened(self, shadow: Shadow) -> None:
        shadow.functions_before = self._notes.functions_ended
        self._sink.emit(
            events.TapeOpened(shadow.number, shadow.persistent, shadow.watches_variables)
        )

    def _traced_exit(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def __exit__(tape: Any, *error: Any) -> Any:  # noqa: N807
            was_recording = tape._recording
            left = original(tape, *error)
            if was_recording:
                self._note(self._closed, tape)
            return left

        return __exit__

    def _closed(self, shadow: Shadow) -> None:
        self._sink.emit(events.TapeClosed(shadow.number, len(shadow.records)))

    def _traced_watch(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def watch(tape: Any, tensor: Any) -> None:
            original(tape, tensor)
            self._note(self._watched, tape, tensor)

        return watch

    def _watched(self, shadow: Shadow, structure: Any) -> None:
        leaves = list(self._tf.backprop._extract_tensors_and_variables(structure))
        if not leaves:
            self._sink.emit(events.Watched(shadow.number, None, True))
        for leaf in leaves:
            if self._values.is_value(leaf) and not self._values.is_whole(leaf):
                shadow.watched.add(self._values.watched_id_of(leaf))
                self._sink.emit(events.Watched(shadow.number, leaf, True))

    def _traced_reset(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def reset(tape: Any) -> None:
            original(tape)
            self._note(self._was_reset, tape)

        return reset

    def _was_reset(self, shadow: Shadow) -> None:
        self._sink.emit(events.WasReset(shadow.number, shadow.forget()))

    def _traced_pause(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @contextmanager
        def stop_recording(tape: Any) -> Iterator[None]:
            with original(tape):
                self._note(self._paused, tape)
                try:
                    yield
                finally:
                    self._note(self._resumed, tape)

        return stop_recording

    def _paused(self, shadow: Shadow) -> None:
        self._sink.emit(events.Paused(shadow.number))

    def _resumed(self, shadow: Shadow) -> None:
        self._sink.emit(events.Resumed(shadow.number))

    # --- gradient calls ---

    def _tracing_call(self, api: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def ask(
            tape: Any,
            target: Any,
            sources: Any = None,
            *rest: Any,
            **named: Any,
        ) -> Any:
            if "source" in named:  # the name of this argument in batch_jacobian
                sources = named["source"]
            given = (target, sources) if "source" not in named else (target,)
            if not self._is_ours:
                return original(tape, *given, *rest, **named)
            inside = tape._tape
            self._forward.guarded(self._gradient_requested, tape, api, target, sources, rest, named)
            self._thread.backward_passes.append([])
            try:
                with self._rows.by_graph(api != "gradient"), self._forward.reading():
                    answer = original(tape, *given, *rest, **named)
            except BaseException as error:
                self._thread.backward_passes.pop()
                self._forward.guarded(self._sink.emit, events.GradientFailed(error))
                raise
            steps = self._thread.backward_passes.pop()
            seeds = _argument(rest, named, "output_gradients") if api == "gradient" else None
            shadow = self._tapes.of(tape)
            if self._notes.functions_ended > shadow.functions_before:
                self._notes.crossed()
            if api == "gradient":
                self._forward.guarded(self._emit_backward, shadow, target, seeds, steps)
                if not steps and _unconnected(rest, named) == "none":
                    self._forward.guarded(self._check_silence, target, sources, answer)
            else:
                emit = partial(self._emit_steps, shadow)
                self._forward.guarded(self._rows.emit, emit, inside, shadow, api, target, sources)
            if not shadow.persistent:
                shadow.records = []
            self._forward.guarded(self._answered, answer)
            return answer

        ask.__name__ = ask.__qualname__ = api
        return ask

    def _check_silence(self, target: Any, sources: Any, answer: Any) -> None:
        """Add a note that steps are missing if a gradient was computed without any traced gradient rule."""
        flatten = self._tf.nest.flatten
        targets = {self._values.watched_id_of(each) for each in flatten(target)}
        for source, derivative in zip(flatten(sources), flatten(answer)):
            if _flows(derivative) and self._values.watched_id_of(source) not in targets:
                self._notes.no_steps()

    def _gradient_requested(
        self, tape: Any, api: str, target: Any, sources: Any, rest: tuple[Any, ...], named: Any
    ) -> None:
        flatten = self._tf.nest.flatten
        given = _argument(rest, named, "output_gradients") if api == "gradient" else None
        self._sink.emit(
            events.GradientCalled(
                self._tapes.of(tape).number,
                api,
                tuple(map(self._forward.known_as, flatten(target))),
                tuple(map(self._forward.known_as, flatten(sources))),
                None if given is None else tuple(flatten(given)),
                _unconnected(rest, named, 1 if api == "gradient" else 0),
            )
        )

    def _answered(self, answer: Any) -> None:
        self._sink.emit(events.GradientReturned(tuple(self._tf.nest.flatten(answer))))

    # --- the backward pass ---

    def _traced_rules(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def _gradient_function(
            op: str,
            attributes: Any,
            count: int,
            inputs: Any,
            outputs: Any,
            arrived: Any,
            needless: Any,
            *rest: Any,
        ) -> Any:
            backward_passes = self._thread.backward_passes
            record = self._tapes.recorded(attributes) if backward_passes else None
            if record is None:
                return original(op, attributes, count, inputs, outputs, arrived, needless, *rest)
            with self._forward.reading() as taken:
                sent = original(op, attributes, count, inputs, outputs, arrived, needless, *rest)
            self._forward.guarded(self._stepped, record, arrived, sent, taken, needless or ())
            return sent

        return _gradient_function

    def _traced_own_rules(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Trace ops whose gradient is a Python function, such as those of `custom_gradient` and `recompute_grad`."""

        def record_operation(
            op_type: str,
            output_tensors: Any,
            input_tensors: Any,
            backward_function: Callable[..., Any],
            forward_function: Any = None,
        ) -> None:
            # If the call is inside a graph that is being built, the graph records its captures too.
            is_eager = all(isinstance(each, self._values.tensor) for each in output_tensors)
            if not is_eager or not self._is_ours:
                original(
                    op_type, output_tensors, input_tensors, backward_function, forward_function
                )
                return
            attributes = ("rule", backward_function)

            def received(*arrived: Any) -> Any:
                backward_passes = self._thread.backward_passes
                record = self._tapes.recorded(attributes) if backward_passes else None
                if record is None:
                    return backward_function(*arrived)
                with self._forward.reading() as taken:
                    sent = backward_function(*arrived)
                self._forward.guarded(self._stepped, record, arrived, sent, taken)
                return sent

            original(op_type, output_tensors, input_tensors, received, forward_function)
            given = op_type, output_tensors, input_tensors, attributes
            self._forward.guarded(self._ran_by_own_rule, *given)

        return record_operation

    def _stepped(
        self, record: TapeOp, arrived: Any, sent: Any, taken: set[int], needless: Any = ()
    ) -> None:
        step = RuleStep(record, tuple(arrived), _each(sent), taken, needless)
        self._thread.backward_passes[-1].append(step)

    def _ran_by_own_rule(self, kind: str, outputs: Any, inputs: Any, attributes: Any) -> None:
        given = tuple(map(self._forward.known_as, inputs))
        ids = tuple(map(self._values.watched_id_of, given))
        able = [identity for value, identity in zip(given, ids) if not self._values.is_whole(value)]
        tapes = self._tapes.record(kind, attributes, ids, able, tuple(map(number, outputs)))
        declared = Declared(kind, "as defined by its own gradient function", "rule", "")
        ran = OpRan(declared, given, tuple(outputs), {}, tuple(tapes), ())  # type: ignore[arg-type]
        self._sink.emit(ran)

    def _walk(self, function: Callable[[], Any]) -> list[RuleStep]:
        """Return the steps of a backward pass that the tracer itself starts."""
        self._thread.backward_passes.append([])
        try:
            with self._forward.reading():
                function()
        finally:
            steps = self._thread.backward_passes.pop()
        return steps

    def _emit_backward(
        self, shadow: Shadow, target: Any, seeds: Any, steps: list[RuleStep]
    ) -> None:
        flatten = self._tf.nest.flatten
        targets = list(map(self._forward.known_as, flatten(target)))
        given = [None] * len(targets) if seeds is None else flatten(seeds)
        cotangents = []
        for leaf, seed in zip(targets, given):
            if self._values.is_value(leaf) and not self._values.is_whole(leaf):
                ones = np.ones_like(self._values.numbers_of(leaf))
                identity = self._values.watched_id_of(leaf)
                cotangents.append((identity, ones if seed is None else seed))
        self._emit_steps(shadow, cotangents, steps, None)

    def _emit_steps(
        self, shadow: Shadow, seeds: list[tuple[int, Any]], steps: list[RuleStep], rows: int | None
    ) -> None:
        """Emit a whole backward pass: its plan, its seeds, its steps."""
        owed = {identity for identity, _ in seeds}
        reported: list[events.BackwardStepped] = []
        for step in steps:
            event = self._contributions(shadow, step, owed)
            if event is not None:
                owed.update(identity for identity, *_ in event.sent)
                reported.append(event)
        plan = tuple(
            (event.outputs, tuple(identity for identity, *_ in event.sent)) for event in reported
        )
        self._sink.emit(events.BackwardBegan(plan, rows))
        for identity, cotangent in seeds:
            self._sink.emit(events.Seeded(identity, cotangent))
        for event in reported:
            self._sink.emit(event)

    def _taken(self, step: RuleStep, position: int) -> tuple[tuple[int, ...], bool]:
        """Return the values that the rule read for one input, if the gradient needs them, and whether it read the output."""
        op = step.op
        needed, output = self._settings.reads(op.name, position, len(op.inputs))
        taken = tuple(op.inputs[each] for each in needed if op.inputs[each] in step.taken)
        return taken, output and not step.taken.isdisjoint(op.outputs)

    def _contributions(
        self, shadow: Shadow, step: RuleStep, owed: set[int]
    ) -> events.BackwardStepped | None:
        op = step.op
        arrived = [(output, each) for output, each in zip(op.outputs, step.arrived) if _flows(each)]
        if not arrived:
            return None
        # TensorFlow passes zeros for unused outputs, so that a rule has a cotangent for each.
        first = next((each for each in arrived if each[0] in owed), arrived[0])
        sent, skipped = [], []
        for position, (identity, amount) in enumerate(zip(op.inputs, step.sent)):
            if not identity:
                continue
            # A rule may return gradients for all inputs, even for those that were not requested.
            if identity not in shadow.watched or position in step.needless:
                skipped.append((identity, "not_needed"))
            elif _flows(amount):
                sent.append((identity, amount, *self._taken(step, position)))
            else:
                skipped.append((identity, "no_gradient"))
        return events.BackwardStepped(op.outputs, *first, tuple(sent), tuple(skipped))


def _each(sent: Any) -> tuple[Any, ...]:
    """Return the gradient that a rule returns for each input; a rule for a single input may return it without a list."""
    return tuple(sent) if isinstance(sent, list | tuple) else (sent,)


def _flows(amount: Any) -> bool:
    return amount is not None and hasattr(amount, "dtype")


def _argument(rest: tuple[Any, ...], named: dict[str, Any], name: str, position: int = 0) -> Any:
    """Return an argument of a gradient call after the target and the sources."""
    return named.get(name, rest[position] if position < len(rest) else None)


def _unconnected(rest: tuple[Any, ...], named: dict[str, Any], position: int = 1) -> str:
    """Return the `unconnected_gradients` argument: the result for a source without a path."""
    wanted = _argument(rest, named, "unconnected_gradients", position)
    return "zero" if getattr(wanted, "value", wanted) == "zero" else "none"

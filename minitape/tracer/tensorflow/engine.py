"""TensorFlow as an `Engine`, and the hooks behind it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from minitape.core.events import GradientCalled
from minitape.tracer import source
from minitape.tracer.accumulation import SparseRows
from minitape.tracer.engine import EventSink
from minitape.tracer.tensorflow.backward import Backward
from minitape.tracer.tensorflow.compiled.autograph import take_maps
from minitape.tracer.tensorflow.exits import Exits
from minitape.tracer.tensorflow.forward import Forward
from minitape.tracer.tensorflow.internals import TRIED, Hooks, Privates, UntraceableError
from minitape.tracer.tensorflow.libraries import Libraries
from minitape.tracer.tensorflow.notes import RunNotes
from minitape.tracer.tensorflow.settings import OpDefinitions
from minitape.tracer.tensorflow.tapes import ShadowTapes
from minitape.tracer.tensorflow.values import TensorFlowValues

_IN_FUNCTIONS_OF_DATA = (
    ".*run_functions_eagerly.*option is set, this option does not apply to tf.data functions"
)


class _TensorFlowTracing:
    """The hooks, shared by all tracers that run at the same time, because TensorFlow supports only one set of hooks.

    Raises:
        UntraceableError: this version of TensorFlow cannot be traced.
    """

    at_work: _TensorFlowTracing | None = None

    def __init__(self) -> None:
        self.tf = Privates()
        self.values = TensorFlowValues(self.tf)
        self.tapes = ShadowTapes(self.tf.tfe)
        self.notes = RunNotes(self.tf)
        self._settings = OpDefinitions(self.tf)
        self._sinks: tuple[EventSink, ...] = ()
        self._hooks = Hooks()
        if not self.tf.is_tried:
            tried = ", ".join(TRIED)
            self.notes.say(
                f"TensorFlow {self.tf.version} was not tested with minitape; tested versions: {tried}."
            )

    @contextmanager
    def connected_to(self, sink: EventSink) -> Iterator[None]:
        """Also send events to `sink` until the block ends; the hooks stay installed as long as there is a sink."""
        is_first = not self._sinks
        self._sinks = (*self._sinks, sink)
        try:
            if is_first:
                _TensorFlowTracing.at_work = self
                self._install_hooks()
            yield
        finally:
            self._sinks = tuple(other for other in self._sinks if other is not sink)
            if not self._sinks:
                _TensorFlowTracing.at_work = None
                self._hooks.take_out()

    def _install_hooks(self) -> None:
        self._hooks = hooks = Hooks()
        inside = self.tf, self.values, self.tapes, self._settings, self.notes
        self.notes.install(hooks)
        self.run_functions_eagerly(hooks)
        forward = Forward(*inside, self)
        exits = Exits(self.tf, self.values, forward, self)
        libraries = Libraries(forward, exits)
        forward.install(hooks, libraries.look)
        Backward(*inside, forward, self).install(hooks)
        exits.install(hooks)
        libraries.install(hooks)
        take_maps(hooks)

    def run_functions_eagerly(self, hooks: Hooks) -> None:
        """Run functions eagerly, because the contents of a graph cannot be traced."""
        functions = self.tf.functions
        if not self.tf.has("functions", "run_functions_eagerly"):
            return
        hooks.at_end(functions.run_functions_eagerly, functions.functions_run_eagerly())
        functions.run_functions_eagerly(True)
        # TensorFlow logs a warning about this setting; the program did not choose it, so the warning is suppressed.
        warnings.filterwarnings("ignore", message=_IN_FUNCTIONS_OF_DATA)
        ours = warnings.filters[0]

        def forget() -> None:
            with suppress(ValueError):
                warnings.filters.remove(ours)  # type: ignore[attr-defined]

        hooks.at_end(forget)

    # --- as an EventSink ---

    def emit(self, event: Any) -> None:
        for each in self._sinks:
            each.emit(event)

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        for each in self._sinks:
            product = each.hand_out(tensors, via, product)
        return product

    def disable(self, fault: Exception) -> None:
        for each in self._sinks:
            each.disable(fault)


class TensorFlow:
    """See `Engine`.

    Raises:
        UntraceableError: this version of TensorFlow cannot be traced.
    """

    def __init__(self) -> None:
        self._take(_TensorFlowTracing.at_work or _TensorFlowTracing())

    @property
    def notes(self) -> list[str]:
        """The notes about how the program was traced, so far."""
        return list(self._tracer_engine.notes.texts)

    @property
    def header(self) -> dict[str, Any]:
        return {"engine": "tensorflow", "engine_version": self._tf.version}

    def connected(self, sink: EventSink) -> AbstractContextManager[Any]:
        self._take(_TensorFlowTracing.at_work or self._tracer_engine)
        return self._tracer_engine.connected_to(sink)

    def _take(self, engine_tracer: _TensorFlowTracing) -> None:
        self._tracer_engine, self._tf, self._values, self._tapes = (
            engine_tracer,
            engine_tracer.tf,
            engine_tracer.values,
            engine_tracer.tapes,
        )

    @contextmanager
    def untraced(self, end: Callable[[], None]) -> Iterator[None]:
        tf = self._tf
        is_known = tf.has("functions", "functions_run_eagerly")
        is_eager = is_known and tf.functions.functions_run_eagerly()
        end()
        hooks = Hooks()
        if is_eager:  # so that a function is not compiled in the middle of the run
            self._tracer_engine.run_functions_eagerly(hooks)
        try:
            yield
        finally:
            hooks.take_out()

    def is_own(self, filename: str) -> bool:
        return "/tensorflow/" in filename or not source.is_librarys(filename)

    # --- values ---

    def is_value(self, thing: Any) -> bool:
        return self._values.is_value(thing)

    def is_variable(self, thing: Any) -> bool:
        return self._values.is_variable(thing)

    def id_of(self, value: Any) -> int:
        return self._values.id_of(value)

    def numbers_of(self, value: Any) -> Any:
        return self._values.numbers_of(value)

    def rows_of(self, amount: Any) -> SparseRows | None:
        return self._values.rows_of(amount)

    def dtype_of(self, numbers: Any) -> str:
        return self._values.dtype_of(numbers)

    def leaves_of(self, structure: Any) -> list[Any]:
        leaves: list[Any] = self._tf.nest.flatten(structure)
        return leaves

    def is_whole(self, value: Any) -> bool:
        return self._values.is_whole(value)

    def put(self, value: Any, numbers: Any) -> None:
        self._values.put(value, numbers)

    # --- variables ---

    def path_of(self, variable: Any) -> str:
        return self._values.path_of(variable)

    def is_trainable(self, variable: Any) -> bool:
        return self._values.is_trainable(variable)

    def origin_of(self, variable: Any) -> Any:
        return self._values.origin_of(variable)

    def is_made_by_user(self) -> bool:
        frame = sys._getframe(1)
        while frame is not None:
            file = frame.f_code.co_filename
            if "/tensorflow/" not in file and "/minitape/tracer/" not in file:
                return source.is_users(file)
            frame = frame.f_back  # type: ignore[assignment]
        return False

    # --- tapes ---

    def is_tape(self, thing: Any) -> bool:
        return isinstance(thing, self._tf.backprop.GradientTape)

    def number_of(self, tape: Any) -> int:
        return self._tapes.of(tape).number

    @contextmanager
    def left_as_it_is(self, tape: Any) -> Iterator[None]:
        if not (self._tf.has("tape", "push_new_tape") and self._tf.has("record", "stop_recording")):
            raise UntraceableError(
                "Tapes of this TensorFlow version can be used only once, so only gradients that the program itself requests can "
                "be explained."
            )
        shadow = self._tapes.of(tape)
        as_it_was = tape._persistent, tape._recording, shadow.persistent
        tape._persistent, tape._recording, shadow.persistent = True, False, True
        try:
            with self._tf.record.stop_recording(), self._tapes.aside():
                yield
        finally:
            tape._persistent, tape._recording, shadow.persistent = as_it_was

    def watching(self, value: Any) -> list[int]:
        identity = self._values.watched_id_of(value)
        return [each.number for each in self._tapes.active if identity in each.watched]

    def recording(self) -> list[int]:
        if self._tapes.are_stopped():
            return []
        return [each.number for each in self._tapes.active]

    def refusal(self, error: BaseException, call: GradientCalled) -> str | None:
        message = str(error)
        if isinstance(error, RuntimeError) and "non-persistent" in message:
            return "used_up"
        if isinstance(error, LookupError) and message.startswith("gradient registry has no entry"):
            return "no_gradient"
        if "`target`" in message or not all(map(self.is_value, call.targets)):
            return "target"
        return None if all(map(self.is_value, call.sources)) else "source"

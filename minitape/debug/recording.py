"""A recording of a running program that can be queried (Recording), and its trace (Recorded).

It works with any engine; questions about tapes and values go through the engine's interface (`tracer/engine.py`).
"""

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self, Unpack

import msgspec

from minitape.debug.engines import engine_for, has_tensorflow
from minitape.errors import TapeRuntimeError, TapeValueError
from minitape.explain.explain import explain
from minitape.explain.report import CallReport, Report
from minitape.notebook.shown import (
    Bundle,
    Graph,
    Looks,
    NotebookAnswer,
    Page,
    drawn,
    only_under,
    paged,
    placeholder,
)
from minitape.trace.events import GradientEvent, ResultEvent, TapeEnterEvent
from minitape.trace.trace import Trace
from minitape.trace.writing import EventDict
from minitape.tracer.engine import Engine
from minitape.tracer.tracer import Tracer

_NOT_TRACED = "This tape was opened before recording started, so minitape does not know its ops."


class Recorded(Trace):
    """The trace of a recording, as a user of `tf.debug.record()` gets it."""

    def graph(self, **looks: Unpack[Looks]) -> Graph:
        """Return the picture of one gradient call, see `drawn`."""
        return drawn(self, **looks)

    def debugger(self) -> Page:
        """Return the page to step through the run."""
        from minitape.terms import described  # a large import, and rarely needed

        return paged(self, described)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        """Return what a notebook displays, which is the picture, or a line of text if there is no picture."""
        if not self.of(TapeEnterEvent):
            return placeholder(f"<trace of {self.script or 'this run'} without a tape>")
        return drawn(self)._repr_mimebundle_()


class Recording:
    """A recording, from `start` to `stop`, or for the block that it opens.

    Args:
        tracer: The tracer; None creates one.
        new: Returns the tracer's events since the last call; None if the tracer keeps them.
        on: The engine for a new tracer, see `record`.
    """

    def __init__(
        self,
        tracer: Tracer | None = None,
        new: Callable[[], Iterable[EventDict]] | None = None,
        *,
        on: str | None = None,
    ) -> None:
        self._tracer = self._new_tracer(on) if tracer is None else tracer
        self._is_programs = tracer is None  # created by the program, not by a command
        self._was_chosen = self._is_programs and on is None
        self._trace = Recorded()
        self._new = new or (lambda: self._tracer.received[len(self._trace) :])
        self._has_block = False
        self._own: frozenset[int] = (
            frozenset()
        )  # the calls that `explain` made, not the user's program

    def _new_tracer(self, on: str | None) -> Tracer:
        engine = engine_for(on)
        # An error while tracing TensorFlow must not end the program.
        return Tracer(explainer=lambda _: self, engine=engine, forgiving=bool(engine.header))

    def start(self) -> None:
        """Start recording. Values do not change, but everything runs more slowly."""
        self._tracer.start()

    def stop(self) -> None:
        """Stop recording and keep the events. A second call does nothing."""
        self._tracer.stop()

    def __enter__(self) -> Self:
        self._has_block = True
        if not self._tracer.listens:
            self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        calls = len(self.trace.of(GradientEvent))
        requested = f"{calls} gradient call{'s' * (calls != 1)} so far; print({self._alias}.why()) explains them"
        return f"<{'recording' if self._tracer.listens else 'recorded'}: {requested}>"

    @property
    def trace(self) -> Recorded:
        """The events so far, for `minitape.draw` or to be written to a file."""
        self._trace.extend(self._new())
        return self._trace

    @property
    def written(self) -> int:
        """The number of events so far."""
        return self._tracer.written

    @property
    def _engine(self) -> Engine:
        return self._tracer.engine

    @property
    def on(self) -> str:
        """The engine that is recorded: `tensorflow` or `minitape`."""
        return str(self._engine.header.get("engine", "minitape"))

    @property
    def _alias(self) -> str:
        """The name of minitape in the program: `tf` if the program runs on it."""
        return "tf" if self.on == "minitape" else "minitape"

    @property
    def missed(self) -> str | None:
        """A possible reason for an empty recording of minitape: the program has imported TensorFlow since it started."""
        is_silent = self.on == "minitape" and not self._tracer.tapes
        if not (self._was_chosen and is_silent and has_tensorflow()):
            return None
        return (
            "This recording covers minitape, but the program opened no minitape tape. TensorFlow is imported too; to record "
            'it, call minitape.debug.record(on="tensorflow").'
        )

    def is_of(self, tape: Any) -> bool:
        """Return whether this is a tape of the recorded engine."""
        return self._engine.is_tape(tape)

    @property
    def is_open(self) -> bool:
        """Whether the recording continues until `stop`, because neither a block nor a command will end it."""
        return self._is_programs and self._tracer.listens and not self._has_block

    # --- what it can show ---

    def graph(
        self,
        tape: Any = None,
        target: Any = None,
        sources: Any = None,
        *,
        since: int = 0,
        **looks: Unpack[Looks],
    ) -> Graph:
        """Return the picture of a gradient call: the first one with a problem or, if there is none, the last one; or of a tape
        without a call.

        Args:
            tape: The tape whose calls are considered; None for all tapes.
            target: With `sources`, a gradient to draw; the tape is not consumed, as with `explain`.
            sources: See `target`.
            since: The number of the event from which on calls and tapes are considered.
            looks: Options of `minitape.notebook.shown.drawn`.

        Raises:
            RuntimeError: no tape was opened during the recording, or this one was not.
        """
        number = None if tape is None else self._known_number_of(tape)
        if target is not None:
            report = self.explain(tape, target, sources).report
        else:
            report = self.why().only(lambda call, _: self._is_of(call, number, since)).report
        if not report.calls:
            return drawn(only_under(number or self._last_tape(since), self.trace), **looks)
        chosen = next((call for call in report.calls if call.has_problem), report.calls[-1])
        looks.setdefault("call", self._gradient(chosen.event).call)
        return drawn(self.trace, report, **looks)

    def debugger(self) -> Page:
        """Return the page to step through everything recorded so far."""
        return self.trace.debugger()

    def shown(self, tape: Any) -> Bundle:
        """Return the representation of a tape in a notebook."""
        is_known = self._number_of(tape) is not None
        return self.graph(tape)._repr_mimebundle_() if is_known else placeholder(_NOT_TRACED)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        """Return what a notebook displays, which is the picture as soon as there is a tape."""
        return self.graph()._repr_mimebundle_() if self._tracer.tapes else placeholder(repr(self))

    def _number_of(self, tape: Any) -> int | None:
        return self._tracer.tapes.get(self._engine.number_of(tape))

    def _known_number_of(self, tape: Any) -> int:
        number = self._number_of(tape)
        if number is None:
            raise TapeRuntimeError(
                _NOT_TRACED, fix=f"call `{self._alias}.debug.record()` before the `with` block"
            )
        return number

    def _last_tape(self, since: int) -> int:
        opened = [event.tapes[-1] for event in self.trace.of(TapeEnterEvent) if event.i >= since]
        if not opened:
            raise TapeRuntimeError(
                self.missed or "The program opened no tape, so there is nothing to draw.",
                fix="write `with tf.GradientTape() as tape: ...`",
            )
        return opened[-1]

    def _is_of(self, call: CallReport, tape: int | None, since: int) -> bool:
        return call.event >= since and tape in (None, *self._gradient(call.event).tapes)

    def _gradient(self, number: int) -> GradientEvent:
        """Return the event of a gradient call."""
        event = self.trace.events[number]
        assert isinstance(event, GradientEvent)
        return event

    # --- what it can say ---

    def explanation(self, since: int = 0) -> NotebookAnswer:
        """Return the explanation of all gradient calls from the event `since` on."""
        from minitape.fixes.suggestions import (
            suggested,  # imported only when a recording is queried
        )

        trace = self.trace
        whole = NotebookAnswer(suggested(explain(trace), trace), (*self._engine.notes, *self.gaps))
        return whole.only(lambda call, _: call.event >= since)

    @property
    def gaps(self) -> list[str]:
        """Return sentences about the parts of the run that were not recorded."""
        reported = [self.missed] if self.missed else []
        if self._tracer.dropped:
            reported += [
                f"The recording is full; {self._tracer.dropped} later events were not recorded. To start a new "
                f"recording, call {self._alias}.debug.record()."
            ]
        if self._tracer.failure is not None:
            reported += [
                f"Recording stopped early ({self._tracer.failure}); later events are missing."
            ]
        return reported

    def why(self, what: Any = None) -> NotebookAnswer:
        """Call `minitape.debug.queries.why` for this recording."""
        whole = self.explanation().only(lambda call, _: call.event not in self._own)
        leaves = self._engine.leaves_of(what)
        if any(leaf is None for leaf in leaves):
            return whole
        positions = {self._position(leaf, whole.report) for leaf in leaves}
        return whole.only(lambda call, source: (call.event, source.index) in positions)

    def explain(self, tape: Any, target: Any, sources: Any, given: Any = None) -> NotebookAnswer:
        """Call `minitape.debug.queries.explain` for this recording."""
        self._known_number_of(tape)
        wanted = self._ids_of(sources)
        call = None if given is not None else self._requested_before(tape, target, wanted)
        if call is not None:
            whole = self.explanation(since=call)
            return whole.only(lambda each, source: each.event == call and source.value in wanted)
        first = self.written
        refused = None
        try:
            with self._engine.left_as_it_is(tape):
                tape.gradient(target, sources, given)
        except Exception as error:
            refused = error
        answer = self.explanation(since=first)
        self._own |= {each.event for each in answer.report.calls}
        for each in answer.report.calls:
            # This gradient call is not in the user's source, but its picture needs a title.
            names = ", ".join(source.name for source in each.sources)
            reported = f"gradient of {each.target_name} for {names}"
            self._trace.put(msgspec.structs.replace(self._gradient(each.event), text=reported))
        if refused is not None and answer.ok:
            raise refused
        return answer

    def _ids_of(self, structure: Any) -> list[int | None]:
        """Return the ids of values in the trace; None for values that are not in it."""
        engine, ids = self._engine, self._tracer.ids
        leaves = engine.leaves_of(structure)
        return [ids.get(engine.id_of(leaf)) if engine.is_value(leaf) else None for leaf in leaves]

    def _requested_before(self, tape: Any, target: Any, sources: list[int | None]) -> int | None:
        """Return the event of the last call on this tape with this target and these sources that returned; a tape may compute
        only one gradient."""
        number, targets = self._number_of(tape), self._ids_of(target)
        answered = {event.call for event in self.trace.of(ResultEvent)}
        for event in reversed(self.trace.of(GradientEvent)):
            if (
                event.call in answered
                and event.api == "gradient"
                and event.tapes == [number]
                and event.targets == targets
                and event.output_gradients is None
                and set(sources) <= {source.value for source in event.sources}
                and None not in sources
            ):
                return event.i
        return None

    def _position(self, leaf: Any, report: Report) -> tuple[int, int]:
        """Return the last call that had this value as a source or returned it as a gradient, and the index of the source."""
        (identity,) = self._ids_of(leaf)
        calls = {event.call: event.i for event in self.trace.of(GradientEvent)}
        given = {
            (calls[event.call], event.source)
            for event in self.trace.of(ResultEvent)
            if event.numbers is not None and event.numbers.id == identity
        }
        for call in reversed(report.calls):
            for source in call.sources:
                position = call.event, source.index
                if identity is not None and (source.value == identity or position in given):
                    return position
        raise TapeValueError(
            f"No recorded gradient call has this {type(leaf).__name__} as a source or returned it as a gradient.",
            fix=f"call `{self._alias}.why(w)` for a source `w` of `tape.gradient(loss, [w, ...])`, or `{self._alias}.why()` for "
            "all lost gradients",
        )

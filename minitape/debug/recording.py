"""Asking from inside a program: why is this gradient None?

    tf.debug.record()                    # at the top: listens from here on; or `with tf.debug.record():` around a part
    ...
    gradients = tape.gradient(loss, [w, b])
    print(tf.why())                      # why those that were lost so far were lost
    print(tf.why(b))                     # what is to be said about one source, or about a gradient that came back
    print(tape.explain(loss, b))         # the same of a question; it leaves the tape as it is
    tape.graph(loss, b)                  # the picture of it

Nobody can tell afterwards what went past a tape: the values that were lost are gone. So someone must have listened.
"""

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self, Unpack

import msgspec

from minitape.core import listeners, nest
from minitape.core.tensor import ArrayFace
from minitape.errors import TapeRuntimeError, TapeValueError
from minitape.explain.explain import explain
from minitape.explain.report import CallReport, Report
from minitape.listen.tracer import Tracer
from minitape.notebook.shown import (
    Answer,
    Bundle,
    Graph,
    Looks,
    Page,
    Recorded,
    drawn,
    only_under,
    paged,
    remark,
)
from minitape.trace.events import Gradient, Result, TapeEnter
from minitape.trace.writing import EventDict

_UNHEARD = "This tape was opened before anyone listened: what it recorded is not known."


class Recording:
    """What was heard, to be asked: from `start` to `stop`, or for the block that it opens.

    Args:
        tracer: Who listens; None makes one.
        new: Gives what the tracer has heard since the last time; None where the tracer keeps it.
    """

    def __init__(
        self,
        tracer: Tracer | None = None,
        new: Callable[[], Iterable[EventDict]] | None = None,
    ) -> None:
        self._tracer = Tracer(explainer=lambda _: self) if tracer is None else tracer
        self._trace = Recorded()
        self._new = new or (lambda: self._tracer.heard[len(self._trace) :])
        self._has_block = False
        self._own: frozenset[int] = (
            frozenset()
        )  # the calls that `explain` made, and not the user's program

    def start(self) -> None:
        """Listen from now on. No number changes by that, but all runs slower."""
        self._tracer.start()

    def stop(self) -> None:
        """Listen no more; what was heard stays. A second call does nothing."""
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
        calls = len(self.trace.of(Gradient))
        asked = f"{calls} gradient call{'s' * (calls != 1)} so far; print(tf.why()) explains them"
        return f"<{'recording' if self._tracer.listens else 'recorded'}: {asked}>"

    @property
    def trace(self) -> Recorded:
        """What was heard so far, for `minitape.draw` or to be written to a file."""
        self._trace.extend(self._new())
        return self._trace

    @property
    def written(self) -> int:
        """How many events were heard so far."""
        return self._tracer.written

    @property
    def is_open(self) -> bool:
        """Whether it listens until `stop`, as no block will end it."""
        return self._tracer.listens and not self._has_block

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
        """The picture of a gradient call: the first one with a problem, else the last; or of a tape that was not asked yet.

        Args:
            tape: Only what this tape was asked; None takes all tapes.
            target: With `sources`, what to ask the tape, see `GradientTape.graph`.
            sources: See `target`.
            since: Only calls and tapes from this event on.
            looks: As for `minitape.notebook.shown.drawn`.

        Raises:
            RuntimeError: no tape was opened while it listened, or this one was not.
        """
        number = None if tape is None else self._number_of(tape)
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
        """The page on which one steps through all that was heard so far."""
        return paged(self.trace)

    def shown(self, tape: Any) -> Bundle:
        """What a notebook shows of a tape."""
        is_known = tape._number in self._tracer.tapes
        return self.graph(tape)._repr_mimebundle_() if is_known else remark(_UNHEARD)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        """For notebooks: the picture, as soon as there is a tape."""
        return self.graph()._repr_mimebundle_() if self._tracer.tapes else remark(repr(self))

    def _number_of(self, tape: Any) -> int:
        if tape._number not in self._tracer.tapes:
            raise TapeRuntimeError(_UNHEARD, fix="tf.debug.record() above the `with`")
        return self._tracer.tapes[tape._number]

    def _last_tape(self, since: int) -> int:
        opened = [event.tapes[-1] for event in self.trace.of(TapeEnter) if event.i >= since]
        if not opened:
            raise TapeRuntimeError(
                "No tape was opened: there is nothing to draw.",
                fix="with tf.GradientTape() as tape: ...",
            )
        return opened[-1]

    def _is_of(self, call: CallReport, tape: int | None, since: int) -> bool:
        return call.event >= since and tape in (None, *self._gradient(call.event).tapes)

    def _gradient(self, number: int) -> Gradient:
        """The event of a gradient call."""
        event = self.trace.events[number]
        assert isinstance(event, Gradient)
        return event

    # --- what it can say ---

    def explanation(self, since: int = 0) -> Answer:
        """Of all that was asked in the events from `since` on."""
        whole = Answer(explain(self.trace), self._tracer.dropped)
        return whole.only(lambda call, _: call.event >= since)

    def why(self, what: Any = None) -> Answer:
        """See `minitape.debug.recording.why`."""
        whole = self.explanation().only(lambda call, _: call.event not in self._own)
        leaves = nest.flatten(what)
        if any(leaf is None for leaf in leaves):
            return whole
        spots = {self._spot(leaf, whole.report) for leaf in leaves}
        return whole.only(lambda call, source: (call.event, source.index) in spots)

    def explain(self, tape: Any, target: Any, sources: Any, given: Any = None) -> Answer:
        """See `GradientTape.explain`."""
        wanted = self._ids_of(sources)
        call = None if given is not None else self._asked_before(tape, target, wanted)
        if call is not None:
            whole = self.explanation(since=call)
            return whole.only(lambda each, source: each.event == call and source.value in wanted)
        first = self.written
        refused = None
        try:
            tape.gradient(target, sources, given)
        except Exception as error:
            refused = error
        answer = self.explanation(since=first)
        self._own |= {each.event for each in answer.report.calls}
        for each in answer.report.calls:
            # The user did not write this call, and its picture needs a title.
            names = ", ".join(source.name for source in each.sources)
            self._trace.events[each.event] = msgspec.structs.replace(
                self._gradient(each.event), text=f"gradient of {each.target_name} by {names}"
            )
        if refused is not None and answer.ok:
            raise refused
        return answer

    def _ids_of(self, structure: Any) -> list[int | None]:
        """What the trace calls some values; None for what it has not met."""
        leaves = nest.flatten(structure)
        return [
            self._tracer.ids.get(leaf._id) if isinstance(leaf, ArrayFace) else None
            for leaf in leaves
        ]

    def _asked_before(self, tape: Any, target: Any, sources: list[int | None]) -> int | None:
        """The event of the last call that asked a tape for these and was answered: a tape gives but one."""
        number, targets = self._tracer.tapes.get(tape._number), self._ids_of(target)
        answered = {event.call for event in self.trace.of(Result)}
        for event in reversed(self.trace.of(Gradient)):
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

    def _spot(self, leaf: Any, report: Report) -> tuple[int, int]:
        """The last call that had this value as a source or gave it as a gradient, and which of its sources that was."""
        (identity,) = self._ids_of(leaf)
        calls = {event.call: event.i for event in self.trace.of(Gradient)}
        given = {
            (calls[event.call], event.source)
            for event in self.trace.of(Result)
            if event.numbers is not None and event.numbers.id == identity
        }
        for call in reversed(report.calls):
            for source in call.sources:
                spot = call.event, source.index
                if identity is not None and (source.value == identity or spot in given):
                    return spot
        raise TapeValueError(
            f"No recorded gradient call had this {type(leaf).__name__} as a source or gave it as a gradient.",
            fix="tf.why(w) for a w of tape.gradient(loss, [w, ...]); tf.why() for all that was lost",
        )


def record() -> Recording:
    """Listen from here on, so that `tf.why` and `tape.explain` can answer.

    `with tf.debug.record() as recording:` listens for the block. Without `with`, as the first line of a script or in the first
    cell of a notebook, it listens until `recording.stop()` or until the next such call, which begins anew. No number changes by
    that, but all runs slower, and what is recorded takes memory: at most 200 000 events.

    >>> import minitape as tf
    >>> with record():
    ...     x = tf.constant(3.0)
    ...     with tf.GradientTape() as tape:
    ...         y = x * x
    ...     slope = tape.gradient(y, x)
    ...     why().report.calls[0].sources[0].findings[0].code
    'MT101'
    """
    for each in recordings():
        if each.is_open:
            each.stop()
    recording = Recording()
    recording.start()
    return recording


def recordings() -> list[Recording]:
    """Those that listen, in the order in which they began."""
    asked = [each.explainer() for each in listeners.active if isinstance(each, Tracer)]
    return [each for each in asked if isinstance(each, Recording)]


# --- questions ---


def why(what: Any = None) -> Answer:
    """Why gradients that were asked for while someone listened are what they are.

    Args:
        what: A source (a variable or tensor), for the last call that asked for its gradient; or a gradient that came back,
            nan or zero; or a structure of them. A None tells nothing about where it is from: like no argument, it stands for
            all gradients so far.

    Raises:
        RuntimeError: no one listens.
        ValueError: no call had `what` as a source or gave it as a gradient.
    """
    answer: Answer = listeners.explainer().why(what)
    return answer


def graph(**looks: Unpack[Looks]) -> Graph:
    """The picture of what was asked while someone listened: of the first call with a problem, else of the last.

    Raises:
        RuntimeError: no one listens, or no tape was opened yet.
    """
    found: Graph = listeners.explainer().graph(**looks)
    return found


def why_of(tape: Any, target: Any, sources: Any) -> tuple[Any, Answer]:
    """Ask a tape for a gradient: what it gives, and why. A tape that is not persistent is spent then.

    Raises:
        RuntimeError: no one listens.
    """
    recording = listeners.explainer()
    first = recording.written
    gradients = tape.gradient(target, sources)
    return gradients, recording.explanation(since=first)

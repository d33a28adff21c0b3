"""Checks of the trace that was recorded while the student's program ran.

codes       what the explainer finds in it
connected   whether each gradient arrived
tape        what a tape recorded
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Literal

from msgspec import field

from minitape.course import messages
from minitape.course.checks.check import CheckContext, OnRun
from minitape.course.failing import Failed
from minitape.course.messages import counted
from minitape.trace import events


class Codes(OnRun, frozen=True, tag="codes"):
    """The codes that the explainer must or must not find in the gradient calls; `outcome = "healthy"` allows no code at all."""

    absent: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    outcome: Literal["healthy"] | None = None

    def judge(self, context: CheckContext) -> str:
        for code in self.absent:
            if code in context.codes:
                raise Failed(_found(context, code), messages.SEE_LINE_AND_PAGE.format(code=code))
        for code in self.present:
            if code not in context.codes:
                raise Failed(
                    messages.CODE_NOT_FOUND.format(title=_title(code), code=code),
                    messages.SEE_PAGE.format(code=code),
                )
        if self.outcome == "healthy" and context.codes:
            raise Failed(_found(context, context.codes[0]), messages.SEE_LINE)
        if self.present:
            return messages.CODES_SHOWN.format(codes=", ".join(self.present))
        if not self.absent:
            return messages.NO_CODES
        gone = messages.CODES_GONE if len(self.absent) == 1 else messages.CODES_GONE_TOO
        return gone.format(codes=", ".join(self.absent))


class Connected(OnRun, frozen=True, tag="connected"):
    """The program must request at least one gradient; no gradient may be None, or a zero in place of None."""

    def judge(self, context: CheckContext) -> str:
        from minitape.explain.flow.graph import FlowGraph
        from minitape.explain.report import Outcome

        calls = context.report.calls
        if not calls:
            raise Failed(messages.NO_GRADIENT, messages.REQUEST_GRADIENT)
        flow = FlowGraph(context.trace).calls
        requested = {call.event.i: call for call in flow.values()}
        for call in calls:
            made = requested[call.event]
            for source in call.sources:
                said = {"source": source.name or messages.A_SOURCE, "line": call.location.line}
                if source.outcome is Outcome.NONE:
                    raise Failed(messages.GRADIENT_NONE.format(**said), messages.FIND_THE_LOSS)
                if source.outcome is Outcome.ERROR:
                    raise Failed(messages.GRADIENT_ERROR.format(**said), messages.FIND_THE_LOSS)
                is_hidden = made.event.unconnected == "zero" and source.value not in made.reached
                if is_hidden and source.value not in made.event.targets:
                    raise Failed(messages.GRADIENT_HIDDEN.format(**said), messages.SHOW_THE_NONE)
        count = sum(len(call.sources) for call in calls)
        return messages.CONNECTED if count == 1 else messages.ALL_CONNECTED.format(count=count)


class TapeShape(OnRun, frozen=True, tag="tape"):
    """What the tape of gradient call number `call` recorded (-1: the last call), and how many tapes the run opened."""

    call: int = 1
    most: int | None = None
    least: int | None = None
    has: dict[str, int] = field(default_factory=dict)
    lacks: tuple[str, ...] = ()
    watches_most: int | None = None
    tapes: int | None = None

    def judge(self, context: CheckContext) -> str:
        opened = {
            number for each in context.trace.of(events.TapeEnterEvent) for number in each.tapes
        }
        if self.tapes is not None and len(opened) != self.tapes:
            tapes = counted(len(opened), "tape")
            raise Failed(
                messages.TAPES_OPENED.format(tapes=tapes, wanted=self.tapes), messages.COUNT_TAPES
            )
        number = self._tape(context)
        ops = Counter(op.name for op in context.trace.of(events.OpEvent) if number in op.recorded)
        self._count(ops)
        if self.watches_most is None:
            return messages.TAPE_HOLDS.format(ops=counted(ops.total(), "op"))
        watched = {
            w.value
            for w in context.trace.of(events.WatchEvent)
            if number in w.tapes and w.how == "explicit"
        }
        values = counted(len(watched), "value")
        if len(watched) > self.watches_most:
            raise Failed(
                messages.TOO_MANY_WATCHED.format(values=values, most=self.watches_most),
                messages.WATCHED_AUTOMATICALLY,
            )
        return messages.TAPE_WATCHES.format(values=values)

    def _tape(self, context: CheckContext) -> int:
        calls = [each for each in context.trace.of(events.GradientEvent) if each.inside is None]
        index = self.call - 1 if self.call > 0 else self.call
        if not calls:
            raise Failed(messages.NO_GRADIENT, messages.RETURN_GRADIENT)
        if index >= len(calls) or -index > len(calls):
            made = counted(len(calls), "gradient call")
            raise Failed(
                messages.NO_SUCH_CALL.format(calls=made, number=self.call),
                messages.REQUEST_GRADIENT,
            )
        return calls[index].tapes[0]

    def _count(self, ops: Counter[str]) -> None:
        held = ", ".join(f"{n} {name}" for name, n in sorted(ops.items())) or messages.NOTHING
        said = {"ops": counted(ops.total(), "op"), "held": held}
        if self.most is not None and ops.total() > self.most:
            raise Failed(messages.TOO_MANY_OPS.format(**said, most=self.most), messages.LIST_OPS)
        if self.least is not None and ops.total() < self.least:
            raise Failed(messages.TOO_FEW_OPS.format(**said, least=self.least), messages.LIST_OPS)
        for name, n in self.has.items():
            if ops[name] != n:
                raise Failed(
                    messages.OPS_OF_NAME.format(**said, wanted=n, name=name), messages.LIST_OPS
                )
        for name in self.lacks:
            if ops[name]:
                raise Failed(messages.OP_NOT_WANTED.format(**said, name=name), messages.LIST_OPS)


def _found(context: CheckContext, code: str) -> str:
    """Return a sentence about the first line where a code was found."""
    for call in context.report.calls:
        for source in call.sources:
            for finding in source.findings:
                if finding.code == code:
                    return messages.CODE_FOUND.format(
                        line=finding.location.line,
                        label=finding.label,
                        source=source.name or messages.A_SOURCE,
                        outcome=source.outcome_text,
                        code=code,
                    )
    return messages.CODE_FOUND_SOMEWHERE.format(code=code)


def _title(code: str) -> str:
    """Return the title of a code's page, such as "automatic watching is switched off"."""
    page = Path(__file__).parents[2] / "explain" / "pages" / f"{code}.md"
    first = page.read_text(encoding="utf-8").partition("\n")[0]
    return first.partition(": ")[2]

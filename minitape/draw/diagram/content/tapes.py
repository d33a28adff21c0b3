"""Nested tapes: which cards each tape records, and which cards are the backward pass of an inner tape."""

from bisect import bisect_left
from collections.abc import Sequence

from minitape.draw.diagram import wording
from minitape.draw.diagram.level import Card
from minitape.draw.diagram.model import Frame
from minitape.draw.facts import Facts
from minitape.draw.words import short
from minitape.trace import events
from minitape.trace.trace import Trace

_NAME_WIDTH = 16
_MOST_FRAMES = 2


class Tapes:
    """The tapes inside the tape of a gradient call, with their own gradient calls before that call.

    Attributes:
        mirrors: The call of an inner tape, keyed by the ops of its backward pass.
    """

    def __init__(self, trace: Trace, facts: Facts) -> None:
        self._facts = facts
        self.mirrors: dict[int, events.GradientEvent] = {}
        end = facts.call.i if facts.call is not None else 0
        calls = {each.call: each for each in trace.of(events.GradientEvent) if each.i < end}
        last = {each.call: each.i for each in trace.of(events.ResultEvent) if each.call in calls}
        starts = sorted((calls[call].i, call) for call in last)
        for op in facts.drawn.values():
            # A training loop has thousands of calls, of which only the last one before an op can contain it.
            before = bisect_left(starts, (op.i, 0))
            call = calls[starts[before - 1][1]] if before else None
            if call is not None and op.i < last[call.call] and call.tapes[0] != facts.tape:
                self.mirrors[op.number] = call
        self._names = {each.tapes[0]: each.name for each in trace.of(events.TapeEnterEvent)}

    def name(self, tape: int) -> str:
        return short(self._names.get(tape) or wording.TAPE, _NAME_WIDTH)

    def mirrored(self, card: Card) -> str:
        """Return the name of the tape whose backward pass a card is, or an empty string."""
        calls = [self.mirrors.get(op) for op in card.ops]
        call = calls[0]
        return self.name(call.tapes[0]) if call is not None and None not in calls else ""

    def frames(self, cards: Sequence[Card]) -> tuple[Frame, ...]:
        """Return a frame for each tape around the cards that it records, the innermost first; empty if no tape is nested."""
        nested = {call.tapes[0] for call in self.mirrors.values()}
        if not nested or self._facts.tape is None:
            return ()
        inside: dict[int, list[str]] = {}
        for i, card in enumerate(cards):
            ops = [self._facts.ops[op] for op in card.ops]
            for tape in {*nested, self._facts.tape}:
                # Ops on constants run inside the tape, although they are not recorded.
                if any(tape in op.recorded for op in ops):
                    inside.setdefault(tape, []).append(f"card-{i}")
        found = sorted(inside.items(), key=lambda each: (len(each[1]), -each[0]))
        return tuple(
            Frame(wording.RECORDS.format(tape=self.name(tape)), tuple(ids), depth)
            for depth, (tape, ids) in enumerate(found[:_MOST_FRAMES])
        )

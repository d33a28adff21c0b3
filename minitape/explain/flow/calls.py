"""What became of a tape, of a value that left, and of a question for a gradient.

TapeLife    when a tape was opened, closed, paused and reset, and what it watched
Exit        a way out of the engine
Call        one gradient call: the steps of its walk, what each sent to whom, what came back
"""

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import Struct

from minitape.explain.flow.edges import Edge
from minitape.trace import events


@dataclass
class TapeLife:
    """What happened to one tape; all are numbers of events."""

    entered: list[int] = field(default_factory=list)
    exited: list[int] = field(default_factory=list)
    resets: list[int] = field(default_factory=list)
    pauses: list[int] = field(default_factory=list)
    watches: list[events.Watch] = field(default_factory=list)
    watches_of: dict[int, list[events.Watch]] = field(default_factory=lambda: defaultdict(list))
    watches_variables: bool = True

    def add_watch(self, watch: events.Watch) -> None:
        self.watches.append(watch)
        if watch.value is not None:
            self.watches_of[watch.value].append(watch)

    def watch_of(self, value: int, before: int) -> events.Watch | None:
        """The first event, not forgotten by a reset, that made the tape watch `value`."""
        last_reset = self.last_reset(before)
        for watch in self.watches_of.get(value, ()):
            if last_reset < watch.i < before:
                return watch
        return None

    def last_reset(self, before: int) -> int:
        """The last reset before an event, or -1."""
        earlier = bisect_left(self.resets, before)
        return self.resets[earlier - 1] if earlier else -1


class Exit(NamedTuple):
    """A way out of the engine, and the nodes that took it: values, and what variables held."""

    event: events.Export
    nodes: list[int]


class Step(Struct, frozen=True, gc=False):
    """One step of the walk back, and its op."""

    back: events.Back
    op: events.Op


class Sent(Struct, frozen=True, gc=False):
    """What one step sent to one value."""

    step: Step
    share: events.Share


@dataclass
class Call:
    """One call of gradient, jacobian or batch_jacobian, with all that followed from it."""

    event: events.Gradient
    ops: dict[int, events.Op]  # of the whole run, by number
    held: list[int]  # the targets; in place of a variable the node of what it held
    backs: list[events.Back] = field(default_factory=list)
    results: list[events.Result] = field(default_factory=list)
    error: events.Error | None = None
    node: int | None = None
    found: dict[Any, Any] = field(default_factory=dict)  # see Flow.once
    lost: dict[Edge, Any] = field(default_factory=dict)  # what breaks each edge, by on_edge

    @property
    def tape(self) -> int:
        return self.event.tapes[0]

    @property
    def ends(self) -> set[int]:
        """All nodes that stand for the targets."""
        return {*self.event.targets, *self.held}

    @cached_property
    def steps(self) -> list[Step]:
        """The walk back; of an op that ran before anyone listened nothing is known, and its step is left out."""
        ops = self.ops
        return [Step(back, ops[back.op]) for back in self.backs if back.op is not None]

    @cached_property
    def step_of(self) -> dict[int, Step]:
        """Each step by the number of its op."""
        return {step.op.number: step for step in self.steps}

    @cached_property
    def sent_to(self) -> dict[int, list[Sent]]:
        """What was sent to each value, in the order of the walk."""
        sent_to: dict[int, list[Sent]] = {}
        for step in self.steps:
            for share in step.back.sent:
                sent_to.setdefault(share.value, []).append(Sent(step, share))
        return sent_to

    @cached_property
    def reached(self) -> set[int]:
        """The values that the walk sent anything to, or began at."""
        sent = (share.value for back in self.backs for share in back.sent)
        return {*self.event.targets, *sent}

    def read(self) -> set[int]:
        """What the rules read on the walk so far, and the first cotangents that it was given."""
        given = self.event.output_gradients or ()
        read = {each for each in given if each is not None}
        for back in self.backs:
            for share in back.sent:
                read.update(share.reads)
        return read

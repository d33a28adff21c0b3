"""What happened to each tape, the values that left TensorFlow, and the gradient calls.

TapeLife    when a tape was opened, closed, paused and reset, and what it watched
EngineExit  the exit of a value from TensorFlow
GradientCall  one gradient call: the steps of its backward pass, their contributions, the results
"""

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import Struct

from minitape.explain.flow.edges import FlowEdge
from minitape.trace import events


@dataclass
class TapeLife:
    """What happened to one tape; all its numbers are event numbers."""

    entered: list[int] = field(default_factory=list)
    exited: list[int] = field(default_factory=list)
    resets: list[int] = field(default_factory=list)
    pauses: list[int] = field(default_factory=list)
    watches: list[events.WatchEvent] = field(default_factory=list)
    watches_of: dict[int, list[events.WatchEvent]] = field(
        default_factory=lambda: defaultdict(list)
    )
    watches_variables: bool = True

    def add_watch(self, watch: events.WatchEvent) -> None:
        self.watches.append(watch)
        if watch.value is not None:
            self.watches_of[watch.value].append(watch)

    def watch_of(self, value: int, before: int) -> events.WatchEvent | None:
        """Return the first event that made the tape watch `value` and that no reset has undone."""
        last_reset = self.last_reset(before)
        for watch in self.watches_of.get(value, ()):
            if last_reset < watch.i < before:
                return watch
        return None

    def last_reset(self, before: int) -> int:
        """Return the last reset before an event, or -1."""
        earlier = bisect_left(self.resets, before)
        return self.resets[earlier - 1] if earlier else -1


class EngineExit(NamedTuple):
    """An exit from TensorFlow, and the nodes that left: values, and contents of variables."""

    event: events.ExportEvent
    nodes: list[int]


class BackwardStep(Struct, frozen=True, gc=False):
    """One step of the backward pass, with its op."""

    back: events.BackEvent
    op: events.OpEvent


class FlowContribution(Struct, frozen=True, gc=False):
    """The contribution of one step to one value."""

    step: BackwardStep
    contribution: events.Contribution


@dataclass
class GradientCall:
    """One call of gradient, jacobian or batch_jacobian, with all its events."""

    event: events.GradientEvent
    ops: dict[int, events.OpEvent]  # the ops of the whole run, by number
    held: list[int]  # the targets; for a variable the node of its contents
    backs: list[events.BackEvent] = field(default_factory=list)
    results: list[events.ResultEvent] = field(default_factory=list)
    error: events.ErrorEvent | None = None
    node: int | None = None
    found: dict[Any, Any] = field(default_factory=dict)  # cache of Flow.once
    lost: dict[FlowEdge, Any] = field(
        default_factory=dict
    )  # the cause that breaks each edge, by on_edge

    @property
    def tape(self) -> int:
        return self.event.tapes[0]

    @property
    def has_ended(self) -> bool:
        """Whether the call returned or raised; a run that is stopped in a backward pass leaves it without a result."""
        return bool(self.results) or self.error is not None or not self.event.sources

    @property
    def ends(self) -> set[int]:
        """All nodes that represent the targets."""
        return {*self.event.targets, *self.held}

    @cached_property
    def steps(self) -> list[BackwardStep]:
        """The steps of the backward pass, without the steps of ops that ran before the trace began."""
        ops = self.ops
        return [BackwardStep(back, ops[back.op]) for back in self.backs if back.op is not None]

    @cached_property
    def step_of(self) -> dict[int, BackwardStep]:
        """Each step by the number of its op."""
        return {step.op.number: step for step in self.steps}

    @cached_property
    def sent_to(self) -> dict[int, list[FlowContribution]]:
        """The contributions to each value, in the order of the backward pass."""
        sent_to: dict[int, list[FlowContribution]] = {}
        for step in self.steps:
            for contribution in step.back.sent:
                sent_to.setdefault(contribution.value, []).append(
                    FlowContribution(step, contribution)
                )
        return sent_to

    @cached_property
    def reached(self) -> set[int]:
        """The values that received a contribution, and the targets."""
        sent = (contribution.value for back in self.backs for contribution in back.sent)
        return {*self.event.targets, *sent}

    def read(self) -> set[int]:
        """Return the values that the rules read in the backward pass so far, and the first cotangents."""
        given = self.event.output_gradients or ()
        read = {each for each in given if each is not None}
        for back in self.backs:
            for contribution in back.sent:
                read.update(contribution.reads)
        return read

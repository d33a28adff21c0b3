"""Which card of a slide uses which values: values of other cards, variables, and constants."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from minitape.draw.breaks import pointed_values
from minitape.draw.diagram.faults import Fault
from minitape.draw.diagram.level import Card, Limits, opened
from minitape.draw.diagram.links import Origins
from minitape.draw.diagram.tree import tree_of
from minitape.draw.facts import Facts
from minitape.draw.rollup.iterations import iterations_of
from minitape.explain.report import CallReport
from minitape.trace import events
from minitape.trace.events import Numbers
from minitape.trace.trace import Trace

_MOST_INPUTS = 3
_GIVEN = "convert"  # how a NumPy array becomes a constant when it is used
_NAME = re.compile(r"[A-Za-z_][\w.\[\]'\"]*$")


class Exit(NamedTuple):
    """A point at which values leave the tape and come back: the cards that pass values to it, those values, the variables that
    it reads, and the cards that use it.
    """

    tails: dict[int, dict[int, None]]
    variables: dict[int, None]
    heads: dict[int, None]


class Uses:
    """The cards of a slide, in the order of the run, and what each of them uses.

    Attributes:
        cards: The cards.
        card_of: The index of the card of each op.
        used: The values that a card passes to another card, keyed by the indices of the two cards.
        left: The pairs of cards between which a value left the tape.
        exits: Other points at which values left it, which have their own cards, keyed by the value that came back.
        variables: The cards that read each variable.
        constants: The cards that use each constant.
        trained: The ops that read a source of the gradient call.
        batch: The size of the batch, if the shapes of most cards begin with it.
        shown: The constants that have their own card.
    """

    def __init__(
        self,
        trace: Trace,
        facts: Facts,
        report: CallReport | None,
        limits: Limits,
        faults: Sequence[Fault],
    ) -> None:
        self.facts = facts
        self.origins = Origins(facts)
        ops = [facts.ops[number] for number in sorted(self._needed(report))]
        scopes = {scope.number: scope for scope in trace.of(events.ScopeEvent)}
        root = tree_of(facts, ops, trace.once(iterations_of), scopes)
        edges = [
            (origin.op, op.number)
            for op in ops
            for given in op.inputs
            for origin in self.origins.of(given.value)
            if origin.op is not None
        ]
        trained = {
            op.number
            for op in ops
            if any(self.origins.is_source(given.value) for given in op.inputs)
        }
        self._faults = faults
        alone = {fault.op for fault in faults if fault.op is not None}
        self.exits: dict[int, Exit] = {
            fault.exit: Exit({}, {}, {}) for fault in faults if fault.exit is not None
        }
        self.cards = (
            opened(
                root,
                edges,
                limits,
                trained=trained,
                ends={*self.target_ops()},
                alone=alone & {op.number for op in ops},
                exits=[*self._positions_of_exits(ops, faults)],
            )
            if ops
            else []
        )
        self.trained = trained
        self.card_of = {op: i for i, card in enumerate(self.cards) for op in card.ops}
        self.used: dict[tuple[int, int], dict[int, None]] = defaultdict(dict)
        self.left: set[tuple[int, int]] = set()
        self.variables: dict[int, dict[int, None]] = defaultdict(dict)  # the cards that read it
        self.constants: dict[int, dict[int, None]] = defaultdict(dict)
        self._learn_uses(ops)
        self._unnamed: set[int] = set()
        self._unnamed = self._all_unnamed()
        self.batch = self._batch_size()
        self.shown = self._inputs()

    def _positions_of_exits(
        self, ops: Sequence[events.OpEvent], faults: Sequence[Fault]
    ) -> Iterator[tuple[int, frozenset[int], frozenset[int]]]:
        """Yield the time of each exit, and the ops that computed and used its values."""
        for fault in faults:
            if fault.exit is None:
                continue
            makers, users = set[int](), set[int]()
            for op in ops:
                origins = [each for given in op.inputs for each in self.origins.of(given.value)]
                through = [e.op for e in origins if e.left == fault.exit]
                makers.update(maker for maker in through if maker is not None)
                users.update([op.number] if through else [])
            yield fault.at, frozenset(makers), frozenset(users)

    def _exit_through(self, left: int | None) -> Exit | None:
        """Return the exit at which the origins of `left` left the tape, if it has its own card; they may have come back as
        several values.
        """
        came_from = set(self.facts.makers[left].inputs) if left is not None else set()
        found = (each.exit for each in self._faults if not came_from.isdisjoint(each.values))
        return self.exits.get(next(found, None) or 0)

    def _needed(self, report: CallReport | None) -> set[int]:
        """Return the ops that lead to the target."""
        facts, found = self.facts, set[int]()
        waiting = [*facts.targets, *pointed_values(report)] or [
            output.id for op in facts.drawn.values() for output in op.outputs
        ]
        while waiting:
            for origin in self.origins.of(waiting.pop()):
                if origin.op in facts.drawn and origin.op not in found:
                    found.add(origin.op)
                    waiting += [given.value for given in facts.ops[origin.op].inputs]
        return found

    def _learn_uses(self, ops: Iterable[events.OpEvent]) -> None:
        for op in ops:
            head = self.card_of[op.number]
            for given in op.inputs:
                for origin in self.origins.of(given.value):
                    tail = self.card_of.get(origin.op) if origin.op is not None else None
                    exit_ = self._exit_through(origin.left)
                    if exit_ is not None and origin.variable is not None:
                        exit_.variables[origin.variable] = None
                        exit_.heads[head] = None
                    elif tail is not None and tail != head:
                        if exit_ is not None:
                            exit_.tails.setdefault(tail, {})[given.value] = None
                            exit_.heads[head] = None
                            continue
                        self.used[tail, head][given.value] = None
                        if origin.left is not None:
                            self.left.add((tail, head))
                    elif origin.variable is not None:
                        self.variables[origin.variable][head] = None
                    elif origin.constant is not None:
                        self.constants[origin.constant][head] = None

    def _batch_size(self) -> int | None:
        """Return the first axis of the largest input, if most cards keep it."""
        values = [v for v in self.constants if self.is_input(v)]
        tensors = [self.facts.tensors[value] for value in values if value in self.facts.tensors]
        sizes = [each.shape[0] for each in sorted(tensors, key=lambda t: -t.size) if each.shape]
        outs = [self.output(card) for card in self.cards]
        shapes = [numbers.shape for numbers in outs if numbers is not None and numbers.shape]
        for size in sizes:
            if size > 1 and 2 * sum(shape[0] == size for shape in shapes) >= len(shapes) > 0:
                return size
        return None

    def is_input(self, value: int) -> bool:
        numbers, maker = self.facts.tensors.get(value), self.facts.made_by(value)
        if numbers is None or numbers.size < 2 or not isinstance(maker, events.ConstantEvent):
            return self.origins.is_source(value)
        text = numbers.name or maker.text or ""
        is_named = bool(_NAME.match(text)) or self.origins.is_source(value)
        return is_named or (value in self._unnamed and not text)

    def _all_unnamed(self) -> set[int]:
        """Return the arrays that the user passed without a name, as `fit` does; empty if other inputs have names."""
        if any(map(self.is_input, self.constants)):
            return set()
        makers = {value: self.facts.made_by(value) for value in self.constants}
        return {
            value
            for value, maker in makers.items()
            if isinstance(maker, events.ConstantEvent)
            and maker.how == _GIVEN
            and maker.scope is None
        }

    def _inputs(self) -> list[int]:
        """Return the constants that get their own card: constants that several cards use, and the largest constant of each card
        where the computation starts. The others are in the drawers of the cards that use them.
        """
        has_tail = {head for _, head in self.used}
        has_tail |= {head for each in self.exits.values() for head in each.heads}
        starting: dict[int, list[int]] = defaultdict(list)
        found = []
        for value, heads in self.constants.items():
            if not self.is_input(value):
                continue
            if len(heads) > 1:
                found.append(value)
            elif not heads.keys() <= has_tail:
                starting[min(heads)].append(value)
        for values in starting.values():
            found.append(max(values, key=lambda value: (self.size(value), -value)))
        found = sorted(found, key=lambda v: (not self.origins.is_source(v), -self.size(v)))
        return sorted(found[:_MOST_INPUTS], key=lambda v: (min(self.constants[v]), -self.size(v)))

    def size(self, value: int) -> int:
        numbers = self.facts.tensors.get(value)
        return 0 if numbers is None else numbers.size

    def target_ops(self) -> list[int]:
        return [
            origin.op
            for value in self.facts.targets
            for origin in self.origins.of(value)
            if origin.op is not None
        ]

    def target_numbers(self) -> Numbers | None:
        found = [self.facts.tensors.get(value) for value in self.facts.targets]
        return found[0] if found else None

    def output(self, card: Card) -> Numbers | None:
        """Return the largest of the last values that leave a card, or of its last op."""
        ops = {*card.ops}
        index = self.card_of[card.ops[0]]
        leaving = [
            value for (tail, _), values in self.used.items() if tail == index for value in values
        ]
        leaving += [value for each in self.exits.values() for value in each.tails.get(index, ())]
        known = [self.facts.tensors[value] for value in leaving if value in self.facts.tensors]
        if known:
            return max(known, key=lambda numbers: (numbers.size, numbers.id))
        last = self.facts.ops[max(ops)]
        return last.outputs[0] if last.outputs else None

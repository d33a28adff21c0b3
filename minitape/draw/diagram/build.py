"""Creates the block diagram of one gradient call: chooses the cards, and determines their content and the gradients that came
back to them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from minitape.draw.breaks import pointed_values
from minitape.draw.build import choose, harmless
from minitape.draw.diagram import wording
from minitape.draw.diagram.content.drawers import Drawers
from minitape.draw.diagram.content.headline import headline_of
from minitape.draw.diagram.content.repeats import (
    branches_of,
    count_of,
    equal_parts,
    name_of_branch,
    steps_of,
)
from minitape.draw.diagram.content.tapes import Tapes
from minitape.draw.diagram.content.thumbs import pixels
from minitape.draw.diagram.faults import Fault, faults_of, scaling_ops
from minitape.draw.diagram.level import MOST_IN_TWO_ROWS, Card, Limits
from minitape.draw.diagram.links import came_of, together
from minitape.draw.diagram.model import (
    Branch,
    Diagram,
    Flow,
    Link,
    Pixels,
    Series,
    Station,
    StationKind,
    Steps,
)
from minitape.draw.diagram.tree import Part, PartKind
from minitape.draw.diagram.uses import Uses
from minitape.draw.diagram.write.layout import laid_out
from minitape.draw.facts import Facts
from minitape.draw.words import count, short, short_name
from minitape.explain.report import CallReport, GradientNote, Report
from minitape.trace import events
from minitape.trace.events import Numbers
from minitape.trace.trace import Trace
from minitape.trace.writing import seldom_searched

_MOST_USES = 3
_MOST_BRANCHES = 4
_MOST_LISTED = 3
_TITLE_WIDTH = 22
_FEWEST_COLUMNS = 2
_CODE_WIDTH = 26
_WHOLE_CODE = 400


@seldom_searched()
def diagram(
    trace: Trace,
    report: Report | None = None,
    *,
    call: int | None = None,
    open: Sequence[str] = (),
    close: Sequence[str] = (),
    depth: int | None = None,
    around: str | None = None,
) -> Diagram:
    """Return the model of one gradient call as layers, functions and the values between them.

    Args:
        trace: The run.
        report: The findings about the run; without a report, no breaks are shown.
        call: The `call` id of a `gradient` event. None selects the first call with a problem, or the last call if there is none.
        open: Functions and layers whose contents are shown, even if they do not fit well.
        close: Functions and layers whose contents are never shown.
        depth: The number of levels of functions and layers that are open. None opens as many as fit.
        around: Show only the contents of this function or layer, and its neighbors; everything else is combined.

    Raises:
        DrawError: the trace has no such call.
    """
    event, said = choose(trace, report, call)
    notes = () if report is None or said is None else report.notes_on(said)
    facts = Facts(trace, event, pointed_values(said))
    faults, tapes = faults_of(trace, facts, said, notes), Tapes(trace, facts)
    made = None
    for columns in range(MOST_IN_TWO_ROWS, _FEWEST_COLUMNS - 1, -1):
        limits = Limits(columns - 1, frozenset(open), frozenset(close), depth, around)
        made = _Builder(trace, facts, said, limits, faults, notes, tapes).diagram()
        if laid_out(made).is_fitting:
            break
    assert made is not None
    return harmless(made)


class _Builder:
    def __init__(
        self,
        trace: Trace,
        facts: Facts,
        report: CallReport | None,
        limits: Limits,
        faults: Sequence[Fault],
        notes: Sequence[GradientNote],
        tapes: Tapes,
    ) -> None:
        self._facts, self._report, self._faults, self._notes = facts, report, faults, notes
        self._calls = len(trace.of(events.GradientEvent))
        self._uses = Uses(trace, facts, report, limits, faults)
        self._origins, self._drawers = self._uses.origins, Drawers(self._uses)
        self._tapes = tapes
        self._exits = [f for f in faults if f.exit in self._uses.exits and self._heads(f)]
        self._breaks = {
            index: fault
            for fault in faults
            for index, card in enumerate(self._uses.cards)
            if card.ops == [fault.op]
        }
        self._marks = self._all_marks()
        self._scales = dict(self._all_scales())

    # --- the whole diagram ---

    def diagram(self) -> Diagram:
        inputs = self._uses.shown
        stations = [self._input(value) for value in inputs]
        for i, card in enumerate(self._uses.cards):
            stations += [self._exit(f) for f in self._exits if min(self._heads(f)) == i]
            stations.append(self._station(i, card))
        steps = self._steps()
        headline, culprit = headline_of(self._facts, self._report, stations)
        links = [link for value in inputs for link in self._input_links(value)]
        links += [self._link(tail, head) for tail, head in sorted(self._uses.used)]
        links += [link for fault in self._exits for link in self._exit_links(fault)]
        if steps is not None:
            links.append(self._of_states(steps))
        return Diagram(
            headline,
            culprit,
            self._about(),
            tuple(stations),
            tuple(links),
            tuple(self._arrived()),
            steps,
            self._tapes.frames(self._uses.cards),
            self._uses.batch,
        )

    def _steps(self) -> Steps | None:
        """Return the states of the card with the most steps."""
        found = [
            steps_of(f"card-{i}", card, self._facts, self._origins)
            for i, card in enumerate(self._uses.cards)
        ]
        return max(filter(None, found), key=lambda steps: steps.shown[-1], default=None)

    def _arrived(self) -> Iterator[tuple[str, float]]:
        names = [name.partition(":")[0].split("/") for name in self._facts.sources.values()]
        lasts = Counter(name[-1] for name in names)
        for value, name in zip(self._facts.sources, names, strict=True):
            result = self._facts.results.get(value)
            came = came_of(result.numbers if result is not None else None)
            if came.norm:
                shown = name[-1] if lasts[name[-1]] == 1 else "/".join(name[-2:])
                yield short_name(shown, 20), came.norm

    def _about(self) -> str:
        """Return the line below the headline: a note about gradients that have little effect, and the content of the picture."""
        facts = self._facts
        variables = [
            facts.variables[each] for each in self._uses.variables if each in facts.variables
        ]
        trained = [each for each in variables if self._origins.is_source(each.variable)]
        words = [*(note.headline for note in self._notes[:1]), facts.script, self._which_call()]
        if self._uses.batch:
            words.append(f"batch of {self._uses.batch:,}")
        if trained:
            size = sum(each.numbers.size for each in trained)
            words.append(count(size, "parameter"))
        for value in facts.targets[:1]:
            numbers = facts.tensors.get(value)
            if numbers is not None and numbers.size == 1:
                words.append(f"{self._target_name() or wording.TARGET} {_scalar(numbers)}")
        return " · ".join(filter(None, words))

    def _which_call(self) -> str:
        """Return which of the gradient calls is drawn, if the run has several."""
        if self._facts.call is None or self._calls < 2:
            return ""
        line = self._facts.call.at.line if self._facts.call.at is not None else 0
        return wording.CALL.format(number=self._facts.call.call, count=self._calls, line=line)

    def _target_name(self) -> str:
        call = self._facts.call
        name = call.target_name if call is not None else None
        return short((name or "").removeprefix("the "), _TITLE_WIDTH)

    # --- inputs ---

    def _input(self, value: int) -> Station:
        numbers = self._facts.tensors[value]
        is_source = self._origins.is_source(value)
        result = self._facts.results.get(value)
        came = came_of(result.numbers if result else None) if is_source else None
        return Station(
            f"value-{value}",
            StationKind.INPUT,
            short_name(self._drawers.name_of_constant(value), _TITLE_WIDTH),
            shape=wording.shape(numbers.shape, self._uses.batch),
            notes=(self._role(value),),
            number=_scalar(numbers) if numbers.size == 1 else "",
            pixels=pixels(numbers, self._uses.batch),
            flow=came.flow if came else Flow.NOT_NEEDED,
            text=came.text if came else "",
        )

    def _role(self, value: int) -> str:
        if not self._origins.is_source(value):
            return wording.CONSTANT
        return wording.WATCHED if value in self._facts.watched else wording.NOT_WATCHED

    def _input_links(self, value: int) -> Iterator[Link]:
        is_source = self._origins.is_source(value)
        for head in sorted(self._uses.constants[value])[:_MOST_USES]:
            users = tuple(self._uses.cards[head].ops)
            came = self._origins.came([value], users, is_needed=is_source)
            ends = f"value-{value}", f"card-{head}"
            yield Link(*ends, came.flow, came.norm, came.text, (value,), users)

    # --- cards ---

    def _station(self, index: int, card: Card) -> Station:
        part, facts = card.first, self._facts
        is_target = any(self._uses.card_of.get(op) == index for op in self._uses.target_ops())
        numbers = self._uses.target_numbers() if is_target else self._uses.output(card)
        kind = StationKind.TARGET if is_target else StationKind.PART
        if not is_target and self._is_join(index, card):
            kind = StationKind.JOIN
        title, notes, code = self._words(card)
        if index in self._breaks:
            kind, code = StationKind.BREAK, self._breaks[index].code
            title = wording.callee(code) or title
        if len(card.ops) > 1 and any(self._stops(facts.ops[op]) for op in card.ops):
            notes = (*notes, wording.STOPPED)
        mirrored = self._tapes.mirrored(card)
        if mirrored:
            notes = (*notes, wording.MIRROR.format(tape=mirrored))
        if index in self._scales:
            notes = (*notes, self._scales[index])
        if card.piece:
            notes = (*notes, wording.PIECE.format(number=card.piece, count=card.pieces))
        named = self._target_name()
        if is_target and named:
            if named != title and not code:
                notes = (title, *notes)
            title = named
        branches = () if is_target else self._branches(card)
        seed = [facts.gradients[value] for value in facts.targets if value in facts.seeds]
        came = together(seed) if is_target and seed else None
        return Station(
            f"card-{index}",
            kind,
            title,
            shape="" if numbers is None else wording.shape(numbers.shape, self._uses.batch),
            notes=tuple(short(note, 48) for note in notes if note),
            code=short(code, 2 * _CODE_WIDTH if kind is StationKind.BREAK else _CODE_WIDTH),
            number=_scalar(numbers) if is_target and numbers and numbers.size == 1 else "",
            ops=len(card.ops) if part.kind is not PartKind.OP else 0,
            times=card.times,
            parameters=self._drawers.of(index),
            pixels=None if branches else self._pixels(card.ops, numbers),
            series=None if branches else self._series(card),
            branches=branches,
            is_mirror=bool(mirrored),
            flow=came.flow if came else Flow.GRADIENT,
            text=came.text if came else "",
            norm=came.norm if came else None,
            mark=self._marks.get(index, ""),
        )

    def _words(self, card: Card) -> tuple[str, tuple[str, ...], str]:
        """Return the title, additional text and the code of a card."""
        part = card.first
        if card.is_run:
            telling = [
                p for p in card.parts if not self._uses.trained.isdisjoint(o.number for o in p.ops)
            ]
            titles = [wording.spaced(self._title(each)) for each in telling or card.parts]
            same = dict.fromkeys(titles)
            title = (
                titles[0]
                if len(same) == 1
                else wording.RUN.format(first=titles[0], last=titles[-1])
            )
            notes = [wording.spaced(self._title(each)) for each in card.parts]
            return short(title, _TITLE_WIDTH), (_listed(notes),), ""
        scope = part.step.scope
        if scope is not None:
            kind = "" if part.title == scope.type else wording.spaced(scope.type)
            inside = _listed([each.title for each in part.parts]) if part.is_container else ""
            words = ", ".join(filter(None, (inside or kind, wording.settings(scope.settings))))
            return short_name(wording.spaced(part.title), 2 * _TITLE_WIDTH), (words,), ""
        if part.kind is PartKind.STATEMENT:
            if not part.title:
                code = " ".join(part.step.code.split())
                if len(code) <= _TITLE_WIDTH:
                    return short(code, _TITLE_WIDTH), (), ""
                return wording.callee(code) or wording.op_title(part.ops[-1].name), (), code
            return short(part.title, _TITLE_WIDTH), (), part.step.code
        if part.kind is PartKind.LOOP and len(part.title) > _TITLE_WIDTH:
            return self._title(part), (), part.title.rstrip(":")
        return short(self._title(part), _TITLE_WIDTH), (), ""

    def _title(self, part: Part) -> str:
        if part.kind is PartKind.OP:
            return wording.op_title(part.title)
        if part.kind in (PartKind.LOOP, PartKind.ITERATION) and len(part.title) > _TITLE_WIDTH:
            head = part.title.partition(" in ")[0]
            return head if len(head) <= _TITLE_WIDTH else wording.LOOP
        if part.title:
            return short_name(part.title.rstrip(":"), _TITLE_WIDTH)
        names = [wording.op_title(op.name) for op in part.ops]
        return short(" ".join(dict.fromkeys(names)), _TITLE_WIDTH)

    def _is_join(self, index: int, card: Card) -> bool:
        """Whether a card is a single addition of two values from other cards."""
        if len(card.ops) != 1 or self._facts.ops[card.ops[0]].name not in wording.ADDITIONS:
            return False
        tails = [tail for tail, head in self._uses.used if head == index]
        given = [
            v
            for v in self._uses.constants
            if index in self._uses.constants[v] and self._uses.is_input(v)
        ]
        return len(tails) + len(given) > 1

    def _branches(self, card: Card) -> tuple[Branch, ...]:
        """Return the branches of a card: all of them, or the first two and the last."""
        parts = branches_of(card, self._origins)
        made = []
        for number, part in enumerate(parts, start=1):
            if len(parts) > _MOST_BRANCHES and 2 < number < len(parts):
                if number == 3:
                    made.append(Branch(wording.ALIKE.format(count=len(parts) - 3)))
                continue
            outputs = part.ops[-1].outputs
            norm = self._norm_at_end(part)
            made.append(
                Branch(
                    f"{short_name(name_of_branch(part), _TITLE_WIDTH)} {number}",
                    self._pixels([op.number for op in part.ops], outputs[0] if outputs else None),
                    wording.NONE if norm is None else wording.number(norm),
                )
            )
        return tuple(made)

    def _pixels(self, ops: Sequence[int], numbers: Numbers | None) -> Pixels | None:
        weights = self._attention_weights(ops)
        if weights is not None:
            return pixels(weights, self._uses.batch, has_heads=True)
        return None if numbers is None else pixels(numbers, self._uses.batch)

    def _attention_weights(self, ops: Sequence[int]) -> Numbers | None:
        """Return the softmax over a square matrix in a card, which contains attention weights."""
        for number in ops:
            op = self._facts.ops[number]
            shape = op.outputs[0].shape if op.outputs else []
            if op.name == "Softmax" and len(shape) > 2 and shape[-1] == shape[-2] > 1:
                return op.outputs[0]
        return None

    def _series(self, card: Card) -> Series | None:
        """Return the norms of the gradient at the ends of equal parts, which are the parts that a card represents or the steps
        in it.
        """
        parts = equal_parts(card)
        norms = [self._norm_at_end(part) for part in parts]
        if not parts or all(norm is None for norm in norms):
            return None
        over = count_of(parts)
        ends = wording.number(norms[0]), wording.number(norms[-1])
        return Series(tuple(norms), *ends, short(over, _TITLE_WIDTH))

    def _norm_at_end(self, part: Part) -> float | None:
        for op in reversed(part.ops):
            arrived = [self._facts.gradients.get(output.id) for output in op.outputs]
            known = [numbers for numbers in arrived if numbers is not None]
            if known:
                return together(known).norm
        return None

    # --- links ---

    def _link(self, tail: int, head: int) -> Link:
        values = self._uses.used[tail, head]
        needed = any(
            value in self._facts.pointed
            or self._origins.is_source(value)
            or any(each.op and self._origins.depends(each.op) for each in self._origins.of(value))
            for value in values
        )
        users = {*self._uses.cards[head].ops}
        came = self._origins.came(values, users, is_needed=needed)
        flow = came.flow
        is_break = head in self._breaks and self._breaks[head].is_cut
        if flow is Flow.NEVER and ((tail, head) in self._uses.left or is_break):
            flow = Flow.CUT
        elif flow is Flow.NEVER and self._is_stopped(values, head):
            return Link(f"card-{tail}", f"card-{head}", Flow.STOPPED, text=wording.STOPPED)
        ends = f"card-{tail}", f"card-{head}"
        return Link(*ends, flow, came.norm, came.text, tuple(values), tuple(users))

    def _of_states(self, steps: Steps) -> Link:
        """Return the link of a recurrent card to itself; its width is the gradient of its first state at the last step."""
        ends = steps.station, steps.station
        norms = steps.states[0].gradients
        known = [norm for norm in norms if norm]
        if not known:
            ops = self._uses.cards[int(steps.station.removeprefix("card-"))].ops
            needed = any(map(self._origins.depends, ops))
            return Link(*ends, Flow.NEVER if needed else Flow.NOT_NEEDED)
        text = wording.number(known[-1])
        if norms[0] and norms[-1]:
            text = f"{wording.number(norms[0])} … {text}"
        return Link(*ends, Flow.GRADIENT, known[-1], text)

    def _is_stopped(self, values: Iterable[int], head: int) -> bool:
        """Whether `stop_gradient` returned a value, or is in the card that uses it."""
        makers = (self._facts.made_by(value) for value in values)
        used = (self._facts.ops[number] for number in self._uses.cards[head].ops)
        return any(map(self._stops, (*makers, *used)))

    def _stops(self, event: events.Event | None) -> bool:
        """Whether an event is a call of `stop_gradient` in the user's code, not in a layer of the library."""
        return (
            isinstance(event, events.OpEvent)
            and event.name == wording.STOPS
            and wording.STOPPED in self._facts.code(event, _WHOLE_CODE)
        )

    # --- what went wrong ---

    def _heads(self, fault: Fault) -> dict[int, None]:
        """Return the cards that use the values that re-entered at an exit."""
        return self._uses.exits[fault.exit].heads if fault.exit is not None else {}

    def _exit(self, fault: Fault) -> Station:
        return Station(
            f"exit-{fault.exit}",
            StationKind.BREAK,
            short(fault.title, _TITLE_WIDTH),
            code=short(fault.code, 2 * _CODE_WIDTH),
            parameters=self._drawers.of_exit(fault.exit) if fault.exit is not None else (),
            mark=fault.mark,
        )

    def _exit_links(self, fault: Fault) -> Iterator[Link]:
        if fault.exit is None:
            return
        for tail in self._uses.exits[fault.exit].tails:
            flow = Flow.CUT if fault.is_cut else Flow.NOT_NEEDED
            yield Link(f"card-{tail}", f"exit-{fault.exit}", flow, text=wording.NEVER)
        back = Flow.NEVER if fault.is_cut else Flow.NOT_NEEDED
        for head in self._heads(fault):
            yield Link(f"exit-{fault.exit}", f"card-{head}", back)

    def _all_scales(self) -> Iterator[tuple[int, str]]:
        """Yield the card with most of the ops that make a gradient vanish or explode, and their effect on it."""
        factor, ops = scaling_ops(self._facts, self._notes)
        cards = Counter(
            self._uses.card_of[op.number] for op in ops if op.number in self._uses.card_of
        )
        for index, times in cards.most_common(1):
            if factor is not None and times > 1:
                yield (
                    index,
                    wording.SCALES.format(
                        count=min(times, factor.times),
                        op=wording.op_title(factor.op),
                        factor=wording.number(factor.factor),
                        line=factor.line,
                    ),
                )

    def _all_marks(self) -> dict[int, str]:
        """Return what went wrong in a card, for faults that do not have their own card."""
        found: dict[int, str] = {index: fault.mark for index, fault in self._breaks.items()}
        for fault in self._faults:
            if fault in self._exits or fault in self._breaks.values():
                continue
            for value in fault.values:
                ops = [o.op for o in self._origins.of(value) if o.op is not None]
                cards = [self._uses.card_of[op] for op in ops if op in self._uses.card_of]
                if cards:
                    found.setdefault(cards[-1], fault.mark)
                    break
        return found


def _listed(names: Sequence[str]) -> str:
    """Return the parts of a card, or their number if there are many."""
    return ", ".join(names) if len(names) <= _MOST_LISTED else count(len(names), "part")


def _scalar(numbers: Numbers) -> str:
    flat = numbers.data
    while isinstance(flat, list) and flat:
        flat = flat[0]
    return wording.number(float(flat)) if isinstance(flat, int | float) else str(flat)

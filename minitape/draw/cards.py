"""Converts facts to nodes: nodes for the ops, the sources and the target, pills for constants, and the edges between them.

The sketch is the picture while it can be changed: `breaks` adds a node where the path ends, and `rollup` collapses nodes if
there are too many.
"""

from collections import Counter

from msgspec.structs import replace

from minitape.draw import words
from minitape.draw.facts import Facts, Made
from minitape.draw.model import Card, CardRow, Edge, EdgeKind, LazyRow, Node, Pill, Role, TextTone
from minitape.explain.causes.cause import NO_HISTORY
from minitape.trace import events

READS_ON_ONE_CARD = 3


class Sketch:
    """Nodes by id, and the edges between them."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.nodes: dict[str, Node] = {}
        self.edges: list[Edge] = []
        self._reads = Counter(
            facts.variable_of(given.value) for op in facts.drawn.values() for given in op.inputs
        )
        for source in facts.sources:
            self.node_of(source)
        for value in facts.returned():
            # This order avoids deep recursion in a long chain.
            self.node_of(value)
        for op in facts.drawn.values():
            self._add_op(op)
        for position, target in enumerate(facts.targets, start=1):
            self._add_target(target, position)

    # --- nodes ---

    def node_of(self, value: int) -> str | None:
        """Return the id of the node of this value, and draw the node if necessary; None if it has no node of its own."""
        facts, event = self.facts, self.facts.made_by(value)
        variable = facts.variable_of(value)
        if variable is not None:
            return self._variable(variable)
        if isinstance(event, events.OpEvent) and event.number in facts.drawn:
            return f"op-{event.number}"
        if isinstance(event, events.ReentryEvent | events.ResultEvent):
            return self._return(value, event)
        if value in facts.sources or value in facts.watched:
            return self.source_card(value)
        return None

    def _variable(self, variable: int) -> str:
        id_ = f"var-{variable}"
        if id_ not in self.nodes:
            facts, event = self.facts, self.facts.variables[variable]
            tags = ["variable"]
            if not event.trainable and variable not in facts.watched:
                tags.append("not trainable")
            if self._reads[variable] > READS_ON_ONE_CARD:
                tags.append(f"read {self._reads[variable]} times")
            self._put(id_, Role.VARIABLE, self._title(variable, "variable"), tags, event, variable)
        return id_

    def source_card(self, value: int) -> str:
        """Return the node of a tensor that was watched or is a source; it is drawn even if the trace does not show how it was
        created.
        """
        id_ = f"value-{value}"
        if id_ not in self.nodes:
            is_watched = value in self.facts.watched
            role = Role.WATCHED if is_watched else Role.SOURCE
            tags = ["watched"] if is_watched else ["source", "not watched"]
            event = self.facts.made_by(value)
            self._put(id_, role, self._title(value, "tensor"), tags, event, value)
        return id_

    def _return(self, value: int, event: events.ReentryEvent | events.ResultEvent) -> str:
        id_ = f"value-{value}"
        if id_ in self.nodes:
            return id_
        if isinstance(event, events.ResultEvent):
            what, tag = "gradient", "result"
            note = "a gradient; its backward pass was not recorded"
        else:
            what, tag = "constant", "re-entry"
            is_sure = event.sure
            note = "re-entered: no history" if is_sure else "probably re-entered"
        title, row = (
            f"{self.facts.name(value)} {what}".strip(),
            CardRow("note", note, TextTone.MUTED),
        )
        self._put(id_, Role.REENTRY, title, [tag], event, value, row)
        for origin in self.facts.makers[value].inputs:
            tail = self.node_of(origin)
            if tail is not None and tail != id_:
                self.edges.append(Edge(tail, id_, EdgeKind.GHOST, NO_HISTORY))
        return id_

    def _put(
        self,
        id_: str,
        role: Role,
        title: str,
        tags: list[str],
        event: Made | None,
        value: int,
        *rows: CardRow,
    ) -> None:
        numbers = self.facts.tensors.get(value)
        grad = (
            (self._source_grad(value),)
            if role is not Role.REENTRY or value in self.facts.sources
            else ()
        )
        self.nodes[id_] = Card(
            id_,
            role,
            words.short_name(title, 32),
            " · ".join(tags),
            rows=(words.value_row(numbers, with_dtype=True), *rows, *grad),
            location=self.facts.location(event),
            event=None if event is None else event.i,
            values=(value,),
            name=title,
        )

    def _title(self, value: int, otherwise: str) -> str:
        return self.facts.sources.get(value) or self.facts.name(value) or otherwise

    def _add_op(self, op: events.OpEvent) -> None:
        facts, id_ = self.facts, f"op-{op.number}"
        outputs = tuple([output.id for output in op.outputs])
        is_recorded = facts.is_recorded(op)
        tags = [f"#{op.number}"] if is_recorded else ["not recorded"]
        role = Role.UNRECORDED
        if is_recorded:
            role = Role.PATH if op.number in facts.path else Role.OFF
        if not facts.sources.keys().isdisjoint(outputs):
            tags.insert(0, "source")
        if is_recorded and not set(facts.targets).isdisjoint(outputs):
            role = Role.TARGET
            tags.insert(0, "target")
        self.nodes[id_] = Card(
            id_,
            role,
            words.short(op.name, 32),
            " · ".join(tags),
            code=facts.code(op, words.CODE_WIDTH),
            rows=(
                *[LazyRow("value", numbers=output) for output in op.outputs[:1]],
                *self._op_rows(op, outputs),
            ),
            location=facts.location(op),
            event=op.i,
            op=op.number,
            values=outputs,
        )
        for position, given in enumerate(op.inputs):
            tail = self._tail(given, op, position)
            flow = self._flow(given.value, tail, op)
            self.edges.append(Edge(tail, id_, flow, self._label(given.value, op, flow)))

    def _tail(self, given: events.Input, op: events.OpEvent, position: int) -> str:
        """Return the start of the edge to an input: a node, or a pill for this use of the input."""
        variable = self.facts.variable_of(given.value)
        suffix = f"{given.value}-{op.number}-{position}"
        if variable is not None and self._reads[variable] > READS_ON_ONE_CARD:
            # A single node with fifty edges would make the layout take minutes.
            name = self._title(variable, "variable")
            title, stub_of = f"{words.short_name(name, 24)} ›", self._variable(variable)
            return self._pill(Pill(f"read-{suffix}", Role.VARIABLE, title, "", stub_of, name))
        return self.node_of(given.value) or self._pill(self._constant(given, f"const-{suffix}"))

    def _pill(self, pill: Pill) -> str:
        self.nodes[pill.id] = pill
        return pill.id

    def _constant(self, given: events.Input, id_: str) -> Pill:
        facts, event = self.facts, self.facts.made_by(given.value)
        numbers = facts.tensors.get(given.value)
        written = event.text if isinstance(event, events.ConstantEvent) else None
        text = facts.name(given.value) or given.text or written or ""
        name, size = words.short_name(text, 20), words.value_row(numbers).text if numbers else ""
        made = "not watched"
        if isinstance(event, events.OpEvent):
            made = "made before the tape" if facts.is_before_tape(event) else "from no source"
        location = self.facts.location(event)
        title = name or size if words.is_same_number(name, size) else f"{name}  {size}".strip()
        note = f"{made} · {location}" if location else made
        return Pill(id_, Role.CONSTANT, title or "constant", note)

    def _add_target(self, target: int, position: int) -> None:
        facts, event, call = self.facts, self.facts.made_by(target), self.facts.call
        assert call is not None
        if isinstance(event, events.OpEvent) and facts.is_recorded(event):
            return  # its op is drawn as the target's node
        id_, tail = f"target-{position}", self.node_of(target)
        name = facts.name(target) or call.target_name or "target"
        rows = [words.value_row(facts.tensors[target])] if target in facts.tensors else []
        is_watched = not facts.watched.isdisjoint((target, facts.variable_of(target)))
        seed = facts.gradients.get(target) if target in facts.seeds and is_watched else None
        rows.append(words.gradient_row(seed, "(seed)") if seed else _muted("seed never sent"))
        self.nodes[id_] = Card(
            id_,
            Role.TARGET,
            words.short_name(name, 32),
            "target · a constant" if tail is None else "target",
            code=words.short(call.text, words.CODE_WIDTH),
            rows=tuple(rows[-1:] if tail is not None else rows),
            location=facts.location(call),
            event=call.i,
            values=(target,),
        )
        if tail is not None:
            self.edges.append(Edge(tail, id_, EdgeKind.CONSTANT))

    def mark(self, id_: str, tag: str) -> None:
        """Outline the node where the problem starts."""
        card = self.nodes[id_]
        if isinstance(card, Card) and tag not in card.tag:
            self.nodes[id_] = replace(card, role=Role.PROBLEM, tag=f"{card.tag} · {tag}")

    # --- the gradient rows: a number, missing, or None ---

    def _source_grad(self, value: int) -> CardRow:
        if value not in self.facts.sources:
            return _muted("not requested" if self.facts.call else "not computed")
        result = self.facts.results.get(value)
        if result is None:
            return _muted("not computed")
        if result.numbers is None:
            return CardRow("grad", "None", TextTone.PROBLEM)
        return self.facts.result_row(result.numbers)

    def _op_rows(self, op: events.OpEvent, outputs: tuple[int, ...]) -> list[CardRow]:
        facts = self.facts
        requested = [self._source_grad(value) for value in outputs if value in facts.sources]
        if not facts.is_recorded(op):
            reason = facts.why_not(op)
            return [CardRow("why", words.WHY_NOT.get(reason, reason), TextTone.MUTED), *requested]
        if requested:
            return requested
        arrived = [facts.gradients[value] for value in outputs if value in facts.gradients]
        if arrived:
            note = "" if facts.seeds.isdisjoint(outputs) else "(seed)"
            return [LazyRow("grad", numbers=arrived[0], note=note)]
        if facts.call is None or facts.has_error:
            return [_muted("not computed")]
        is_target = not set(outputs).isdisjoint(facts.targets)
        return [_muted("seed never sent" if is_target else "never reached")]

    # --- edges ---

    def _flow(self, value: int, tail: str, op: events.OpEvent) -> EdgeKind:
        facts = self.facts
        if self.nodes[tail].role in (Role.CONSTANT, Role.REENTRY, Role.SOURCE, Role.UNRECORDED):
            return EdgeKind.CONSTANT
        is_result = isinstance(facts.made_by(value), events.OpEvent)
        if is_result and words.trouble(facts.tensors.get(value)):
            return EdgeKind.BAD
        if not facts.is_recorded(op):
            return EdgeKind.CONSTANT
        variable = facts.variable_of(value)
        is_connected = value in facts.connected or variable in facts.connected
        return EdgeKind.PATH if is_connected and op.number in facts.path else EdgeKind.OFF

    def _label(self, value: int, op: events.OpEvent, flow: EdgeKind) -> str:
        facts = self.facts
        if flow is EdgeKind.BAD:
            return words.trouble(facts.tensors.get(value))
        sizes = facts.shape_of(value)
        if flow is not EdgeKind.PATH or sizes is None or not op.outputs:
            return ""
        result = op.outputs[0].shape
        others = [facts.shape_of(given.value) for given in op.inputs if given.value != value]
        # Only elementwise ops have one input with the shape of the output and another input that is broadcast to it.
        if "MatMul" not in op.name and sizes != result in others and _fits(sizes, result):
            return f"{words.shape(sizes)}  broadcast"
        return words.shape(sizes) if sizes else ""


def _muted(text: str) -> CardRow:
    return CardRow("grad", text, TextTone.MUTED)


def _fits(sizes: list[int], result: list[int]) -> bool:
    pairs = zip(reversed(sizes), reversed(result), strict=False)
    return len(sizes) <= len(result) and all(a in (1, b) for a, b in pairs)

"""From facts to cards: one card an op, one a source, one the target; pills for constants; edges between them.

The sketch is the picture while it can still change: `breaks` puts in where the path ends, `rollup` takes out what is too much.
"""

from collections import Counter
from dataclasses import replace

from minitape.debug.draw import words
from minitape.debug.draw.facts import Facts, Tensor
from minitape.debug.draw.model import Card, Edge, Flow, Node, Pill, Role, Row, Tone
from minitape.debug.draw.relations import Relations
from minitape.debug.trace import Event

READS_ON_ONE_CARD = 3


class Sketch:
    """Nodes by id, in the order of the run, and the edges between them."""

    def __init__(self, facts: Facts, relations: Relations) -> None:
        self.facts = facts
        self.relations = relations
        self.nodes: dict[str, Node] = {}
        self.edges: list[Edge] = []
        self.break_keys: dict[str, tuple[str, str, int]] = {}
        call = facts.call or {"sources": [], "target": []}
        self.sources = {source["t"]: source.get("name") or "" for source in call["sources"]}
        self.targets = list(call["target"])
        self._reads = Counter(
            variable
            for op in relations.drawn
            for item in op.get("inputs", [])
            if (variable := facts.variable_of(item["t"])) is not None
        )
        self._drawn = {op["op"] for op in relations.drawn}
        for source in self.sources:
            self.node_of(source)
        for value in relations.returned:  # in order, or a long chain of them would be a deep recursion
            self.node_of(value)
        for op in relations.drawn:
            self._add_op(op)
        for position, target in enumerate(self.targets):
            self._add_target(target, position)

    # --- nodes ---

    def node_of(self, value: int) -> str | None:
        """The id of the card of this value, drawn if need be; None if it has none of its own."""
        variable = self.facts.variable_of(value)
        maker = self.facts.makers.get(value)
        if variable is not None:
            return self._variable(variable)
        if maker is not None and maker.kind == "op":
            number = maker.event["op"]
            if number in self._drawn:
                return f"op-{number}"
            if value not in self.sources:
                return None
        if maker is not None and maker.kind in ("reentry", "result"):
            return self._return(value, maker.event, maker.inputs)
        if value in self.sources or value in self.facts.watched:
            return self._watched(value)
        return None

    def _variable(self, variable: int) -> str:
        id_ = f"var-{variable}"
        if id_ not in self.nodes:
            event, tensor = self.facts.variables[variable], self.facts.tensors[variable]
            tags = ["variable"]
            if not event.get("trainable", True) and variable not in self.facts.watched:
                tags.append("not trainable")
            if self._reads[variable] > READS_ON_ONE_CARD:
                tags.append(f"read {self._reads[variable]} times")
            title = self.sources.get(variable) or self.facts.name(variable) or "variable"
            rows = (words.value_row(tensor, with_dtype=True), *self._source_grad(variable))
            self._put_source(id_, Role.VARIABLE, title, " · ".join(tags), rows, event, variable)
        return id_

    def _watched(self, value: int) -> str:
        id_ = f"value-{value}"
        if id_ not in self.nodes:
            maker = self.facts.makers.get(value)
            is_watched = value in self.facts.watched
            title = self.sources.get(value) or self.facts.name(value) or "tensor"
            rows = (
                words.value_row(self.facts.tensors.get(value, {}), with_dtype=True),
                *self._source_grad(value),
            )
            role, tag = (
                (Role.WATCHED, "watched") if is_watched else (Role.SOURCE, "source · not watched")
            )
            self._put_source(id_, role, title, tag, rows, maker.event if maker else None, value)
        return id_

    def _put_source(
        self,
        id_: str,
        role: Role,
        title: str,
        tag: str,
        rows: tuple[Row, ...],
        event: Event | None,
        value: int,
    ) -> None:
        self.nodes[id_] = Card(
            id_,
            role,
            words.short(title, 32),
            tag,
            rows=rows,
            place=self.facts.place(event),
            event=event["i"] if event else None,
            values=(value,),
        )

    def _return(self, value: int, event: Event, inputs: tuple[int, ...]) -> str:
        id_ = f"value-{value}"
        if id_ in self.nodes:
            return id_
        is_result = event["k"] == "result"
        name = self.facts.name(value) or words.short(str(event.get("text") or ""), 24)
        note = (
            "what gradient returned; its walk was not recorded"
            if is_result
            else "a plain number: no history"
            if event.get("sure", True)
            else "a plain number, probably that one"
        )
        self.nodes[id_] = Card(
            id_,
            Role.REENTRY,
            f"{name}  {'gradient' if is_result else 'constant'}".strip(),
            "result" if is_result else "re-entry",
            rows=(
                words.value_row(self.facts.tensors.get(value, {})),
                Row("note", note, Tone.MUTED),
                *(self._source_grad(value) if value in self.sources else ()),
            ),
            place=self.facts.place(event),
            event=event["i"],
            values=(value,),
        )
        for origin in inputs:
            tail = self.node_of(origin)
            if tail is not None and tail != id_:
                self.edges.append(Edge(tail, id_, Flow.GHOST, words.BREAKS["numpy-roundtrip"][1], origin))
        return id_

    def _add_op(self, op: Event) -> None:
        number, facts = op["op"], self.facts
        outputs = op["outputs"]
        is_recorded, is_path = facts.is_recorded(op), number in self.relations.path
        value = outputs[0]["id"] if outputs else None
        rows = [words.value_row(outputs[0])] if outputs else []
        if is_recorded:
            rows += self._op_grad(op)
        else:
            rows.append(Row("why", words.WHY_NOT.get(facts.why_not(op), facts.why_not(op)), Tone.MUTED))
            if value in self.sources:
                rows += self._source_grad(value)
        role = Role.PATH if is_path else Role.OFF if is_recorded else Role.UNRECORDED
        tags = [f"#{number}"] if is_recorded else ["not recorded"]
        if value in self.sources:
            tags.insert(0, "source")
        if value in self.targets and is_recorded:
            role = Role.TARGET
            tags.insert(0, "target")
        id_ = f"op-{number}"
        self.nodes[id_] = Card(
            id_,
            role,
            words.short(str(op["name"]), 32),
            " · ".join(tags),
            code=facts.code(op, words.CODE_WIDTH),
            rows=tuple(rows),
            place=facts.place(op),
            event=op["i"],
            op=number,
            values=tuple(tensor["id"] for tensor in outputs),
        )
        for position, item in enumerate(op.get("inputs", [])):
            tail = self._tail(item, op, position)
            flow = self._flow(item["t"], tail, op)
            self.edges.append(Edge(tail, id_, flow, self._label(item["t"], op, flow), item["t"]))

    def _tail(self, item: dict[str, object], op: Event, position: int) -> str:
        value = item["t"]
        assert isinstance(value, int)
        variable = self.facts.variable_of(value)
        if variable is not None and self._reads[variable] > READS_ON_ONE_CARD:
            # One node with fifty edges is what makes a layout take minutes.
            id_ = f"read-{value}-{op['op']}-{position}"
            name = self.sources.get(variable) or self.facts.name(variable) or "variable"
            self.nodes[id_] = Pill(id_, Role.VARIABLE, f"{words.short(name, 24)} ›", "", (value,))
            return id_
        own = self.node_of(value)
        return own if own is not None else self._constant(item, op, position)

    def _constant(self, item: dict[str, object], op: Event, position: int) -> str:
        value = item["t"]
        assert isinstance(value, int)
        tensor, maker = self.facts.tensors.get(value, {}), self.facts.makers.get(value)
        event = maker.event if maker else {}
        id_ = f"const-{value}-{op['op']}-{position}"
        name = self.facts.name(value) or str(item.get("text") or event.get("text") or "")
        row = words.value_row(tensor) if tensor else None
        size = row.text if row else ""
        title = size if words.short(name, 20) in ("", size) else f"{words.short(name, 20)}  {size}"
        made = "made before the tape" if event.get("k") == "op" else "not watched"
        place = self.facts.place(event)
        note = f"{made} · {place}" if place else made
        self.nodes[id_] = Pill(id_, Role.CONSTANT, title or "constant", note, (value,))
        return id_

    def _add_target(self, target: int, position: int) -> None:
        maker = self.facts.makers.get(target)
        call = self.facts.call
        assert call is not None
        if maker is not None and maker.kind == "op" and self.facts.is_recorded(maker.event):
            return
        id_ = f"target-{position + 1}"
        names = call.get("target_name")
        name = self.facts.name(target) or (names if isinstance(names, str) else "")
        seed = self.facts.gradients.get(target) if target in self.facts.seeds else None
        row = (
            words.gradient_row(seed, "(seed)")
            if seed
            else Row("grad", "seed never sent", Tone.MUTED)
        )
        tail = self.node_of(target)
        is_constant = maker is None or (maker.kind == "constant" and tail is None)
        rows = (words.value_row(self.facts.tensors.get(target, {})),) if is_constant else ()
        self.nodes[id_] = Card(
            id_,
            Role.TARGET,
            words.short(name or "target", 32),
            "target · a constant" if is_constant else "target",
            code=words.short(str(call.get("text") or ""), words.CODE_WIDTH),
            rows=(*rows, row),
            place=self.facts.place(call),
            event=call["i"],
            values=(target,),
        )
        if tail is not None and tail != id_:
            self.edges.append(Edge(tail, id_, Flow.CONSTANT, "", target))

    # --- what the gradient rows say: a number, not (yet) there, or None ---

    def _source_grad(self, value: int) -> tuple[Row, ...]:
        if self.facts.call is None:
            return (Row("grad", "not computed", Tone.MUTED),)
        if value not in self.sources:
            return (Row("grad", "not asked for", Tone.MUTED),)
        result = self.facts.results.get(list(self.sources).index(value))
        for event in self.facts.results.values():
            if event.get("t") == value:
                result = event
        if result is None:
            return (Row("grad", "not computed", Tone.MUTED),)
        if result.get("T") is None:
            return (Row("grad", "None", Tone.PROBLEM),)
        return (words.gradient_row(result["T"]),)

    def _op_grad(self, op: Event) -> list[Row]:
        facts = self.facts
        ids = [tensor["id"] for tensor in op["outputs"]]
        for value in ids:
            if value in self.sources:
                return list(self._source_grad(value))
        arrived = [facts.gradients[value] for value in ids if value in facts.gradients]
        if arrived:
            note = "(seed)" if not facts.seeds.isdisjoint(ids) else ""
            return [words.gradient_row(arrived[0], note)]
        if facts.call is None or facts.has_error:
            text = "not computed"
        else:
            text = "seed never sent" if set(ids) & set(self.targets) else "never reached"
        return [Row("grad", text, Tone.MUTED)]

    # --- edges ---

    def _flow(self, value: int, tail: str, op: Event) -> Flow:
        if isinstance(self.nodes.get(tail), Pill) and self.nodes[tail].role is Role.CONSTANT:
            return Flow.CONSTANT
        maker = self.facts.makers.get(value)
        if maker is not None and maker.kind == "op" and words.trouble(self.facts.tensors.get(value)):
            return Flow.BAD
        if not self.facts.is_recorded(op):
            return Flow.CONSTANT
        if op["op"] in self.relations.path and value in self.relations.connected:
            return Flow.PATH
        if maker is not None and maker.kind == "op" and not self.facts.is_recorded(maker.event):
            return Flow.CONSTANT
        return Flow.CONSTANT if maker is not None and maker.kind == "reentry" else Flow.OFF

    def _label(self, value: int, op: Event, flow: Flow) -> str:
        tensor: Tensor = self.facts.tensors.get(value, {})
        if flow is Flow.BAD:
            return words.trouble(tensor)
        sizes = tensor.get("shape")
        if flow is not Flow.PATH or sizes is None or not op["outputs"]:
            return ""
        result = op["outputs"][0].get("shape") or []
        others = [
            self.facts.tensors.get(item["t"], {}).get("shape")
            for item in op["inputs"]
            if item["t"] != value
        ]
        # Elementwise ops alone have an input of the shape of the result and another that fits into it.
        is_product = any(word in op["name"] for word in ("MatMul", "Einsum", "Conv"))
        is_broadcast = not is_product and sizes != result and result in others and _fits(sizes, result)
        if is_broadcast:
            return f"{words.shape(sizes)}  broadcast"
        return words.shape(sizes) if sizes else ""

    def source_node(self, value: int) -> str:
        """The card of a source; one is drawn even for what the trace never saw being made."""
        return self.node_of(value) or self._watched(value)

    def mark(self, id_: str, tag: str) -> None:
        """Outline a card as the first one with a problem."""
        card = self.nodes[id_]
        if isinstance(card, Card) and tag not in card.tag:
            self.nodes[id_] = replace(card, role=Role.PROBLEM, tag=f"{card.tag} · {tag}")


def _fits(sizes: list[int], result: list[int]) -> bool:
    return len(sizes) <= len(result) and all(
        a in (1, b) for a, b in zip(reversed(sizes), reversed(result), strict=False)
    )

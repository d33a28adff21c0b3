"""The walk back in a picture: an edge for each amount that an op sent to an input, and which step it was."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from minitape.debug.draw import words
from minitape.debug.draw.cards import Sketch
from minitape.debug.draw.fold import Drawing
from minitape.debug.draw.model import Card, Edge, Flow, Line, Node, Role, Row, Tone
from minitape.debug.trace import Event

_FORWARD = (Flow.PATH, Flow.OFF, Flow.CONSTANT)
_MOST_TERMS = 4
_MOST_SUMS = 2


def with_walk(drawing: Drawing, sketch: Sketch, *, is_alone: bool) -> Drawing:
    """The drawing with what was sent back; where that is all that is asked for, the forward edges step back."""
    sent = list(_sent(drawing, sketch))
    edges = drawing.edges
    nodes = drawing.nodes
    if is_alone:
        edges = [replace(e, flow=Flow.OFF, label="") if e.flow in _FORWARD else e for e in edges]
        nodes = {id_: _as_step(node, sketch) for id_, node in nodes.items()}
    return replace(drawing, nodes=nodes, edges=[*edges, *sent])


def _sent(drawing: Drawing, sketch: Sketch) -> Iterator[Edge]:
    for step in sketch.facts.back.values():
        tail = f"op-{step['op']}"
        for out in step.get("out", []):
            head = sketch.node_of(out["t"])
            if tail in drawing.nodes and head in drawing.nodes and out.get("T"):
                assert head is not None
                plus = "+ " if out.get("uses", 1) > 1 else ""
                yield Edge(tail, head, Flow.GRADIENT, plus + _amount(out["T"]))


def _amount(tensor: Event) -> str:
    return words.gradient_row(tensor).text


def _as_step(node: Node, sketch: Sketch) -> Node:
    """An op's card with its place in the walk and the rule that it follows."""
    step = (
        sketch.facts.back.get(node.op) if isinstance(node, Card) and node.op is not None else None
    )
    if not isinstance(node, Card) or step is None:
        return node
    name = sketch.facts.ops[step["op"]]["name"]
    parts = sketch.facts.rules.get(name, "").split("   ")
    rule = words.short(", ".join(part for part in parts if part), words.ROW_WIDTH)
    rows = (*node.rows, Row("rule", rule, Tone.MUTED)) if rule else node.rows
    role = Role.WALKED if node.role is Role.PATH else node.role
    return replace(node, role=role, tag=f"{node.tag} · step {step['step']}", rows=rows)


def sums(sketch: Sketch) -> Iterable[Line]:
    """How the gradient of a source that was used more than once came together."""
    facts = sketch.facts
    terms: dict[int, list[tuple[Event, Event]]] = defaultdict(list)
    for step in facts.back.values():
        for out in step.get("out", []):
            if out.get("T"):
                terms[facts.variable_of(out["t"]) or out["t"]].append((step, out["T"]))
    said = []
    for source, name in facts.sources.items():
        sent, result = terms.get(source, []), (facts.results.get(source) or {}).get("T")
        if result and 1 < len(sent) <= _MOST_TERMS and result.get("n") == 1:
            parts = "  +  ".join(
                f"{_amount(tensor)} ({facts.place(facts.ops.get(step['op']))})"
                for step, tensor in sent
            )
            said.append(
                Line(
                    f"{name or 'a source'} is used {len(sent)} times, so its gradient is a sum:"
                    f"  {parts}  =  {_amount(result)}",
                    Tone.GRADIENT,
                )
            )
    return said[:_MOST_SUMS]

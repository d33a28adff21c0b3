"""The backward pass in a picture: an edge for each contribution that an op sends to an input, and the number of its step."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from minitape.draw import words
from minitape.draw.cards import Sketch
from minitape.draw.model import CaptionLine, Card, CardRow, Edge, EdgeKind, Node, Role, TextTone
from minitape.draw.rollup.fold import Drawing
from minitape.trace import events
from minitape.trace.events import Numbers

_SUM = "{name} is used {times} times, so its gradient is a sum:  {terms}  =  {total}"
_FORWARD = (EdgeKind.PATH, EdgeKind.OFF, EdgeKind.CONSTANT)
_MOST_TERMS = 4
_MOST_SUMS = 2
_MOST_LABELED = 20  # the maximum number of edges with terms; more terms would hide the picture

# Takes a backward step and the position of an input, and returns the terms of the contribution; empty if it is not a scalar.
Terms = Callable[[events.BackEvent, int], str]


def with_backward(
    drawing: Drawing, sketch: Sketch, terms: Terms | None, *, is_alone: bool
) -> Drawing:
    """Return the drawing with the edges of the backward pass; if only that pass is shown, forward edges are drawn faintly."""
    is_tiny = sum(len(step.sent) for step in sketch.facts.back.values()) <= _MOST_LABELED
    sent = list(_sent(drawing, sketch, terms if is_tiny else None))
    edges = drawing.edges
    nodes = drawing.nodes
    if is_alone:
        edges = [
            replace(e, flow=EdgeKind.OFF, label="") if e.flow in _FORWARD else e for e in edges
        ]
        nodes = {id_: _as_step(node, sketch) for id_, node in nodes.items()}
    return replace(drawing, nodes=nodes, edges=[*edges, *sent])


def _sent(drawing: Drawing, sketch: Sketch, terms: Terms | None) -> Iterator[Edge]:
    for step in sketch.facts.back.values():
        tail = f"op-{step.op}"
        for position, contribution in enumerate(step.sent):
            head = sketch.node_of(contribution.value)
            if tail in drawing.nodes and head is not None and head in drawing.nodes:
                plus = "+ " if contribution.uses > 1 else ""
                reported = terms(step, position) if terms else ""
                yield Edge(
                    tail,
                    head,
                    EdgeKind.GRADIENT,
                    plus + (reported or _amount(contribution.numbers)),
                )


def _amount(numbers: Numbers) -> str:
    return words.gradient_row(numbers).text


def _as_step(node: Node, sketch: Sketch) -> Node:
    """Return the node of an op with the number of its backward step and its gradient rule."""
    if not isinstance(node, Card) or node.op is None or node.op not in sketch.facts.back:
        return node
    step, name = sketch.facts.back[node.op], sketch.facts.ops[node.op].name
    parts = sketch.facts.rules.get(name, "").split("   ")
    rule = words.short(", ".join(part for part in parts if part), words.ROW_WIDTH)
    rows = (*node.rows, CardRow("rule", rule, TextTone.MUTED)) if rule else node.rows
    role = Role.BACKWARD_DONE if node.role is Role.PATH else node.role
    return replace(node, role=role, tag=f"{node.tag} · step {step.step}", rows=rows)


def sums(sketch: Sketch) -> Iterable[CaptionLine]:
    """Return, for each source that is used more than once, a line with the terms of its gradient."""
    facts = sketch.facts
    terms: dict[int, list[tuple[events.OpEvent | None, Numbers]]] = defaultdict(list)
    for step in facts.back.values():
        op = None if step.op is None else facts.ops.get(step.op)
        for contribution in step.sent:
            terms[facts.variable_of(contribution.value) or contribution.value].append(
                (op, contribution.numbers)
            )
    said = []
    for source, name in facts.sources.items():
        sent, result = terms.get(source, []), facts.results.get(source)
        total = None if result is None else result.numbers
        if total is not None and 1 < len(sent) <= _MOST_TERMS and total.size == 1:
            parts = "  +  ".join(f"{_amount(part)} ({facts.location(op)})" for op, part in sent)
            said.append(
                CaptionLine(
                    _SUM.format(
                        name=name or "a source",
                        times=len(sent),
                        terms=parts,
                        total=_amount(total),
                    ),
                    TextTone.GRADIENT,
                )
            )
    return said[:_MOST_SUMS]

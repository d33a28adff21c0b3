"""Adds the findings of a report to a sketch: a node where the path ends, or a mark on the op where a value goes wrong.

A break is drawn as a node, because a missing edge would be hard to see.
"""

import textwrap

from msgspec.structs import replace

from minitape.draw import words
from minitape.draw.cards import Sketch
from minitape.draw.model import Card, CardRow, Edge, EdgeKind, Pill, Role, TextTone
from minitape.explain.causes import CAUSES
from minitape.explain.report import CallReport, Finding, Hop, Outcome, SourceReport
from minitape.trace import events
from minitape.trace.events import Event
from minitape.trace.trace import Trace

_Cards = dict[tuple[str, str, int], str]  # a mistake → the id of its node

_MARKS = {Outcome.ZERO: "zero from here", Outcome.ERROR: "raises here"}
_PROBLEMS = {
    Outcome.ZERO: "all zeros",
    Outcome.NAN: "nan or inf",
    Outcome.ERROR: "this call raises an error",
}


def pointed_values(said: CallReport | None) -> set[int]:
    """Return all values on the paths of a call's findings."""
    sources = said.sources if said is not None else ()
    findings = [finding for source in sources for finding in source.findings]
    return {hop.value for finding in findings for hop in finding.path}


def add_breaks(sketch: Sketch, said: CallReport, trace: Trace) -> None:
    """Draw each finding of the call; sources with the same cause on the same line share one node."""
    cards: _Cards = {}
    for source in said.sources:
        for finding in source.findings:
            if source.outcome not in (Outcome.NONE, Outcome.PARTIAL):
                _show_problem(sketch, source, finding, trace, cards)
            elif finding.path and _iteration_op_into_break(sketch, source, finding, trace):
                continue
            else:
                id_ = _break_card(sketch, finding, cards)
                if finding.path:
                    _break_path(sketch, source, finding, id_)
                if not _break_returns(sketch, finding, id_, trace) and not finding.path:
                    _connect(sketch, _last_node(sketch, source.value, ()), id_, EdgeKind.CUT)


def _break_path(sketch: Sketch, source: SourceReport, finding: Finding, id_: str) -> None:
    """Add the node at the end of the path to the target."""
    position = _lost_at(finding)
    tail = _last_node(sketch, source.value, finding.path[:position])
    head = _next_node(sketch, finding.path[position:], besides=tail)
    # The node shows what ran between the two values, so the direct edge is removed.
    sketch.edges = [e for e in sketch.edges if (e.tail, e.head) != (tail, head)]
    _connect(sketch, tail, id_, EdgeKind.CUT)
    if head is not None:
        _connect(sketch, id_, head, EdgeKind.GHOST, CAUSES[finding.slug].card.leaving)


def _break_returns(sketch: Sketch, finding: Finding, id_: str, trace: Trace) -> bool:
    """Route the edges of values that re-entered in the finding's events through the node; return whether there are such edges."""
    proof = (_event(trace, number) for number in finding.events)
    returned = {f"value-{event.value}" for event in proof if isinstance(event, events.ReentryEvent)}
    edges = [edge for edge in sketch.edges if edge.head in returned and edge.tail != id_]
    for edge in edges:
        sketch.edges.remove(edge)
        _connect(sketch, edge.tail, id_, EdgeKind.CUT)
        _connect(sketch, id_, edge.head, EdgeKind.GHOST, CAUSES[finding.slug].card.leaving)
    return bool(edges)


def _lost_at(finding: Finding) -> int:
    """Return the index of the hop on the path that this finding describes."""
    lost = [i for i, hop in enumerate(finding.path) if hop.lost]
    alike = [i for i in lost if finding.path[i].lost == finding.slug]
    its_own = [i for i in alike if finding.path[i].event in finding.events]
    # An event before the first hop concerns the source itself, whatever breaks come later.
    is_earlier = bool(finding.events) and max(finding.events) < finding.path[0].event
    return (its_own or alike or ([] if is_earlier else lost) or [0])[0]


def _last_node(sketch: Sketch, source: int, hops: tuple[Hop, ...]) -> str:
    """Return the node of the last value before the break; values without a node are skipped."""
    nodes = [sketch.node_of(value) for value in (source, *(hop.value for hop in hops))]
    return next((id_ for id_ in reversed(nodes) if id_), None) or sketch.source_card(source)


def _next_node(sketch: Sketch, hops: tuple[Hop, ...], besides: str) -> str | None:
    nodes = [sketch.node_of(hop.value) for hop in hops]
    targets = [id_ for id_, node in sketch.nodes.items() if id_.startswith("target-")]
    return next((id_ for id_ in [*nodes, *targets] if id_ and id_ != besides), None)


def _iteration_op_into_break(
    sketch: Sketch, source: SourceReport, finding: Finding, trace: Trace
) -> bool:
    """If an op itself is the break (argmax, a cast to integers), turn its node into the break; return whether it is."""
    position = _lost_at(finding)
    event = _event(trace, finding.path[position].event)
    card = sketch.nodes.get(f"op-{event.number}") if isinstance(event, events.OpEvent) else None
    reported = CAUSES[finding.slug].card
    if not reported.is_op or not isinstance(card, Card):
        return False
    if card.role is not Role.BREAK:
        values = tuple(row for row in card.rows if row.label == "value")
        rows = (*values, *_why_and_fix(finding))
        card = replace(
            card, role=Role.BREAK, title=f"{card.title}: {reported.title}", tag="the break"
        )
        sketch.nodes[card.id] = replace(card, rows=rows, location=_locations(sketch, card, finding))
    tail = _last_node(sketch, source.value, finding.path[:position])
    sketch.edges = [
        replace(e, flow=EdgeKind.CUT, label="")
        if (e.tail, e.head) == (tail, card.id)
        else replace(e, flow=EdgeKind.GHOST, label=reported.leaving)
        if e.tail == card.id
        else e
        for e in sketch.edges
    ]
    return True


def _show_problem(
    sketch: Sketch, source: SourceReport, finding: Finding, trace: Trace, cards: _Cards
) -> None:
    """Outline the node where a zero, a NaN or an error began; if that node is not drawn, add a node for the gradient call."""
    for number in finding.events:
        id_ = _node_of(sketch, _event(trace, number))
        if id_ is not None:
            _shape_text(sketch, id_, _MARKS.get(source.outcome, ""), finding)
            return
    problem = _PROBLEMS.get(source.outcome, "a problem")
    id_ = _break_card(sketch, finding, cards, problem=problem)
    for target in sketch.facts.targets:
        tail = sketch.node_of(target)
        if tail is not None:
            _connect(sketch, tail, id_, EdgeKind.CUT)


def _node_of(sketch: Sketch, event: Event | None) -> str | None:
    """Return the id of the node of an op or a variable, or of the first pill of a constant; None if it is not drawn."""
    match event:
        case events.ConstantEvent():
            start = f"const-{event.numbers.id}-"
            return next((id_ for id_ in sketch.nodes if id_.startswith(start)), None)
        case events.OpEvent():
            id_ = f"op-{event.number}"
        case events.BackEvent():
            id_ = f"op-{event.op}"
        case events.VariableEvent():
            id_ = f"var-{event.variable}"
        case _:
            return None
    return id_ if id_ in sketch.nodes else None


def _shape_text(sketch: Sketch, id_: str, mark: str, finding: Finding) -> None:
    node = sketch.nodes[id_]
    if isinstance(node, Pill):
        line = sketch.facts.line_in(finding.location.file, finding.location.line)
        rows = (CardRow("value", node.title), *_why_and_fix(finding))
        node = Card(id_, Role.CONSTANT, "constant", "not watched", rows=rows, location=line)
    elif not any(row.label == "fix" for row in node.rows):
        rows = (*node.rows, *_why_and_fix(finding))
        node = replace(node, rows=rows, location=_locations(sketch, node, finding))
    sketch.nodes[id_] = node
    sketch.mark(id_, mark or f"FIRST {_first_bad(sketch, node)}")


def _locations(sketch: Sketch, card: Card, finding: Finding) -> str:
    """Return the line of the node's op, and the line to fix if it is a different line."""
    line = sketch.facts.line_in(finding.location.file, finding.location.line)
    return card.location if line == card.location else f"{card.location} · fix {line}"


def _first_bad(sketch: Sketch, card: Card) -> str:
    """Return the first NaN or infinity at this node: in its output, or else in the gradients that it sends."""
    values = " ".join(words.with_text(row).text for row in card.rows if row.label == "value")
    for word in ("-inf", "inf", "nan"):
        if word in values:
            return word
    step = sketch.facts.back.get(card.op or 0)
    sent = [] if step is None else [contribution.numbers for contribution in step.sent]
    word = next(filter(None, map(words.trouble, sent)), "nan")
    return f"{word} in grad"


def _event(trace: Trace, number: int) -> Event | None:
    return trace.events[number] if 0 <= number < len(trace) else None


def _break_card(sketch: Sketch, finding: Finding, cards: _Cards, *, problem: str = "") -> str:
    """Return the id of the node for a cause on a line, which is created at the first call."""
    location = finding.location
    id_ = cards.setdefault(finding.mistake, f"break-{len(cards) + 1}")
    if id_ not in sketch.nodes:
        sketch.nodes[id_] = Card(
            id_,
            Role.PROBLEM if problem else Role.BREAK,
            problem or CAUSES[finding.slug].card.title,
            "the problem" if problem else "the break",
            code=sketch.facts.statement(location.file, location.line, words.CODE_WIDTH),
            rows=_why_and_fix(finding),
            location=sketch.facts.line_in(location.file, location.line),
            event=finding.events[0] if finding.events else None,
        )
    return id_


def _why_and_fix(finding: Finding) -> tuple[CardRow, ...]:
    return (
        *_rows("why", finding.label, TextTone.PROBLEM),
        *_rows("fix", finding.fix, TextTone.PLAIN),
    )


def _rows(label: str, text: str, tone: TextTone) -> list[CardRow]:
    """Return a sentence, wrapped to as many rows as needed, up to a limit."""
    lines = textwrap.wrap(words.short(text, 3 * words.ROW_WIDTH), words.ROW_WIDTH)
    return [CardRow("" if position else label, line, tone) for position, line in enumerate(lines)]


def _connect(sketch: Sketch, tail: str, head: str, flow: EdgeKind, label: str = "") -> None:
    edge = Edge(tail, head, flow, label)
    if edge not in sketch.edges:
        sketch.edges.append(edge)

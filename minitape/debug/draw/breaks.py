"""What the report adds to a sketch: a card where the path ends, or a mark on the op where a number went wrong.

The break is drawn, not left out: a missing edge would leave nothing to look at just where the user has to look.
"""

from dataclasses import replace

from minitape.debug.draw import words
from minitape.debug.draw.model import Card, Edge, Flow, Role, Row, Tone
from minitape.debug.draw.sketch import Sketch
from minitape.debug.report import CallReport, Finding, Hop, Outcome, SourceReport
from minitape.debug.trace import Event, Trace

_MARKS = {Outcome.ZERO: "zero from here", Outcome.ERROR: "raises here"}
_BREAKING = (Outcome.NONE, Outcome.PARTIAL)


def add_breaks(sketch: Sketch, said: CallReport, trace: Trace) -> None:
    """Draw each finding of the call; sources with the same cause on the same line share one card."""
    for source in said.sources:
        for finding in source.findings:
            if source.outcome in _BREAKING and finding.path:
                _add_along_path(sketch, source, finding, trace)
            elif source.outcome in _BREAKING:
                _add_without_path(sketch, source, finding)
            elif not _mark_op(sketch, source, finding, trace):
                _add_at_target(sketch, finding)


def _add_along_path(sketch: Sketch, source: SourceReport, finding: Finding, trace: Trace) -> None:
    lost = [hop for hop in finding.path if hop.lost == finding.slug]
    at = (lost or [hop for hop in finding.path if hop.lost] or [finding.path[0]])[0]
    position = finding.path.index(at)
    event = trace.events[at.event] if 0 <= at.event < len(trace) else {}
    if finding.slug in words.OP_IS_THE_BREAK and _turn_op_into_break(sketch, finding, event):
        tail = _last_node(sketch, source.value, finding.path[:position])
        _cut(sketch, tail, f"op-{event['op']}")
        _ghost_after(sketch, f"op-{event['op']}", finding)
        return
    tail = _last_node(sketch, source.value, finding.path[:position])
    head = _next_node(sketch, finding.path[position:], besides=tail)
    id_ = _break_card(sketch, finding)
    # What ran between them is told by the card; the plain edge would be a second story.
    sketch.edges = [e for e in sketch.edges if e.tail != tail or e.head != head]
    _connect(sketch, Edge(tail, id_, Flow.CUT, "", source.value))
    if head is not None:
        _connect(sketch, Edge(id_, head, Flow.GHOST, _phrase(finding)[1], at.value))


def _last_node(sketch: Sketch, source: int, hops: tuple[Hop, ...]) -> str:
    """The card of the last value before the break; values without a card are passed over."""
    for value in (*(hop.value for hop in reversed(hops)), source):
        id_ = sketch.node_of(value)
        if id_ is not None:
            return id_
    return sketch.source_node(source)


def _next_node(sketch: Sketch, hops: tuple[Hop, ...], besides: str) -> str | None:
    for hop in hops:
        id_ = sketch.node_of(hop.value)
        if id_ is not None and id_ != besides:
            return id_
    targets = (f"target-{position}" for position in range(1, len(sketch.targets) + 1))
    return next((id_ for id_ in targets if id_ in sketch.nodes), None)


def _turn_op_into_break(sketch: Sketch, finding: Finding, event: Event) -> bool:
    card = sketch.nodes.get(f"op-{event.get('op')}") if event.get("k") == "op" else None
    if not isinstance(card, Card):
        return False
    if card.role is not Role.BREAK:
        rows = tuple(row for row in card.rows if row.label == "value")
        sketch.nodes[card.id] = replace(
            card,
            role=Role.BREAK,
            title=f"{card.title}: {_phrase(finding)[0]}",
            tag="the break",
            rows=(*rows, *_why_and_fix(finding)),
        )
    return True


def _cut(sketch: Sketch, tail: str, head: str) -> None:
    found = [e for e in sketch.edges if e.tail == tail and e.head == head]
    sketch.edges = [e for e in sketch.edges if e.tail != tail or e.head != head]
    _connect(sketch, Edge(tail, head, Flow.CUT, "", found[0].value if found else None))


def _ghost_after(sketch: Sketch, id_: str, finding: Finding) -> None:
    sketch.edges = [
        replace(e, flow=Flow.GHOST, label=_phrase(finding)[1]) if e.tail == id_ else e
        for e in sketch.edges
    ]


def _add_without_path(sketch: Sketch, source: SourceReport, finding: Finding) -> None:
    id_ = _break_card(sketch, finding)
    _connect(sketch, Edge(sketch.source_node(source.value), id_, Flow.CUT, "", source.value))


def _add_at_target(sketch: Sketch, finding: Finding) -> None:
    """The call itself is the problem: its card hangs from the target."""
    id_ = _break_card(sketch, finding)
    for target in sketch.targets:
        tail = next(
            (n.id for n in sketch.nodes.values() if isinstance(n, Card) and target in n.values), None
        )
        if tail is not None:
            _connect(sketch, Edge(tail, id_, Flow.CUT, "", target))


def _mark_op(sketch: Sketch, source: SourceReport, finding: Finding, trace: Trace) -> bool:
    for number in finding.events:
        event = trace.events[number] if 0 <= number < len(trace) else {}
        id_ = f"op-{event['op']}" if event.get("k") in ("op", "back") else None
        card = sketch.nodes.get(id_) if id_ is not None else None
        if isinstance(card, Card):
            if not any(row.label == "fix" for row in card.rows):
                rows = (*card.rows, *_why_and_fix(finding))
                sketch.nodes[card.id] = replace(card, rows=rows)
            sketch.mark(card.id, _MARKS.get(source.outcome) or f"FIRST {_bad_word(sketch, card)}")
            return True
    return False


def _bad_word(sketch: Sketch, card: Card) -> str:
    tensors = [sketch.facts.tensors.get(value) for value in card.values]
    return next((word for tensor in tensors if (word := words.trouble(tensor))), "nan")


def _break_card(sketch: Sketch, finding: Finding) -> str:
    place = finding.place
    for id_, node in sketch.nodes.items():
        if node.role is Role.BREAK and sketch.break_keys.get(id_) == (finding.slug, place.file, place.line):
            return id_
    id_ = f"break-{len(sketch.break_keys) + 1}"
    sketch.break_keys[id_] = (finding.slug, place.file, place.line)
    sketch.nodes[id_] = Card(
        id_,
        Role.BREAK,
        _phrase(finding)[0],
        "the break",
        code=sketch.facts.statement(place.file, place.line, words.CODE_WIDTH),
        rows=_why_and_fix(finding),
        place=sketch.facts.line_in(place.file, place.line),
        event=finding.events[0] if finding.events else None,
    )
    return id_


def _why_and_fix(finding: Finding) -> tuple[Row, ...]:
    rows = [Row("why", words.short(finding.label, words.ROW_WIDTH), Tone.PROBLEM)]
    if finding.fix:
        rows.append(Row("fix", words.short(finding.fix, words.ROW_WIDTH)))
    return tuple(rows)


def _connect(sketch: Sketch, edge: Edge) -> None:
    if edge not in sketch.edges:
        sketch.edges.append(edge)


def _phrase(finding: Finding) -> tuple[str, str]:
    return words.BREAKS.get(finding.slug, words.ANY_BREAK)


def hops_of(said: CallReport | None) -> list[Hop]:
    """All hops that the report of a call speaks of."""
    if said is None:
        return []
    return [hop for s in said.sources for finding in s.findings for hop in finding.path]

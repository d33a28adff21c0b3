"""The picture of one gradient call: choose the call, sketch it, put in the breaks, take out what is too much."""

import textwrap

from minitape.debug.draw import words
from minitape.debug.draw.breaks import add_breaks, hops_of
from minitape.debug.draw.facts import Facts
from minitape.debug.draw.model import Card, Line, Node, Picture, Role, Tone
from minitape.debug.draw.relations import relate
from minitape.debug.draw.rollup import Drawing, roll_up
from minitape.debug.draw.sketch import Sketch
from minitape.debug.report import CallReport, Outcome, Report
from minitape.debug.trace import Event, Trace
from minitape.errors import DrawError

_CAPTION_WIDTH = 96
_MOST_FINDINGS = 3


def picture(
    trace: Trace, report: Report | None = None, *, call: int | None = None, cards: int = 60
) -> Picture:
    """The tape behind one call of `gradient`, as cards and edges.

    Args:
        trace: What the program did.
        report: What the explainer says about it: with it, breaks are drawn.
        call: The `call` id of a `gradient` event. None takes the first call with a problem, else the last;
            a trace without any is drawn whole.
        cards: The most cards to draw; what goes beyond is rolled up, and the caption says so.

    Returns:
        Plain data for `dot`, `render` and `text`.

    Raises:
        DrawError: the trace has no such call.
    """
    event, said = _choose(trace, report, call)
    facts = Facts(trace, event)
    sketch = Sketch(facts, relate(facts, hops_of(said)))
    if said is not None:
        add_breaks(sketch, said, trace)
    _mark_first_bad(sketch)
    drawing = roll_up(Drawing(_in_order(sketch), sketch.edges), max(1, cards))
    caption = _caption(sketch, said, drawing.hidden)
    return Picture(
        name=facts.script or "tape",
        caption=tuple(caption),
        nodes=tuple(drawing.nodes.values()),
        edges=tuple(drawing.edges),
        hidden=drawing.hidden,
    )


def _choose(
    trace: Trace, report: Report | None, call: int | None
) -> tuple[Event | None, CallReport | None]:
    calls = {event["call"]: event for event in trace.of("gradient")}
    said = {one.event: one for one in report.calls} if report is not None else {}
    if call is not None:
        if call not in calls:
            raise DrawError(
                f"This trace has no gradient call {call}; it has {words.count(len(calls), 'call')}.",
                code="MT902",
                fix=f"a number from 1 to {len(calls)}" if calls else "a script that calls tape.gradient",
            )
        event = calls[call]
    else:
        problems = [e for e in calls.values() if e["i"] in said and said[e["i"]].has_problem]
        chosen = problems[:1] or list(calls.values())[-1:]
        if not chosen:
            return None, None
        event = chosen[0]
    return event, said.get(event["i"])


def _in_order(sketch: Sketch) -> dict[str, Node]:
    """The nodes in the order of the run; a pill stands just before what uses it."""
    users = {edge.tail: edge.head for edge in reversed(sketch.edges)}

    def time(node: Node) -> float:
        if isinstance(node, Card):
            return -1.0 if node.event is None else float(node.event)
        user = sketch.nodes.get(users.get(node.id, ""))
        return time(user) - 0.5 if isinstance(user, Card) else 0.0

    return {node.id: node for node in sorted(sketch.nodes.values(), key=time)}


# --- the first nan or inf ---


def _mark_first_bad(sketch: Sketch) -> None:
    cards = [node for node in sketch.nodes.values() if isinstance(node, Card)]
    if any(card.role is Role.PROBLEM for card in cards):
        return  # the report knows better
    made = [card for card in cards if card.event is not None and not card.id.startswith("target")]
    for card in sorted(made, key=lambda one: one.event or 0):
        for value in card.values:
            word = words.trouble(sketch.facts.tensors.get(value))
            if word and card.role is not Role.BREAK:
                sketch.mark(card.id, f"FIRST {word}")
                return
    for step in sketch.facts.back:
        arrived = [step.get("grad_in"), *(out.get("T") for out in step.get("out", []))]
        word = next((word for tensor in arrived if (word := words.trouble(tensor))), "")
        if word and f"op-{step['op']}" in sketch.nodes:
            sketch.mark(f"op-{step['op']}", f"FIRST {word} in grad")
            return


# --- the answer ---


def _caption(sketch: Sketch, said: CallReport | None, hidden: tuple[str, ...]) -> list[Line]:
    facts = sketch.facts
    if facts.call is None:
        ops = words.count(len(facts.ops), "op")
        return [
            Line(f"{facts.script or 'this run'}:  no gradient was asked for"),
            Line(f"{ops} ran" + _joined(hidden), Tone.MUTED),
        ]
    is_problem = said is not None and said.has_problem
    lines = [_title(sketch, said)]
    lines += _findings(said) if said is not None else []
    if said is None or not is_problem:
        lines += _first_bad(sketch)
        recorded = sum(facts.is_recorded(op) for op in facts.ops.values() if op["i"] >= facts.opened)
        variables = sum(value in facts.watched for value in facts.variables)
        about = f"{words.count(recorded, 'op')} recorded · {words.count(variables, 'variable')} watched"
        lines.append(Line(about + _joined(hidden), Tone.MUTED))
    elif hidden:
        lines.append(Line(" · ".join(hidden), Tone.MUTED))
    return [
        Line(part, line.tone)
        for line in lines
        for part in textwrap.wrap(line.text, _CAPTION_WIDTH, drop_whitespace=False) or [""]
    ]


def _joined(hidden: tuple[str, ...]) -> str:
    return "".join(f" · {sentence}" for sentence in hidden)


def _title(sketch: Sketch, said: CallReport | None) -> Line:
    facts = sketch.facts
    assert facts.call is not None
    text = words.short(str(facts.call.get("text") or facts.call.get("api") or "gradient"), 80)
    names = [source.get("name") or "a source" for source in facts.call["sources"]]
    nothing = [
        name
        for position, name in enumerate(names)
        if position in facts.results and facts.results[position].get("T") is None
    ]
    if facts.has_error or not facts.results:
        return Line(f"{text}  →  {'an error' if facts.has_error else 'no answer'}", Tone.PROBLEM)
    if nothing and len(nothing) == len(names):
        return Line(f"{text}  →  None{' for all of them' if len(names) > 1 else ''}", Tone.PROBLEM)
    if nothing:
        of = f"{len(names) - len(nothing)} of {len(names)} connected"
        listed = ", ".join(nothing[:3]) + (" …" if len(nothing) > 3 else "")
        return Line(f"{text}  →  {of}, None for {listed}", Tone.PROBLEM)
    outcomes = {source.outcome for source in said.sources if source.findings} if said else set()
    for outcome, word in ((Outcome.NAN, "nan"), (Outcome.ZERO, "0.0"), (Outcome.PARTIAL, "a part is lost")):
        if outcome in outcomes:
            return Line(f"{text}  →  {word}", Tone.PROBLEM)
    bad = next((w for r in facts.results.values() if (w := words.trouble(r.get("T")))), "")
    if bad:
        return Line(f"{text}  →  {bad}", Tone.PROBLEM)
    if len(names) == 1:
        return Line(f"{text}  →  {words.gradient_row(facts.results[0]['T']).text}")
    return Line(f"{text}  →  {len(names)} of {len(names)} connected")


def _findings(said: CallReport) -> list[Line]:
    """The first findings in full; the same cause of several sources is told once."""
    told: dict[tuple[str, str, int], tuple[str, str]] = {}
    for source in said.sources:
        for finding in source.findings:
            key = (finding.slug, finding.place.file, finding.place.line)
            if key not in told:
                where = f"line {finding.place.line}"
                is_said = where in finding.message.lower()
                prefix = "" if is_said else f"L{where[1:]}:  "
                told[key] = (prefix + finding.message, finding.fix)
    lines = []
    for message, fix in list(told.values())[:_MOST_FINDINGS]:
        lines.append(Line(_plain(message), Tone.PROBLEM))
        if fix:
            lines.append(Line(f"try:  {_plain(fix)}", Tone.MUTED))
    if len(told) > _MOST_FINDINGS:
        rest = words.count(len(told) - _MOST_FINDINGS, "more cause")
        lines.append(Line(f"and {rest}: see minitape explain", Tone.MUTED))
    return lines


def _first_bad(sketch: Sketch) -> list[Line]:
    for node in sketch.nodes.values():
        if isinstance(node, Card) and node.role is Role.PROBLEM:
            word = node.tag.rsplit("FIRST ", 1)[-1]
            told = f"The first {word}: {node.place}"
            return [Line(told + (f",  {node.code}" if node.code else ""), Tone.PROBLEM)]
    return []


def _plain(text: str) -> str:
    return words.short(text, 300)

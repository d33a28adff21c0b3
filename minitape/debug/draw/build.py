"""The picture of one gradient call: choose the call, sketch it, put in the breaks, take out what is too much."""

from minitape.debug.draw import words
from minitape.debug.draw.breaks import add_breaks, pointed_values
from minitape.debug.draw.caption import caption_of
from minitape.debug.draw.cards import Sketch
from minitape.debug.draw.facts import Facts
from minitape.debug.draw.model import Card, Node, Picture, Role
from minitape.debug.draw.rollup import Drawing, roll_up
from minitape.debug.report import CallReport, Report
from minitape.debug.trace import Event, Trace
from minitape.errors import DrawError


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
    facts = Facts(trace, event, pointed_values(said))
    sketch = Sketch(facts)
    if said is not None:
        add_breaks(sketch, said, trace)
    _mark_first_bad(sketch)
    drawing = roll_up(Drawing(_in_order(sketch), sketch.edges), facts, max(1, cards))
    return Picture(
        name=facts.script or "tape",
        caption=tuple(caption_of(sketch, said, drawing.hidden)),
        nodes=tuple(drawing.nodes.values()),
        edges=tuple(drawing.edges),
        loops=tuple(drawing.loops),
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
                code="MT903",
                fix=f"a number from 1 to {len(calls)}"
                if calls
                else "a script that calls tape.gradient",
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
    for step in sketch.facts.back.values():
        arrived = [step.get("grad_in"), *(out.get("T") for out in step.get("out", []))]
        word = next((word for tensor in arrived if (word := words.trouble(tensor))), "")
        if word and f"op-{step['op']}" in sketch.nodes:
            sketch.mark(f"op-{step['op']}", f"FIRST {word} in grad")
            return

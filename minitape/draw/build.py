"""Creates the picture of one gradient call: chooses the call, draws a sketch, adds the breaks, and collapses nodes if
necessary.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from minitape.draw import words
from minitape.draw.backward import Terms, sums, with_backward
from minitape.draw.breaks import add_breaks, pointed_values
from minitape.draw.caption import caption_of
from minitape.draw.cards import Sketch
from minitape.draw.facts import Facts
from minitape.draw.model import Card, Node, Picture, Role
from minitape.draw.rollup.fold import Drawing
from minitape.draw.rollup.iterations import iterations_of
from minitape.draw.rollup.loops import Loops
from minitape.draw.rollup.rollup import RenderOptions, roll_up
from minitape.errors import DrawError
from minitape.explain.report import CallReport, Report
from minitape.printable import printable
from minitape.trace import events
from minitape.trace.events import TraceStruct
from minitape.trace.trace import Trace
from minitape.trace.writing import seldom_searched

VIEWS = ("forward", "backward", "both")
VALUES = ("none", "short", "strip")
_MOST_CARDS = 60
_MOST_WITH_STRIPS = 150


@seldom_searched()
def picture(
    trace: Trace,
    report: Report | None = None,
    *,
    call: int | None = None,
    cards: int | None = None,
    view: str = "forward",
    values: str = "strip",
    path: bool = False,
    around: int | None = None,
    hops: int = 2,
    constants: bool = True,
    unroll: bool = False,
    open: Sequence[str] = (),
    close: Sequence[str] = (),
    log: bool = False,
    terms: Terms | None = None,
) -> Picture:
    """Return the tape of one call of `gradient`, as nodes and edges.

    Args:
        trace: The run.
        report: The findings about the run; without a report, no breaks are drawn.
        call: The `call` id of a `gradient` event. None selects the first call with a problem, or the last call if there is
            none. A trace without gradient calls is drawn completely.
        cards: The maximum number of nodes. If there are more, nodes are collapsed, and the caption reports this. None means at
            most 60 nodes that fit on a page, or any number with `unroll`.
        view: `forward` draws the forward pass, `backward` the contributions of each step of the backward pass, `both` the two
            together.
        values: `strip` draws numbers, and colored cells for tensors; `short` omits the cells; `none` omits the numbers too.
        path: Whether to omit everything that is not on the path of a gradient.
        around: The number of an op; only nodes at most `hops` edges away from it are drawn.
        hops: The maximum number of edges between that op and a drawn node.
        constants: Whether to draw constants.
        unroll: Whether to draw each iteration of a loop and each op of a function, regardless of the number of nodes.
        open: Functions and layers that are never collapsed.
        close: Functions and layers that are always collapsed, with one node for each call.
        log: Whether to show the gradients over the iterations of a loop on a logarithmic scale.
        terms: A function that returns the terms of a backward step's contribution to an input: `labels` of `minitape.terms`,
            which needs the engine. The terms label the edges of a backward pass with at most twenty contributions.

    Returns:
        The picture as plain data for `dot`, `render` and `text`.

    Raises:
        DrawError: the trace has no such call, op or function, or an option has an invalid value.
    """
    _check("view", view, VIEWS)
    _check("values", values, VALUES)
    event, said = choose(trace, report, call)
    notes = () if report is None or said is None else report.notes_on(said)
    facts = Facts(trace, event, pointed_values(said))
    sketch = Sketch(facts)
    if said is not None:
        add_breaks(sketch, said, trace)
    _mark_first_bad(sketch)
    drawing = _drawing(sketch)
    if view != "forward":
        drawing = with_backward(drawing, sketch, terms, is_alone=view == "backward")
    limit = cards if cards is not None or unroll else _MOST_CARDS
    options = RenderOptions(
        limit if limit is None else max(1, limit),
        cards is None and not unroll,
        path,
        around,
        max(0, hops),
        constants,
        unroll,
        tuple(open),
        tuple(close),
        log,
    )
    drawing = roll_up(drawing, Loops(facts, trace.once(iterations_of)), options)
    caption = caption_of(sketch, said, notes, drawing.hidden)
    if view != "forward":
        caption[1:1] = sums(sketch)
    return harmless(
        Picture(
            name=words.short(facts.script, 80) or "tape",
            caption=tuple(caption),
            nodes=tuple(_with_values(drawing.nodes, values)),
            edges=tuple(drawing.edges),
            loops=tuple(drawing.loops),
            hidden=drawing.hidden,
            home=drawing.home,
        )
    )


_P = TypeVar("_P", bound=TraceStruct)


def harmless(part: _P) -> _P:
    """Return a picture, or a part of it, without control characters, for the writers."""
    changed = {}
    for name in part.__struct_fields__:
        before = getattr(part, name)
        after = _without_controls(before)
        if after is not before:
            changed[name] = after
    return replace(part, **changed) if changed else part


def _without_controls(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, TraceStruct):
        return harmless(value)
    if isinstance(value, tuple):
        made = tuple(map(_without_controls, value))
        return value if all(a is b for a, b in zip(made, value)) else made
    return value


def _check(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise DrawError(
            f"{value!r} is not a valid {name} for a picture.", code="MT903", fix=words.one_of(known)
        )


def _with_values(nodes: Mapping[str, Node], values: str) -> Iterator[Node]:
    """Yield the nodes with as much of their values as `values` requests, as text; if there are hundreds of strips, keep only
    the first ones.
    """
    has_strips = values == "strip" and len(nodes) <= _MOST_WITH_STRIPS
    for node in nodes.values():
        if isinstance(node, Card):
            rows = [words.with_text(r) for r in node.rows if values != "none" or r.kind == "note"]
            bare = rows if has_strips else [replace(row, strip=None) for row in rows]
            yield replace(node, rows=tuple(bare))
        else:
            yield node


def choose(
    trace: Trace, report: Report | None, call: int | None
) -> tuple[events.GradientEvent | None, CallReport | None]:
    calls = {event.call: event for event in trace.of(events.GradientEvent)}
    said = {one.event: one for one in report.calls} if report is not None else {}
    if call is not None:
        if call not in calls:
            raise DrawError(
                f"This trace has only {words.count(len(calls), 'gradient call')}, not {call}.",
                code="MT903",
                fix=f"use a number from 1 to {len(calls)}"
                if calls
                else "use a script that calls `tape.gradient`",
            )
        event = calls[call]
    else:
        problems = [e for e in calls.values() if e.i in said and said[e.i].has_problem]
        chosen = problems[:1] or list(calls.values())[-1:]
        if not chosen:
            return None, None
        event = chosen[0]
    return event, said.get(event.i)


def _drawing(sketch: Sketch) -> Drawing:
    nodes = _in_order(sketch)
    return Drawing(nodes, sketch.edges, home={id_: id_ for id_ in nodes})


def _in_order(sketch: Sketch) -> dict[str, Node]:
    """Return the nodes in the order of the run; a pill comes directly before the node that uses it."""
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
        return  # the report has the exact location
    made = [card for card in cards if card.event is not None and not card.id.startswith("target")]
    for card in sorted(made, key=lambda one: one.event or 0):
        for value in card.values:
            word = words.trouble(sketch.facts.tensors.get(value))
            if word and card.role is not Role.BREAK:
                sketch.mark(card.id, f"FIRST {word}")
                return
    for step in sketch.facts.back.values():
        passed = [step.arrived, *(contribution.numbers for contribution in step.sent)]
        word = next(filter(None, map(words.trouble, passed)), "")
        if word and f"op-{step.op}" in sketch.nodes:
            sketch.mark(f"op-{step.op}", f"FIRST {word} in grad")
            return

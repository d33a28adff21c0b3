"""The pictures of a page: one for each kind of gradient call, shared by equal calls."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from minitape import draw
from minitape.draw import Card, Picture
from minitape.explain.report import Report
from minitape.timeline import Timeline, TimelineCall, TimelineStep
from minitape.trace.trace import Trace

MOST = 12
_COLOR = re.compile(r"#[0-9a-fA-F]{6}\b")
_ID = re.compile(r'(?<=\bid=")([^"]*)(?=")')


@dataclass(frozen=True)
class One:
    """A picture that represents one or more calls, with a map from the nodes of each call to the nodes of the picture."""

    picture: Picture
    html: str
    calls: tuple[int, ...]
    renamed: dict[int, dict[str, str]]  # by call: its node → the node of the call that was drawn

    def node(self, call: int, node: str) -> str | None:
        """Return the node of the picture that shows a node of one of its calls."""
        own = self.renamed.get(call, {}).get(node, node)
        return self.picture.home.get(own)


@dataclass(frozen=True)
class Drawn:
    """All pictures, and their colors as pairs of a light and a dark one. `undrawn` are the calls beyond the limit."""

    all: tuple[One, ...]
    colors: tuple[tuple[str, str], ...]
    undrawn: tuple[int, ...] = ()
    notes: tuple[str, ...] = field(default=())


def drawn_for(
    trace: Trace, report: Report, timeline: Timeline, cards: int | None, engine: str | None = None
) -> Drawn:
    """Draw each kind of call once; if there are too many kinds, draw those with a problem first. A run without calls is drawn as
    a whole.
    """
    groups = _alike(timeline)
    colors: dict[tuple[str, str], int] = {}
    chosen = sorted(groups, key=lambda group: not group[0].has_problem)[:MOST]
    numbers = {call.number for group in chosen for call in group}
    pictures: list[One] = []
    notes: list[str] = []
    for group in [group for group in groups if group in chosen] or [[]]:
        first = group[0].number if group else None
        picture = draw.picture(trace, report, call=first, cards=cards)
        svg, note = _svg(replace(picture, caption=()), engine, colors)
        if note:
            notes.append(note)
        position = len(pictures)
        pictures.append(
            One(
                picture,
                _figure(position, svg, picture),
                tuple(call.number for call in group),
                {call.number: _renamed(timeline, group[0], call) for call in group[1:]},
            )
        )
    undrawn = tuple(call.number for call in timeline.calls if call.number not in numbers)
    return Drawn(tuple(pictures), tuple(colors), undrawn, tuple(dict.fromkeys(notes)))


# --- calls that are alike ---


def _alike(timeline: Timeline) -> list[list[TimelineCall]]:
    """Return groups of calls with the same steps at the same places, such as the iterations of a training loop."""
    groups: dict[object, list[TimelineCall]] = {}
    for call in timeline.calls:
        steps = _steps(timeline, call)
        likeness = tuple((step.kind, step.what, step.place, len(step.shown)) for step in steps)
        answers = tuple((a.code, a.value == "None") for a in call.answers)
        groups.setdefault((likeness, answers), []).append(call)
    return list(groups.values())


def _steps(timeline: Timeline, call: TimelineCall) -> list[TimelineStep]:
    """Return the steps of a call: from the opening of its tape on, if that is among its own steps."""
    steps = [s for s in timeline.steps[call.first : call.last + 1] if s.call == call.number]
    opened = next((i for i, step in enumerate(steps) if step.kind == "tape_enter"), 0)
    return steps[opened:]


def _renamed(timeline: Timeline, drawn: TimelineCall, call: TimelineCall) -> dict[str, str]:
    """Return a map from the nodes of a call to those of the equal call that was drawn."""
    pairs = zip(_nodes(timeline, call), _nodes(timeline, drawn), strict=True)
    return {own: its for own, its in pairs if own != its}


def _nodes(timeline: Timeline, call: TimelineCall) -> Iterator[str]:
    return (shown.node for step in _steps(timeline, call) for shown in step.shown)


# --- SVG ---


def _svg(
    picture: Picture, engine: str | None, colors: dict[tuple[str, str], int]
) -> tuple[str, str | None]:
    """Return the picture with CSS variables in place of colors, so that one drawing can be used for the two themes."""
    light, dark = (
        draw.render(picture, "svg", engine=engine, theme=theme, legend=False, two_heads=True)
        for theme in ("light", "dark")
    )
    text = light.data.decode()
    text = text[text.index("<svg") :]
    others = iter(_COLOR.findall(dark.data.decode().partition("<svg")[2]))

    def named(match: re.Match[str]) -> str:
        pair = (match.group(), next(others, match.group()))
        return f"var(--p{colors.setdefault(pair, len(colors))})"

    return _COLOR.sub(named, text), light.note


def _figure(position: int, svg: str, picture: Picture) -> str:
    prefixed = _ID.sub(rf"p{position}-\1", svg)
    caption = "".join(f"<p>{html.escape(line.text)}</p>" for line in picture.caption)
    hidden = "" if position == 0 else " hidden"
    return (
        f'<figure class="picture" data-picture="{position}"{hidden}>\n'
        f"<div class=canvas aria-hidden=true>{prefixed}</div>\n"
        f"<figcaption class=sr-only>{caption}{_twin(picture)}</figcaption>\n</figure>"
    )


def _twin(picture: Picture) -> str:
    """Return the picture as text: each node with its rows, and the nodes to which it leads."""
    names = {node.id: node.title for node in picture.nodes}
    heads: dict[str, list[str]] = {}
    for edge in picture.edges:
        heads.setdefault(edge.tail, []).append(names.get(edge.head, edge.head))
    items = []
    for node in picture.nodes:
        said = [node.title]
        if isinstance(node, Card):
            said += [
                node.tag,
                node.code,
                *(f"{row.label} {row.text}" for row in node.rows),
                node.place,
            ]
        said += [f"leads to {', '.join(heads[node.id])}"] if node.id in heads else []
        items.append(f"<li>{html.escape(', '.join(part for part in said if part))}</li>")
    return f"<ul>{''.join(items)}</ul>"

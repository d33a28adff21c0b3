"""The pictures of a page: one for each kind of gradient call, shared by equal calls."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from minitape import draw
from minitape.draw import Card, Picture
from minitape.draw.model import Role
from minitape.draw.write.palette import DARK, LIGHT
from minitape.explain.report import Report
from minitape.timeline import Timeline, TimelineCall, TimelineStep
from minitape.trace.trace import Trace

MOST = 12
_COLOR = re.compile(r"#[0-9a-fA-F]{6}\b")
# Colors of the page that replace those of the pictures: elements of the forward pass have the color of the forward pass.
_OF_PAGE = {
    (LIGHT.roles[Role.PATH].line, DARK.roles[Role.PATH].line): "var(--forward)",
    (LIGHT.roles[Role.PATH].fill, DARK.roles[Role.PATH].fill): "var(--forward-paper)",
    (LIGHT.gradient, DARK.gradient): "var(--backward)",
}
_ID = re.compile(r'(?<=\bid=")([^"]*)(?=")')


@dataclass(frozen=True)
class One:
    """A picture that represents one or more calls, with a map from the nodes of each call to the nodes of the picture."""

    picture: Picture
    html: str
    calls: tuple[int, ...]
    renamed: dict[int, dict[str, str]]  # by call: its node → the drawn node

    def node(self, call: int, node: str) -> str | None:
        """Return the node of the picture that shows a node of one of its calls."""
        own = self.renamed.get(call, {}).get(node, node)
        return self.picture.home.get(own)


@dataclass(frozen=True)
class Drawn:
    """All pictures, and their colors as pairs of a light and a dark color. `undrawn` are the calls beyond the limit."""

    all: tuple[One, ...]
    colors: tuple[tuple[str, str], ...]
    undrawn: tuple[int, ...] = ()
    notes: tuple[str, ...] = field(default=())


def drawn_for(
    trace: Trace, report: Report, timeline: Timeline, cards: int | None, engine: str | None = None
) -> Drawn:
    """Draw each kind of call once; if there are too many kinds, draw those with a problem first. A run without calls is drawn
    completely.
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


# --- equal calls ---


def _alike(timeline: Timeline) -> list[list[TimelineCall]]:
    """Return groups of calls with the same steps at the same locations, such as the iterations of a training loop."""
    groups: dict[object, list[TimelineCall]] = {}
    for call in timeline.calls:
        steps = _steps(timeline, call)
        likeness = tuple((step.kind, step.what, step.location, len(step.shown)) for step in steps)
        answers = tuple((a.code, a.value == "None") for a in call.answers)
        groups.setdefault((likeness, answers), []).append(call)
    return list(groups.values())


def _steps(timeline: Timeline, call: TimelineCall) -> list[TimelineStep]:
    """Return the steps of a call, starting with the opening of its tape if that is one of its own steps."""
    steps = [s for s in timeline.steps[call.first : call.last + 1] if s.call == call.number]
    opened = next((i for i, step in enumerate(steps) if step.kind == "tape_enter"), 0)
    return steps[opened:]


def _renamed(timeline: Timeline, drawn: TimelineCall, call: TimelineCall) -> dict[str, str]:
    """Return a map from the nodes of a call to the nodes of the equal call that was drawn."""
    pairs = zip(_nodes(timeline, call), _nodes(timeline, drawn), strict=True)
    return {own: its for own, its in pairs if own != its}


def _nodes(timeline: Timeline, call: TimelineCall) -> Iterator[str]:
    return (shown.node for step in _steps(timeline, call) for shown in step.shown)


# --- SVG ---


def _svg(
    picture: Picture, engine: str | None, colors: dict[tuple[str, str], int]
) -> tuple[str, str | None]:
    """Return the picture with CSS variables in place of colors, so that one drawing can be used for both themes."""
    light, dark = (
        draw.render(picture, "svg", engine=engine, theme=theme, legend=False, two_heads=True)
        for theme in ("light", "dark")
    )
    text = light.data.decode()
    text = text[text.index("<svg") :]
    return named_colors(text, dark.data.decode().partition("<svg")[2], colors, "p"), light.note


def named_colors(light: str, dark: str, colors: dict[tuple[str, str], int], prefix: str) -> str:
    """Return a drawing with CSS variables in place of colors; `colors` collects the pairs of light and dark colors."""
    others = iter(_COLOR.findall(dark))

    def named(match: re.Match[str]) -> str:
        pair = (match.group(), next(others, match.group()))
        if pair in _OF_PAGE:
            return _OF_PAGE[pair]
        return f"var(--{prefix}{colors.setdefault(pair, len(colors))})"

    return _COLOR.sub(named, light)


def _figure(position: int, svg: str, picture: Picture) -> str:
    prefixed = _ID.sub(rf"p{position}-\1", svg)
    caption = "".join(f"<p>{html.escape(line.text)}</p>" for line in picture.caption)
    hidden = "" if position == 0 else " hidden"
    return (
        f'<figure class="picture" data-picture="{position}"{hidden}>\n'
        f"<div class=canvas aria-hidden=true>{prefixed}</div>\n"
        f"<figcaption class=sr-only>{caption}{_twin(picture)}</figcaption>\n</figure>"
    )


_COLUMNS = ("node", "kind", "code", "values and gradients", "place", "leads to")


def _twin(picture: Picture) -> str:
    """Return the picture as a table: each node with its rows, and the nodes to which it leads."""
    names = {node.id: node.title for node in picture.nodes}
    heads: dict[str, list[str]] = {}
    for edge in picture.edges:
        heads.setdefault(edge.tail, []).append(names.get(edge.head, edge.head))
    rows = []
    for node in picture.nodes:
        said = ["", "", "", ""]
        if isinstance(node, Card):
            values = "; ".join(f"{row.label} {row.text}".strip() for row in node.rows)
            said = [node.tag, node.code, values, node.location]
        cells = [*said, ", ".join(heads.get(node.id, []))]
        rows.append(
            f"<tr><th scope=row>{html.escape(node.title)}"
            + "".join(f"<td>{html.escape(cell)}" for cell in cells)
        )
    columns = "".join(f"<th scope=col>{name}" for name in _COLUMNS)
    return f"<table><thead><tr>{columns}<tbody>{''.join(rows)}</table>"

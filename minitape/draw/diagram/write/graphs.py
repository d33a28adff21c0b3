"""A block diagram as Mermaid and DOT text, for users who draw it with other programs."""

import json
from collections.abc import Iterator, Mapping

from minitape.draw.diagram.model import Diagram, Flow, Link, Station, StationKind
from minitape.draw.write.mermaid import comment, escaped

_NO_GRADIENT = (Flow.NOT_NEEDED, Flow.NEVER, Flow.CUT, Flow.STOPPED)


def mermaid(diagram: Diagram) -> str:
    """Return the diagram as the text of a Mermaid flowchart.

    Source: https://mermaid.js.org/syntax/flowchart.html
    """
    names = _names(diagram)
    lines = ["flowchart LR", f"  %% {comment(diagram.headline + diagram.culprit)}"]
    for station in diagram.stations:
        words = "<br/>".join(escaped(part) for part in _words(station))
        lines.append(f'  {names[station.id]}["{words}"]')
    for link in diagram.links:
        arrow = "-.->" if link.flow in _NO_GRADIENT else "==>"
        label = f'|"{escaped(_label(link))}"|' if _label(link) else ""
        lines.append(f"  {names[link.tail]} {arrow}{label} {names[link.head]}")
    return "\n".join(lines) + "\n"


def dot(diagram: Diagram) -> str:
    """Return the diagram as DOT text, from left to right.

    Source: https://graphviz.org/doc/info/lang.html
    """
    names = _names(diagram)
    lines = [
        "digraph model {",
        f"  graph [rankdir=LR, label={_quoted(diagram.headline + diagram.culprit)}, labelloc=t]",
        "  node [shape=box, style=rounded]",
    ]
    for station in diagram.stations:
        words = _quoted("\n".join(_words(station)))
        shape = "circle" if station.kind is StationKind.JOIN else "box"
        lines.append(f"  {names[station.id]} [label={words}, shape={shape}]")
    for link in diagram.links:
        style = "dashed" if link.flow in _NO_GRADIENT else "bold"
        label = _quoted(_label(link))
        lines.append(f"  {names[link.tail]} -> {names[link.head]} [label={label}, style={style}]")
    return "\n".join([*lines, "}"]) + "\n"


def _names(diagram: Diagram) -> Mapping[str, str]:
    return {station.id: f"n{i}" for i, station in enumerate(diagram.stations, start=1)}


def _words(station: Station) -> Iterator[str]:
    times = f" × {station.times}" if station.times > 1 else ""
    yield station.title + times
    yield from filter(None, (station.shape, station.number, *station.notes, station.mark))
    for each in station.parameters:
        yield f"{each.name} {each.shape}: {each.text}"


def _label(link: Link) -> str:
    return "" if link.flow is Flow.NOT_NEEDED else link.text


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)

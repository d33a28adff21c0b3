"""A block diagram as lines of plain text: the cards in the order of the run, with bars for the norms of gradients."""

import math
from collections import defaultdict
from collections.abc import Iterator

from minitape.draw.diagram import wording
from minitape.draw.diagram.model import Diagram, Flow, Link, Parameter, Station
from minitape.draw.write.text import fitted

_BAR = 12
_DECADES = 4
_FLOWS = {
    Flow.NEVER: wording.NONE,
    Flow.CUT: f"{wording.NONE} ✂",
    Flow.NOT_NEEDED: wording.NOT_NEEDED,
    Flow.STOPPED: wording.STOPPED,
}


def text(diagram: Diagram, *, ascii: bool = False, width: int = 100) -> str:
    """Return the diagram as text for a terminal.

    Args:
        diagram: The diagram.
        ascii: Use only ASCII characters.
        width: The maximum number of columns; longer lines end in an ellipsis.
    """
    lines = [f"{diagram.headline}{diagram.culprit}", diagram.about, ""]
    lines += _Rows(diagram).lines()
    return fitted(lines, ascii=ascii, width=width)


class _Rows:
    """A line for each card, with its inputs, the gradients that came back to them, and its parameters."""

    def __init__(self, diagram: Diagram) -> None:
        self._stations = diagram.stations
        self._titles = {station.id: station.title for station in diagram.stations}
        self._into: dict[str, list[Link]] = defaultdict(list)
        for link in diagram.links:
            self._into[link.head].append(link)
        norms = [norm for _, norm in diagram.arrived]
        norms += [link.norm for link in diagram.links if link.norm]
        self._high = math.log10(max(norms)) if norms else 0.0
        self._index = {station.id: i for i, station in enumerate(diagram.stations)}

    def lines(self) -> Iterator[str]:
        for i, station in enumerate(self._stations):
            if i:
                yield from self._links(i, station)
            yield self._card(station)
            for branch in station.branches:
                yield f"    {branch.title:<24}  {branch.text}"
            yield from map(self._parameter, station.parameters)
            if station.mark:
                yield f"    ✗ {station.mark}"

    def _card(self, station: Station) -> str:
        times = f" × {station.times}" if station.times > 1 else ""
        words = [f"{station.title}{times}", station.shape, station.number, *station.notes]
        code = f"`{station.code}`" if station.code else ""
        return "  ".join(filter(None, (*words, code)))

    def _links(self, index: int, station: Station) -> Iterator[str]:
        for link in self._into[station.id]:
            is_next = self._index[link.tail] == index - 1
            source = "" if is_next else f"from {self._titles[link.tail]}"
            if link.tail == link.head:
                source = f"from {wording.LAST_STEP}"
            yield f"  │ {source:<24.24}  {self._came(link.flow, link.text, link.norm)}"

    def _parameter(self, parameter: Parameter) -> str:
        name = f"{parameter.name}  {parameter.shape}"
        came = (
            parameter.text
            if parameter.flow is Flow.NOT_NEEDED
            else self._came(parameter.flow, parameter.text, parameter.norm)
        )
        return f"    {name:<24}  {came}"

    def _came(self, flow: Flow, words: str, norm: float | None) -> str:
        if flow in _FLOWS:
            return _FLOWS[flow] if words in ("", wording.NEVER, wording.NOT_NEEDED) else words
        return f"{words:<9} {self._bar(norm)}" if norm else words

    def _bar(self, norm: float) -> str:
        fraction = 1 - (self._high - math.log10(norm)) / _DECADES
        return "█" * max(1, round(_BAR * min(1.0, fraction)))

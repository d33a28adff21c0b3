"""The picture of a story in other iterations of the same gradient call: the changes in it, as data for the page's script."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from minitape.draw.diagram import Diagram, Link, diagram
from minitape.draw.diagram.model import Flow
from minitape.draw.diagram.write.brush import scale_of
from minitape.explain.report import Report
from minitape.html.story import texts
from minitape.timeline import Timeline, TimelineCall
from minitape.trace.trace import Trace

_MOST = 25  # the maximum number of iterations; each needs its own picture, which takes time
_BANDS = (Flow.GRADIENT, Flow.ZERO)


@dataclass(frozen=True)
class Moment:
    """An iteration, from 1, and its picture."""

    number: int
    picture: Diagram


def moments_of(
    trace: Trace, report: Report, timeline: Timeline, number: int, made: Diagram
) -> dict[str, Any] | None:
    """Return the widths of the bands and the numbers on the cards in some iterations; None if only one iteration has this
    picture.

    Args:
        trace: The run.
        report: The findings about the run.
        timeline: The run as steps.
        number: The gradient call of the picture.
        made: The picture of the story.
    """
    drawn = next(each for each in timeline.calls if each.number == number)
    alike = [c for c in timeline.calls if (c.location, c.text) == (drawn.location, drawn.text)]
    if len(alike) < 2:
        return None
    found = [*_moments(trace, report, _chosen(alike, drawn), drawn, made)]
    if len(found) < 2:
        return None
    scale = scale_of([norm for each in found for norm in replace(each.picture, steps=None).norms])
    return {
        "drawn": next(k for k, each in enumerate(found) if each.picture is made),
        "words": texts.ITERATION(count=f"{len(alike):,}", number="{number}"),
        "images": texts.IMAGES(number="{number}"),
        "scale": scale.widths,
        "moments": [
            [
                each.number,
                [[round(scale.width(link.norm), 1), link.text] for link in each.picture.links],
                [
                    [card.id, new.number, [parameter.text for parameter in new.parameters]]
                    for card, new in zip(made.stations, each.picture.stations, strict=True)
                    if new.number or new.parameters
                ],
            ]
            for each in found
        ],
    }


def _chosen(alike: Sequence[TimelineCall], drawn: TimelineCall) -> list[TimelineCall]:
    """Return the first, the last and the drawn iteration, and others at equal distances."""
    last = len(alike) - 1
    many = min(_MOST, len(alike))
    places = {k * last // (many - 1) for k in range(many)} | {alike.index(drawn)}
    return [alike[k] for k in sorted(places)]


def _moments(
    trace: Trace,
    report: Report,
    calls: Sequence[TimelineCall],
    drawn: TimelineCall,
    made: Diagram,
) -> Iterator[Moment]:
    """Yield the iterations whose picture has the same cards and links, where the same links return a gradient."""
    for call in calls:
        picture = made if call is drawn else diagram(trace, report, call=call.number)
        if picture is made or _shape_of(picture) == _shape_of(made):
            yield Moment(call.visit, picture)


def _shape_of(picture: Diagram) -> tuple[Any, ...]:
    places = {each.id: place for place, each in enumerate(picture.stations)}
    return (
        [
            (each.kind, each.title, len(each.parameters), bool(each.number))
            for each in picture.stations
        ],
        [(places[each.tail], places[each.head], _look(each)) for each in picture.links],
    )


def _look(link: Link) -> str:
    """Return how a link is drawn: a gradient of zeros is a narrow band."""
    return "band" if link.flow in _BANDS else link.flow.value

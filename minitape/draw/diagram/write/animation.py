"""The frames of an animated slide: values appear column by column, then gradients come back, then the whole slide is shown."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from minitape.draw.diagram.model import Diagram
from minitape.draw.diagram.write.layout import laid_out

_MOST = 12_000  # the length of the whole animation
_LAST = 3_000
_SLOWEST = 700


@dataclass(frozen=True)
class Moment:
    """A moment of the run.

    Attributes:
        values: The ids of the stations whose values are computed.
        gradients: The ids of the stations at which the backward pass has arrived.
    """

    values: frozenset[str]
    gradients: frozenset[str] = frozenset()


@dataclass(frozen=True)
class AnimationFrame:
    """A frame: the moment (None after the end of the run), and how long it is shown, in milliseconds."""

    moment: Moment | None
    milliseconds: int


def frames(diagram: Diagram) -> Iterator[AnimationFrame]:
    """Yield the frames: the forward pass from left to right, the backward pass from right to left, and the whole slide.

    Together they take 12 seconds at most.
    """
    columns = _columns(diagram)
    each = min(_SLOWEST, (_MOST - _LAST) // (2 * len(columns) or 1))
    seen: frozenset[str] = frozenset()
    for column in columns:
        seen |= column
        yield AnimationFrame(Moment(seen), each)
    arrived: frozenset[str] = frozenset()
    for column in reversed(columns):
        arrived |= column
        yield AnimationFrame(Moment(seen, arrived), each)
    yield AnimationFrame(None, _LAST)


def _columns(diagram: Diagram) -> list[frozenset[str]]:
    """Return the stations of each column of the slide, from left to right."""
    columns: dict[int, set[str]] = defaultdict(set)
    for id_, box in laid_out(diagram).boxes.items():
        columns[round(box.center)].add(id_)
    return [frozenset(columns[center]) for center in sorted(columns)]

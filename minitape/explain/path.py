"""The lost path in the form shown to the user: `w → MatMul:11 ✂ np.square:12 → loss`.

stops     a finding's hops → the stops to show, without long intact stretches
PathStop  one of them: what happened there, and on which line
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from minitape.explain.causes import CAUSES
from minitape.explain.report import Hop
from minitape.trace import events
from minitape.trace.trace import Trace

_LONGEST = 9


@dataclass(frozen=True, slots=True)
class PathStop:
    """A word on the path from a source to the target, with the number of its trace event.

    `is_cut` is true if the connection to this stop is lost. The word is empty if it represents intact stops that were left out.
    """

    word: str
    event: int = -1
    is_cut: bool = False


def stops(path: Sequence[Hop], trace: Trace) -> tuple[PathStop, ...]:
    """Return the path from the source (excluded) to the target in the form shown to the user. Successive ops on one line are one
    stop.
    """
    reported: list[PathStop] = []
    for hop in _shortened(_cut_once([hop for hop in path if not _is_plain_read(hop, trace)])):
        if hop is None:
            reported.append(PathStop(""))
            continue
        word = _word(trace.events[hop.event])
        if hop.lost is not None or not reported or word != _last_word(reported):
            reported.append(PathStop(word, hop.event, hop.lost is not None))
    return tuple(reported)


def _last_word(reported: Sequence[PathStop]) -> str:
    return next((stop.word for stop in reversed(reported) if stop.word), "")


def _cut_once(path: Sequence[Hop]) -> list[Hop]:
    """Return the path with one cut for each mistake, without the cuts of later steps by the same mistake."""
    pairs = zip(path, (None, *path), strict=False)
    return [
        replace(hop, lost=None)
        if before is not None and hop.lost == before.lost and hop.lost and CAUSES[hop.lost].goes_on
        else hop
        for hop, before in pairs
    ]


def _is_plain_read(hop: Hop, trace: Trace) -> bool:
    """Whether the step only reads a variable, which the engine does implicitly."""
    return hop.lost is None and isinstance(trace.events[hop.event], events.ReadEvent)


def _shortened(path: Sequence[Hop]) -> Iterator[Hop | None]:
    """Yield the path with its long healthy stretches left out (None)."""
    if len(path) <= _LONGEST:
        yield from path
        return
    near = {i for i, hop in enumerate(path) if hop.lost is not None}
    kept = {0, 1, len(path) - 1} | {i + d for i in near for d in (-1, 0, 1)}
    gap = False
    for i, hop in enumerate(path):
        if i in kept:
            yield hop
            gap = False
        elif not gap:
            yield None
            gap = True


def _word(event: events.Event) -> str:
    """Return the name of the function that computed a value, as one word, and its line."""
    word = event.kind
    match event:
        case events.OpEvent():
            word = event.name
        case events.ExportEvent():
            word = event.via
        case events.ReentryEvent():
            word = "constant"
        case events.VariableEvent():
            word = "Variable"
        case events.ConstantEvent() | events.AssignEvent() | events.WatchEvent():
            word = event.how
    at = event.at if isinstance(event, events.Placed) else None
    return word if at is None else f"{word}:{at.line}"

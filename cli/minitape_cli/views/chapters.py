"""The run in chapters: what ran up to a gradient call, then its walk back. Loops are rolled up.

chapters    a story, cut after each gradient call
Chapter     what ran up to a call (forward) and its walk back
"""

from dataclasses import dataclass, field, replace

from minitape.story import Call, Phase, Step, Story
from minitape_cli.views.rows import Row, row

_ROLL_FROM = 5  # a line that runs fewer times is shown each time


@dataclass
class Chapter:
    """What ran up to a gradient call, and the call with its walk back; the last has no call."""

    forward: list[Row] = field(default_factory=list)
    call: Call | None = None
    backward: list[Row] = field(default_factory=list)
    results: int = 0
    error: Step | None = None

    @property
    def is_done(self) -> bool:
        """Whether the call has given all its answers."""
        if self.call is None:
            return False
        return self.error is not None or self.results == len(self.call.answers)

    @property
    def signature(self) -> tuple[object, ...]:
        """Equal for the rounds of a training loop."""
        rows = tuple((row.key, row.times) for row in (*self.forward, *self.backward))
        if self.call is None:
            return rows
        came = tuple(answer.value == "None" for answer in self.call.answers)
        return (self.call.place, came, rows)


def chapters(story: Story, *, unroll: bool) -> list[Chapter]:
    """The run, cut after each gradient call; a last one without call for what came after.

    Ops of a walk that another tape records run between the steps of the walk. They are told
    after it, as what that other tape wrote down.
    """
    calls = {call.number: call for call in story.calls}
    told = [Chapter()]
    of_call: dict[int, Chapter] = {}
    during: list[Row] = []
    for step in story.steps:
        if step.phase is Phase.BACKWARD and step.kind != "gradient":
            _add_to_call(of_call[step.call], step)
            continue
        if step.kind == "gradient" or told[-1].is_done:
            if told[-1].call is not None:
                told.append(Chapter(during))
                during = []
            if step.kind == "gradient":
                told[-1].call = calls[step.call]
                of_call[step.call] = told[-1]
                continue
        (told[-1].forward if told[-1].call is None else during).append(row(step))
    if during:
        told.append(Chapter(during))
    return [_rolled(each, unroll) for each in told if each.forward or each.call is not None]


def _add_to_call(chapter: Chapter, step: Step) -> None:
    """A seed, a step back, a result or an error, to the call that it belongs to."""
    if step.kind == "result":
        chapter.results += 1
    elif step.kind == "error":
        chapter.error = step
    else:
        chapter.backward.append(row(step))


def _rolled(chapter: Chapter, unroll: bool) -> Chapter:
    if not unroll:
        chapter.forward = _roll(chapter.forward)
        chapter.backward = _roll(chapter.backward)
    return chapter


def _roll(rows: list[Row]) -> list[Row]:
    """The first of the rows that a loop wrote again and again, with their number."""
    counts: dict[tuple[object, ...], int] = {}
    for each in rows:
        counts[each.key] = counts.get(each.key, 0) + 1
    shown: set[tuple[object, ...]] = set()
    kept = []
    for each in rows:
        if counts[each.key] < _ROLL_FROM:
            kept.append(each)
        elif each.key not in shown:
            shown.add(each.key)
            kept.append(replace(each, times=counts[each.key]))
    return kept

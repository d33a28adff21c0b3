"""Two runs as one overview: what changed in the source, how the results differ, and their loops on one scale.

overview   the headline, the changed lines, and the loops of two runs, as data for the page's script
changed_lines   the lines of two sources that differ
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from minitape.draw.words import number
from minitape.explain.report import Report
from minitape.html.run.iterations import packed_logs
from minitape.source_text import lines_of
from minitape.timeline import Timeline
from minitape.timeline.norms import MANY, LoopNorms, norms_over_time
from minitape.trace.trace import Trace

_ROWS = 24  # the maximum number of sources on a map
_COLUMNS = 400  # the maximum number of iterations on a map; of more iterations, every second, third ... is shown
_NOTABLE = 2.0  # a smaller difference between gradients is not worth a headline
_TOKEN = re.compile(r"[\d.]+(?:e[+-]?\d+)?|\w+(?:\.\w+)*|\s+|.")

_SAME = "The sources are the same."
_ONE_LINE = "Line {line} differs: `{was}` in A, `{now}` in B."
_ADDED = "1 line differs, line {line}."
_SOME_LINES = "{count} lines differ, from line {line} on."
_GRADIENT = "In iteration {iteration}, the gradient that reaches `{name}` is {ratio} times as large in {side}."
_LOST = "In iteration {iteration}, `{name}` gets a gradient in {other}, but none in {side}."
_ENDS = "`{target}` ends at {first} in A and at {second} in B, after {count}."
_COUNT = "{first:,} iterations"
_COUNTS = "{first:,} and {second:,} iterations"


@dataclass(frozen=True)
class ChangedLines:
    """The lines that differ, counted from 1, and the differing words if it is a single line in each source."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    words: tuple[str, str] | None = None

    @property
    def sentence(self) -> str:
        """The change, as a sentence."""
        if not self.first and not self.second:
            return _SAME
        line = min(self.first + self.second)
        if self.words is not None:
            return _ONE_LINE.format(line=line, was=self.words[0], now=self.words[1])
        count = max(len(self.first), len(self.second))
        if count == 1:
            return _ADDED.format(line=line)
        return _SOME_LINES.format(count=count, line=line)


def changed_lines(first: str, second: str) -> ChangedLines:
    """Compare two sources line by line."""
    lines = [*lines_of(first)], [*lines_of(second)]
    left: list[int] = []
    right: list[int] = []
    for tag, a, b, c, d in SequenceMatcher(None, *lines, autojunk=False).get_opcodes():
        if tag != "equal":
            left += range(a + 1, b + 1)
            right += range(c + 1, d + 1)
    words = None
    if len(left) == len(right) == 1:
        words = _words(lines[0][left[0] - 1], lines[1][right[0] - 1])
    return ChangedLines(tuple(left), tuple(right), words)


def _words(was: str, now: str) -> tuple[str, str] | None:
    """Return the words that differ between two lines; None if words were only added or removed."""
    old, new = _TOKEN.findall(was), _TOKEN.findall(now)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    words = ("".join(each[head : len(each) - tail]).strip() for each in (old, new))
    before, after = words
    return (before, after) if before and after else None


def overview(
    traces: tuple[Trace, Trace],
    reports: tuple[Report, Report],
    timelines: tuple[Timeline, Timeline],
) -> dict[str, Any]:
    """Return the data of the overview: the sentences `headline` and `ends`, the `changed` lines, and `loops`, which is empty
    unless both runs have a loop of many iterations.
    """
    texts = [timeline.texts.get(timeline.main, "") for timeline in timelines]
    changed = changed_lines(texts[0], texts[1])
    found = [
        max(norms_over_time(trace, report), key=lambda loop: len(loop.calls), default=None)
        for trace, report in zip(traces, reports, strict=True)
    ]
    first, second = found
    if first is None or second is None or min(len(first.calls), len(second.calls)) < MANY:
        loops: list[dict[str, Any]] = []
        sentences = [changed.sentence]
        ends = ""
    else:
        names = _names(first, second)
        loops = [_loop(each, names) for each in (first, second)]
        sentences = [changed.sentence, *_effect(first, second)]
        ends = _ends(first, second)
    return {
        "headline": " ".join(sentences),
        "ends": ends,
        "changed": [changed.first, changed.second],
        "loops": loops,
    }


def _names(first: LoopNorms, second: LoopNorms) -> list[str]:
    """Return the sources of the maps, with the same rows in both."""
    both = [each.name for loop in (first, second) for each in loop.selected(_ROWS)]
    return [*dict.fromkeys(both)][: 2 * _ROWS]


def _loop(loop: LoopNorms, names: Sequence[str]) -> dict[str, Any]:
    norms = {each.name: each.norms for each in loop.sources}
    every = range(0, len(loop.calls), -(-len(loop.calls) // _COLUMNS))
    missing = (None,) * len(loop.calls)
    rows = [[norms.get(name, missing)[i] for i in every] for name in names]
    return {
        "line": loop.history.location.line,
        "target": loop.target,
        "iterations": len(loop.calls),
        "every": every.step,
        "names": names,
        "has": [name in norms for name in names],
        "none": [[i for i, norm in enumerate(row) if norm is None] for row in rows],
        "norms": packed_logs(rows),
        "targets": [
            None if each is None or math.isnan(each) else each
            for each in (loop.targets[i] for i in every)
        ],
    }


def _effect(first: LoopNorms, second: LoopNorms) -> Iterator[str]:
    """Yield the largest difference between gradients in the first iteration that has a notable difference."""
    theirs = {each.name: each.norms for each in second.sources}
    matrices = [each for each in first.sources if each.is_matrix]
    pairs = [
        (each.name, each.norms, theirs[each.name])
        for each in matrices or first.sources
        if each.name in theirs
    ]
    for i in range(min(len(first.calls), len(second.calls))):
        ratios: list[tuple[float, str, str]] = []
        for name, ours, others in pairs:
            here, there = ours[i], others[i]
            if (not here) != (not there):
                side, other = ("A", "B") if not here else ("B", "A")
                yield _LOST.format(iteration=i + 1, name=name, side=side, other=other)
                return
            if here and there and math.isfinite(here) and math.isfinite(there):
                ratio = there / here
                ratios.append((max(ratio, 1 / ratio), name, "B" if ratio > 1 else "A"))
        ratio, name, side = max(ratios, default=(1.0, "", ""))
        if ratio >= _NOTABLE:
            text = f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}"
            yield _GRADIENT.format(iteration=i + 1, ratio=text, name=name, side=side)
            return


def _ends(first: LoopNorms, second: LoopNorms) -> str:
    counts = len(first.calls), len(second.calls)
    count = _COUNT if counts[0] == counts[1] else _COUNTS
    return _ENDS.format(
        target=first.target,
        first=_end(first),
        second=_end(second),
        count=count.format(first=counts[0], second=counts[1]),
    )


def _end(loop: LoopNorms) -> str:
    last = loop.targets[-1]
    return (
        "an unknown value" if last is None else "NaN or inf" if math.isnan(last) else number(last)
    )

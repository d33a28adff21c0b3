"""The page of two runs: their loops on one scale, then their aligned steps with the differences marked, between their sources."""

import html
from collections.abc import Iterator
from typing import Any

from minitape.explain.report import Report
from minitape.html.build import as_json
from minitape.html.data.columns import location_in
from minitape.html.data.packing import FROM, packed
from minitape.html.parts import asset, filled
from minitape.html.policy import policy
from minitape.html.run.backward import Step, StepPair, with_backward
from minitape.html.run.pane import with_code
from minitape.html.run.two import overview
from minitape.html.script import script
from minitape.html.sources import order_of, source_panes
from minitape.timeline import Timeline, build_timeline
from minitape.trace import events
from minitape.trace.comparison.diff import CHANGED, in_step
from minitape.trace.trace import Trace
from minitape.trace.writing import never_searched

_DIFFER = "{count:,} of {total:,} steps differ"
_NONE_DIFFERS = "no step differs"
_NOT_COMPARED = "; {count:,} later steps were not compared"


@never_searched()
def page_of_two(
    traces: tuple[Trace, Trace],
    reports: tuple[Report, Report],
    names: tuple[str, str],
    *,
    tolerance: float = 0.0,
    unseen: int = 0,
    theme: str = "auto",
) -> str:
    """Return the text of an HTML file that shows where two runs differ in ops, values and gradients.

    Args:
        traces: The traces of the two runs.
        reports: The findings about each run.
        names: The names of the runs.
        tolerance: Values are equal if they differ by no more than this, absolute or relative.
        unseen: The number of steps that were not compared, because they come too long after the first difference.
        theme: `light`, `dark`, or `auto` for the theme of the reader's system.
    """
    timelines = build_timeline(traces[0], reports[0]), build_timeline(traces[1], reports[1])
    pairs = [*with_backward(in_step(*traces, tolerance=tolerance), traces, tolerance)]
    seen = overview(traces, reports, timelines)
    data = {
        "sides": [_side(timeline) for timeline in timelines],
        "rows": [*_rows(pairs, timelines)],
        "says": CHANGED,
        "gradients": [*_gradients(pairs, timelines)],
        "groups": [*_groups(pairs, timelines)],
        "loops": seen["loops"],
        "changed": seen["changed"],
    }
    code, style = script("comparison/main.js"), asset("page.css") + asset("comparison.css")
    first, second = (html.escape(name) for name in names)
    differ = sum(bool(pair.what) for pair in pairs)
    count = _DIFFER.format(count=differ, total=len(pairs)) if differ else _NONE_DIFFERS
    behind = _NOT_COMPARED.format(count=unseen) if unseen else ""
    parts = {
        "POLICY": policy(code, style),
        "TITLE": f"{first} → {second} · minitape",
        "THEME": theme,
        "STYLE": style,
        "FIRST": first,
        "SECOND": second,
        "COUNT": count + behind,
        "HEADLINE": with_code(seen["headline"]),
        "ENDS": with_code(seen["ends"]),
        "FIRST_SOURCES": source_panes(timelines[0]),
        "SECOND_SOURCES": source_panes(timelines[1]),
        "DATA": packed(text) if len(text := as_json(data)) > FROM else text,
        "SCRIPT": code,
    }
    return filled(asset("comparison.html"), parts)


def _side(timeline: Timeline) -> dict[str, Any]:
    """Return the steps of one run, as columns."""
    files = order_of(timeline)
    return {
        "files": [*files],
        "what": [f"{step.number} {step.what}".strip() for step in timeline.steps],
        "code": [step.code for step in timeline.steps],
        "value": [step.value for step in timeline.steps],
        "place": [location_in(step.location, files) for step in timeline.steps],
        "facts": [[[fact.label, fact.text] for fact in step.facts] for step in timeline.steps],
        "problem": {step.index: step.problem for step in timeline.steps if step.problem},
    }


def _rows(pairs: list[StepPair], timelines: tuple[Timeline, Timeline]) -> Iterator[list[Any]]:
    """Yield the step of each run (-1 for none), and what differs."""
    found = [_indices(timeline) for timeline in timelines]
    for first, second, what in pairs:
        yield [_index(found[0], first), _index(found[1], second), *what]


def _groups(
    pairs: list[StepPair], timelines: tuple[Timeline, Timeline]
) -> Iterator[dict[str, Any]]:
    """Yield the differences, grouped by line: the lines of both runs, what differs there, how often, and the first such row."""
    lines_at = [
        {step.event: step.location.line for step in timeline.steps if step.location is not None}
        for timeline in timelines
    ]
    found: dict[object, dict[str, Any]] = {}
    for row, (a, b, what) in enumerate(pairs):
        if not what:
            continue
        both = zip((a, b), lines_at, strict=True)
        lines = [0 if each is None else at.get(each.i, 0) for each, at in both]
        entry = {"lines": lines, "what": what, "row": row, "count": 0}
        found.setdefault((*lines, what), entry)["count"] += 1
    yield from sorted(found.values(), key=lambda each: each["row"])


def _indices(timeline: Timeline) -> dict[int, int]:
    return {step.event: step.index for step in timeline.steps}


def _index(found: dict[int, int], event: Step | None) -> int:
    return -1 if event is None else found.get(event.i, -1)


def _gradients(
    pairs: list[StepPair], timelines: tuple[Timeline, Timeline]
) -> Iterator[dict[str, Any]]:
    """Yield the sources of aligned calls with different results; for a loop, the first such call, and the number of
    such calls.
    """
    calls = [{call.number: call for call in timeline.calls} for timeline in timelines]
    found: dict[object, dict[str, Any]] = {}
    for row, (a, b, what) in enumerate(pairs):
        if not isinstance(a, events.GradientEvent) or not isinstance(b, events.GradientEvent):
            continue
        if "gradient" not in what:
            continue
        first, second = calls[0][a.call], calls[1][b.call]
        for here, there in zip(first.answers, second.answers, strict=False):
            if (here.value, here.code) == (there.value, there.code):
                continue
            reported = [[each.value or "?", each.code, each.label] for each in (here, there)]
            alike = (first.location, second.location, here.text, here.code, there.code)
            entry = {
                "row": row,
                "name": here.text,
                "visit": first.visit,
                "results": reported,
                "more": -1,
            }
            found.setdefault(alike, entry)["more"] += 1
    yield from found.values()

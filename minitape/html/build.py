"""Builds the page: inserts the parts, with a policy that forbids every connection."""

import html
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import json

from minitape.explain.report import Report
from minitape.html.data.columns import as_data
from minitape.html.data.packing import FROM, ByteColumns, packed, with_differences
from minitape.html.data.tensors import TensorDetail
from minitape.html.data.term_data import Described
from minitape.html.parts import asset, filled
from minitape.html.pictures import Drawn, drawn_for
from minitape.html.policy import policy
from minitape.html.run.iterations import MANY, as_iterations, loops
from minitape.html.run.pane import run_pane
from minitape.html.script import script
from minitape.html.sources import order_of, source_panes
from minitape.html.story import FixedRun, StoryPane, story_pane
from minitape.printable import printable, printable_lines
from minitape.timeline import Timeline, build_timeline, moves
from minitape.trace import events
from minitape.trace.trace import Trace
from minitape.trace.writing import never_searched

THEMES = ("auto", "light", "dark")
LARGEST = 20_000_000  # characters of data; a browser can open larger pages, but slowly


@never_searched()
def page(
    trace: Trace,
    report: Report,
    *,
    theme: str = "auto",
    cards: int | None = None,
    start: int | None = None,
    call: int | None = None,
    engine: str | None = None,
    live: int | None = None,
    expansions: Callable[[Trace, Timeline], Described] | None = None,
    fixed: FixedRun | None = None,
    is_checked: bool = False,
) -> str:
    """Return the debugger page: source, picture, current step, and timeline.

    Args:
        trace: The run.
        report: The findings about the run.
        theme: `light`, `dark`, or `auto` for the theme of the reader's system.
        cards: The maximum number of nodes in a picture; None has the same meaning as for `draw.picture`.
        start: The step at which to open the page. None opens the story of the run, with the map if a loop has many iterations.
        call: The gradient call at which to open the page, instead of `start`.
        engine: The layout program for the pictures, as for `draw.find_engine`.
        live: The number of the page on a server, from which the page requests later pages; None for a page in a file.
        expansions: A function that returns how the numbers were computed: `described` of `minitape.terms`, which needs the
            engine. Without this function, the page does not show how numbers were computed.
        fixed: The run after a verified fix, which the story shows below the run.
        is_checked: Whether the suggested fixes were tried; `report` then contains the proofs.

    Returns:
        The text of an HTML file. Unless the page is live, it loads nothing, and its security policy forbids loading. A page of
        more than 20 MB contains fewer values, and shows a note about that.
    """
    timeline = build_timeline(trace, report)
    if call is not None:
        start = next(each.requested for each in timeline.calls if each.number == call)
    pictures = drawn_for(trace, report, timeline, cards, engine)
    histories = loops(report)
    iterations = as_iterations(trace, histories, timeline)
    reported = None if expansions is None or _has_too_many(trace) else expansions(trace, timeline)
    story = story_pane(
        trace,
        report,
        timeline,
        order_of(timeline),
        fixed,
        is_checked=is_checked,
        described=reported,
    )
    text, left_out = _data(timeline, pictures, start, iterations, reported, story)
    if expansions is not None and reported is None:
        left_out = left_out or _NO_EXPANSIONS
    is_live = live is not None
    code = script("live/main.js" if is_live else "main.js")
    style = (
        asset("page.css")
        + asset("frame.css")
        + asset("story.css")
        + (asset("run.css") if histories else "")
        + (asset("news.css") if is_live else "")
        + _colors("p", pictures.colors)
        + _colors("s", story.colors)
    )
    name = html.escape(f"{timeline.script or 'tape'} {timeline.ran_on}".rstrip())
    parts = {
        "LIVE": f' data-live="{live}"' if is_live else "",
        "POLICY": policy(code, style, is_live=is_live),
        "TITLE": f"{name} · minitape",
        "THEME": theme,
        "STYLE": style,
        "NAME": name,
        "LEFT_OUT": html.escape(left_out),
        "SOURCES": source_panes(timeline),
        "PICTURES": "\n".join(each.html for each in pictures.all),
        "STORY": story.html,
        "RUN": run_pane(histories, iterations),
        "DATA": text,
        "SCRIPT": code,
    }
    return filled(asset("page.html"), parts)


_MOST_TENSORS = 80_000  # the maximum number of described tensors; more would take long, and would then be omitted


def _has_too_many(trace: Trace) -> bool:
    """Whether a run has more numbers than a page can describe."""
    made = sum(len(op.outputs) for op in trace.of(events.OpEvent))
    sent = sum(1 + 2 * len(step.sent) for step in trace.of(events.BackEvent))
    return made + sent > _MOST_TENSORS


_NO_EXPANSIONS = "This run is large, so the page does not show how each number was computed. Use `minitape step` to see this."


def _data(
    timeline: Timeline,
    pictures: Drawn,
    start: int | None,
    iterations: list[dict[str, Any]],
    reported: Described | None,
    story: StoryPane,
) -> tuple[str, str]:
    """Return the data as JSON, with fewer values if the data is too large, and the note about the missing values."""
    leads = moves(timeline)
    opens = start is None and any(each["iterations"] >= MANY for each in iterations)
    runs = {"runs": iterations, "opensOnRun": opens, "many": MANY}
    runs |= {"story": story.data, "opensOnStory": start is None and bool(story.html)}
    if reported is not None:
        data = as_data(timeline, leads, pictures, start or 0, TensorDetail.ALL, reported)
        text = as_json(data | runs | {"tensors": data["tensors"].all})
        if len(text) <= LARGEST:
            return _packed(text, data | runs), ""
    for detail in TensorDetail:
        data = as_data(timeline, leads, pictures, start or 0, detail) | runs
        text = as_json(data | {"tensors": data["tensors"].all})
        if len(text) <= LARGEST:
            break
    return _packed(text, data), detail.value or ("" if reported is None else _NO_EXPANSIONS)


def _packed(text: str, data: dict[str, Any]) -> str:
    """Return the data as text, compressed if it is large."""
    if len(text) <= FROM:
        return text
    columns = ByteColumns()
    apart = data["tensors"].without_elements(columns)
    return packed(as_json(with_differences(data) | {"tensors": apart}), columns)


def as_json(data: Any) -> str:
    """Return JSON that HTML parsers do not interpret as markup, without control characters; its floats are finite."""
    try:
        text = json.encode(data).decode()
    except UnicodeEncodeError:  # a file name may contain invalid Unicode
        text = ""
    # Most data contains no control characters, and checking each text would take long.
    if not text or "\\u00" in text or printable(text) != text:
        text = json.encode(_printable(data)).decode()
    return text.replace("<", "\\u003c")


def _printable(data: Any) -> Any:
    """Return the same data, with control characters in its texts made visible."""
    if isinstance(data, str):
        return printable_lines(data)
    if isinstance(data, dict):
        return {_printable(key): _printable(each) for key, each in data.items()}
    if isinstance(data, list | tuple):
        return [_printable(each) for each in data]
    return data


def _colors(prefix: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return the colors of pictures in both themes, keyed by the names that their SVG uses."""
    light = "".join(f"--{prefix}{i}:{one};" for i, (one, _) in enumerate(pairs))
    dark = "".join(f"--{prefix}{i}:{two};" for i, (_, two) in enumerate(pairs))
    return (
        f"\n:root{{{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{{dark}}}}}\n"
    )

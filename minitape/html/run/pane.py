"""The overview of a run, as HTML: the elements for its map, its notes, and the map as text."""

import base64
import html
import math
import re
import struct
from collections.abc import Sequence
from typing import Any

from minitape.explain.over_time import CallHistory, Stretch
from minitape.explain.report import GradientNote, Outcome, listed
from minitape.html.data.codes import in_short

_WORDS = {
    Outcome.OK: "arrived",
    Outcome.PARTIAL: "incomplete",
    Outcome.ZERO: "zero",
    Outcome.NONE: "None",
    Outcome.NAN: "nan or inf",
    Outcome.ERROR: "error",
    Outcome.EMPTY: "no sources",
}
_HELD = {"finite": "finite", "inf": "inf", "nan": "nan", "": "not known"}  # the value of a target
_MARKS = ("ok", "partial", "zero", "none", "nan", "error")
_MEASURES = (
    ("norms", "gradient", "the norm of each gradient"),
    ("weights", "weight", "the norm of each weight when its gradient was requested"),
    ("moves", "update / weight", "the norm of each update relative to its weight"),
)
_REPORTED = 12  # the maximum number of ranges of iterations in the text of a row
_REASONS = 2  # the maximum number of notes whose first sentence is above the map
_SENTENCE = re.compile(r"(?<=\.)\s+(?=[A-Z])")
_NAMED = 4  # the maximum number of ranges of iterations next to a note

# --- texts ---

_HELP = (
    "map of the gradients: the arrow keys choose an iteration and a source, Enter goes to that iteration, "
    "Shift with the arrow keys compares two iterations"
)
_HINT = "Point at the map to see its values. Click to go to an iteration, or drag to compare two iterations."
_CALL = "line {line}: {text} · {turns:,} iterations"
_PAGE = "Run `minitape explain {code}` for the full explanation, with a program before and after the fix."
_LAYER = "norm in the first and last iterations: {norms}"
_MORE_CHANGES = "and {count:,} more changes"


def run_pane(histories: Sequence[CallHistory], iterations: Sequence[dict[str, Any]]) -> str:
    """Return the HTML of the overview of these calls; empty if there are none. The page's script receives the same information as
    data.

    Args:
        histories: The gradient calls that ran in a loop.
        iterations: Their data for the page's script.
    """
    if not histories:
        return ""
    why = "".join(
        f'<p data-run="{number}">{with_code(sentence)}</p>'
        for number, (each, data) in enumerate(zip(histories, iterations, strict=True))
        for sentence in (*data["why"], *map(_first_sentence, each.notes[:_REASONS]))
    )
    notes = "".join(
        _note(note, number) for number, each in enumerate(histories) for note in each.notes
    )
    reported = "".join(
        _reported(history, data, number)
        for number, (history, data) in enumerate(zip(histories, iterations, strict=True))
    )
    return f"""\
<section id="run" aria-label="overview of the run" hidden>
<div id="run-head">
<label>call <select id="run-calls">{_options(histories)}</select></label>
<span role="radiogroup" aria-label="values of the map">{_measures()}</span>
<button type="button" id="run-close" title="back to the step (m)">close</button>
</div>
<div id="run-why">{why}</div>
<div id="run-notes">{notes}</div>
<canvas id="curve" height="90" aria-hidden="true"></canvas>
<div id="map-pane">
<canvas id="map" tabindex="0" role="img" aria-label="{_HELP}" aria-describedby="run-announcement"></canvas>
<canvas id="map-over" aria-hidden="true"></canvas>
</div>
<canvas id="rounds" height="18" aria-hidden="true"></canvas>
<p id="run-announcement">{_HINT}</p>
<p id="run-key" aria-hidden="true">
<canvas id="scale" height="12"></canvas><span id="scale-announcement"></span>{_key()}
</p>
<div id="compared" hidden></div>
<details id="run-text"><summary>the map as text</summary>{reported}</details>
</section>"""


def _options(histories: Sequence[CallHistory]) -> str:
    said = (
        _CALL.format(line=each.location.line, text=each.text, turns=each.iterations)
        + (" !" if each.has_problem else "")
        for each in histories
    )
    return "".join(
        f'<option value="{number}">{html.escape(text)}</option>' for number, text in enumerate(said)
    )


def _measures() -> str:
    return "".join(
        f'<label title="{title}"><input type="radio" name="measure" value="{name}"'
        f"{' checked' if name == 'norms' else ''}>{label}</label>"
        for name, label, title in _MEASURES
    )


def _key() -> str:
    return "".join(
        f'<span class="mark"><canvas data-mark="{mark}" width="22" height="12"></canvas>'
        f"{_WORDS[Outcome(mark)]}</span>"
        for mark in _MARKS[1:]
    ) + (
        '<span class="mark" id="no-number" hidden><canvas data-mark="" width="22" height="12"></canvas>no number</span>'
    )


# --- as text ---


def _note(note: GradientNote, number: int) -> str:
    """Return a note about the history with this number."""
    stretches = [f"{a}" if a == b else f"{a} to {b}" for a, b in note.iterations]
    many = "s" if len(stretches) > 1 or " " in stretches[0] else ""
    iterations = f"iteration{many} {listed(stretches, most=_NAMED)}"
    fix = f"<p><b>Try:</b> {with_code(note.fix)}</p>" if note.fix else ""
    where = f"line {note.location.line}: " if note.location.line else ""
    return (
        f'<details class="note" data-run="{number}"><summary>{note.code} '
        f"{with_code(note.headline)} <small>{iterations}</small></summary><div><p>{where}{with_code(note.message)}</p>{fix}"
        f'<p><button type="button" data-round="{note.iterations[0][0] - 1}">'
        f"go to iteration {note.iterations[0][0]}</button></p>"
        f"{_means(note.code)}</div></details>"
    )


def _means(code: str) -> str:
    """Return the meaning of a code, as a collapsed element under its name."""
    title, *paragraphs = in_short(code)
    whole = _PAGE.format(code=code)
    reported = "".join(f"<p>{with_code(text)}</p>" for text in [*paragraphs, whole])
    return f'<details class="means"><summary>{code}: {with_code(title)}</summary><div>{reported}</div></details>'


def _first_sentence(note: GradientNote) -> str:
    return _SENTENCE.split(note.message, maxsplit=1)[0]


def with_code(text: str) -> str:
    """Return text as HTML, with the parts between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def _reported(history: CallHistory, data: dict[str, Any], number: int) -> str:
    held = [f"{_where(first + 1, last + 1)}: {_HELD[kind]}" for first, last, kind in data["held"]]
    said = [
        (data["target"], _few(held)),
        *((row.name, _few([*map(_stretch, row.stretches)])) for row in history.rows),
    ]
    said += [
        (row["name"], _LAYER.format(norms=_ends(data, at)))
        for at, row in enumerate(data["rows"])
        if at >= data["sources"]
    ]
    rows = "".join(
        f"<tr><th scope=row>{html.escape(name)}<td>{html.escape(words)}" for name, words in said
    )
    return (
        f'<table data-run="{number}"><caption>{history.iterations:,} iterations of line '
        f"{history.location.line}</caption>{rows}</table>"
    )


def _ends(data: dict[str, Any], row: int) -> str:
    """Return the norm of a row in the first and in the last iteration."""
    count = data["iterations"]
    logs = struct.unpack(f"<{len(data['rows']) * count}f", base64.b64decode(data["norms"]))
    ends = (logs[row * count], logs[(row + 1) * count - 1])
    return ", ".join("–" if math.isnan(log) else f"{10**log:.3g}" for log in ends)


def _few(stretches: list[str]) -> str:
    more = len(stretches) - _REPORTED
    rest = [_MORE_CHANGES.format(count=more)] if more > 0 else []
    return "; ".join([*stretches[:_REPORTED], *rest])


def _where(first: int, last: int) -> str:
    return f"iterations {first} to {last}" if first != last else f"iteration {first}"


def _stretch(stretch: Stretch) -> str:
    codes = f" ({', '.join(stretch.codes)})" if stretch.codes else ""
    return f"{_where(stretch.first, stretch.last)}: {_WORDS[stretch.outcome]}{codes}"

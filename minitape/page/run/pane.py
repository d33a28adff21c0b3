"""The run at a glance, as HTML: what its map is drawn into, the notes beside it, and the map in words."""

import html
import re
from collections.abc import Sequence
from typing import Any

from minitape.explain.over_time import History, Stretch
from minitape.explain.report import Note, Outcome, listed
from minitape.page.data.codes import in_short

_WORDS = {
    Outcome.OK: "arrived",
    Outcome.PARTIAL: "only a part of it",
    Outcome.ZERO: "zero",
    Outcome.NONE: "None",
    Outcome.NAN: "nan or inf",
    Outcome.ERROR: "error",
    Outcome.EMPTY: "no sources",
}
_HELD = {"finite": "finite", "inf": "inf", "nan": "nan", "": "not known"}  # what a target was
_MARKS = ("ok", "partial", "zero", "none", "nan", "error")
_MEASURES = (
    ("norms", "gradient", "the norm of each gradient"),
    ("weights", "weight", "the norm of each weight when its gradient was asked for"),
    ("moves", "update / weight", "the norm of each update as a part of its weight"),
)
_TOLD = 12  # stretches of a row in words
_NAMED = 4  # stretches of rounds beside a note


def run_pane(histories: Sequence[History], rounds: Sequence[dict[str, Any]]) -> str:
    """What shows the rounds of these calls, which the script has as data too; empty where there are none."""
    if not histories:
        return ""
    notes = "".join(
        _note(note, number) for number, each in enumerate(histories) for note in each.notes
    )
    told = "".join(
        _told(history, data, number)
        for number, (history, data) in enumerate(zip(histories, rounds, strict=True))
    )
    return f"""\
<section id="run" aria-label="the run at a glance" hidden>
<div id="run-head">
<label>call <select id="run-calls">{_options(histories)}</select></label>
<span role="radiogroup" aria-label="what the map shows">{_measures()}</span>
<button type="button" id="run-close" title="back to the step (m)">close</button>
</div>
<div id="run-notes">{notes}</div>
<canvas id="curve" height="90" aria-hidden="true"></canvas>
<div id="map-pane">
<canvas id="map" tabindex="0" role="img" aria-label="{_HELP}" aria-describedby="run-said"></canvas>
<canvas id="map-over" aria-hidden="true"></canvas>
</div>
<canvas id="rounds" height="18" aria-hidden="true"></canvas>
<p id="run-said">{_HINT}</p>
<p id="run-key" aria-hidden="true">
<canvas id="scale" height="12"></canvas><span id="scale-said"></span>{_key()}
</p>
<div id="compared" hidden></div>
<details id="run-told"><summary>the map in words</summary>{told}</details>
</section>"""


_HELP = "map of the gradients: arrows choose a round and a source, Enter goes there, Shift with arrows compares two rounds"
_HINT = "Point at the map for its numbers, click to go there, drag over rounds to compare the first and the last."


def _options(histories: Sequence[History]) -> str:
    said = (
        f"line {each.place.line}: {each.text} · {each.turns:,} rounds{' !' if each.has_problem else ''}"
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


# --- in words ---


def _note(note: Note, number: int) -> str:
    """A note, of the history with this number."""
    stretches = [f"{a}" if a == b else f"{a} to {b}" for a, b in note.rounds]
    many = "s" if len(stretches) > 1 or " " in stretches[0] else ""
    rounds = f"round{many} {listed(stretches, most=_NAMED)}"
    fix = f"<p><b>Try:</b> <code>{html.escape(note.fix)}</code></p>" if note.fix else ""
    where = f"line {note.place.line}: " if note.place.line else ""
    return (
        f'<details class="note" data-run="{number}"><summary>{note.code} '
        f"{html.escape(note.headline)} <small>{rounds}</small></summary><div><p>{where}{html.escape(note.message)}</p>{fix}"
        f'<p><button type="button" data-round="{note.rounds[0][0] - 1}">'
        f"go to round {note.rounds[0][0]}</button></p>"
        f"{_means(note.code)}</div></details>"
    )


def _means(code: str) -> str:
    """What a code means, behind its name."""
    title, *paragraphs = in_short(code)
    whole = f"`minitape explain {code}` tells the whole story, with a program before and after."
    told = "".join(f"<p>{_with_code(text)}</p>" for text in [*paragraphs, whole])
    return f'<details class="means"><summary>{code}: {_with_code(title)}</summary><div>{told}</div></details>'


def _with_code(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def _told(history: History, data: dict[str, Any], number: int) -> str:
    held = [f"{_where(first + 1, last + 1)}: {_HELD[kind]}" for first, last, kind in data["held"]]
    said = [
        (data["target"], _few(held)),
        *((row.name, _few([*map(_stretch, row.stretches)])) for row in history.rows),
    ]
    rows = "".join(
        f"<tr><th scope=row>{html.escape(name)}<td>{html.escape(words)}" for name, words in said
    )
    return (
        f'<table data-run="{number}"><caption>{history.turns:,} rounds of line '
        f"{history.place.line}</caption>{rows}</table>"
    )


def _few(stretches: list[str]) -> str:
    more = len(stretches) - _TOLD
    return "; ".join([*stretches[:_TOLD], *([f"and {more:,} changes more"] if more > 0 else [])])


def _where(first: int, last: int) -> str:
    return f"rounds {first} to {last}" if first != last else f"round {first}"


def _stretch(stretch: Stretch) -> str:
    codes = f" ({', '.join(stretch.codes)})" if stretch.codes else ""
    return f"{_where(stretch.first, stretch.last)}: {_WORDS[stretch.outcome]}{codes}"

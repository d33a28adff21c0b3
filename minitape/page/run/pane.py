"""The run at a glance, as HTML: what its map is drawn into, the notes beside it, and the map in words."""

import html
from collections.abc import Sequence

from minitape.explain.over_time import History, Row, Stretch
from minitape.explain.report import Note, Outcome, listed

_WORDS = {
    Outcome.OK: "arrived",
    Outcome.PARTIAL: "only a part of it",
    Outcome.ZERO: "zero",
    Outcome.NONE: "None",
    Outcome.NAN: "nan or inf",
    Outcome.ERROR: "error",
    Outcome.EMPTY: "no sources",
}
_MARKS = ("ok", "partial", "zero", "none", "nan", "error")
_MEASURES = (
    ("norms", "gradient", "the norm of each gradient"),
    ("weights", "weight", "the norm of each weight when its gradient was asked for"),
    ("moves", "update / weight", "the norm of each update as a part of its weight"),
)
_TOLD = 12  # stretches of a row in words
_NAMED = 4  # stretches of rounds beside a note


def run_pane(histories: Sequence[History]) -> str:
    """What shows the rounds of these calls; empty where there are none."""
    if not histories:
        return ""
    notes = "".join(
        _note(note, number) for number, each in enumerate(histories) for note in each.notes
    )
    told = "".join(_told(history, number) for number, history in enumerate(histories))
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
        f"<p class=muted>minitape explain {note.code} tells the whole story</p></div></details>"
    )


def _told(history: History, number: int) -> str:
    rows = "".join(
        f"<tr><th scope=row>{html.escape(row.name)}<td>{html.escape(_row(row))}"
        for row in history.rows
    )
    return (
        f'<table data-run="{number}"><caption>{history.turns:,} rounds of line '
        f"{history.place.line}</caption>{rows}</table>"
    )


def _row(row: Row) -> str:
    said = [_stretch(stretch) for stretch in row.stretches[:_TOLD]]
    if len(row.stretches) > _TOLD:
        said.append(f"and {len(row.stretches) - _TOLD:,} changes more")
    return "; ".join(said)


def _stretch(stretch: Stretch) -> str:
    several = stretch.first != stretch.last
    where = f"rounds {stretch.first} to {stretch.last}" if several else f"round {stretch.first}"
    codes = f" ({', '.join(stretch.codes)})" if stretch.codes else ""
    return f"{where}: {_WORDS[stretch.outcome]}{codes}"

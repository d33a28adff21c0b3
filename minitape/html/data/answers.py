"""The results of the gradient calls as data, with a card for each call. The page's script lays out the cards."""

from typing import Any

from minitape.explain.report import GradientNote
from minitape.html.data.codes import in_short
from minitape.html.data.texts import Texts
from minitape.timeline import CallResult, Timeline, TimelineCall

# The result for several sources with the same cause, if their gradients differ.
_TOGETHER = {"zero": "zeros", "nan": "nan or inf", "partial": "incomplete"}


def as_answers(timeline: Timeline, files: dict[str, int], texts: Texts) -> dict[str, Any]:
    """Return for each call its results (those with a problem first, once per mistake) and its notes, and the meanings of the
    codes.
    """
    codes = {answer.code for call in timeline.calls for answer in call.answers if answer.code}
    codes |= {note.code for call in timeline.calls for note in call.notes}
    return {
        "answers": {call.number: _card(call, files, texts) for call in timeline.calls},
        "codes": {code: in_short(code) for code in sorted(codes)},
    }


def _card(call: TimelineCall, files: dict[str, int], texts: Texts) -> dict[str, Any]:
    alike: dict[object, list[CallResult]] = {}
    for number, answer in enumerate(call.answers):
        alike.setdefault((answer.mistake or number, answer.outcome), []).append(answer)
    lost = [_lost(call, each, files, texts) for each in alike.values() if each[0].code]
    return {
        "lost": lost,
        "notes": [_note(note, files, texts) for note in call.notes],
        "came": [_result(answer, texts) for answer in call.answers if not answer.code],
    }


def _note(note: GradientNote, files: dict[str, int], texts: Texts) -> dict[str, Any]:
    return {
        "headline": texts[note.headline],
        "line": note.location.line,
        **_words(note, note.location.file, files, texts),
    }


def _words(
    reported: CallResult | GradientNote, file: str, files: dict[str, int], texts: Texts
) -> dict[str, Any]:
    """Return the fields that results and notes share."""
    return {
        "file": files.get(file),
        "label": texts[reported.label],
        "why": texts[reported.message],
        "fix": texts[reported.fix],
        "code": reported.code,
    }


def _result(answer: CallResult, texts: Texts) -> list[int | None]:
    """Return the data of a source: its name, its result, the step that created it, and the step that returned the result."""
    return [texts[answer.text], texts[answer.value or "?"], answer.step, answer.came]


def _lost(
    call: TimelineCall, alike: list[CallResult], files: dict[str, int], texts: Texts
) -> dict[str, Any]:
    first = alike[0]
    is_one = len({answer.value for answer in alike}) == 1
    value = (first.value or "?") if is_one else _TOGETHER.get(first.outcome, first.outcome)
    return {
        "of": [_result(answer, texts) for answer in alike],
        "value": texts[value],
        "line": first.line,
        "path": [[texts[stop.word], stop.step, int(stop.is_cut)] for stop in first.path],
        "target": [texts[call.target], call.requested],
        **_words(first, first.file, files, texts),
    }

"""The caption of a picture: the result, the findings and notes, the omitted parts, and the engine."""

import textwrap
from collections.abc import Sequence

from minitape.draw import words
from minitape.draw.cards import Sketch
from minitape.draw.facts import NO_TENSOR
from minitape.draw.model import CaptionLine, Card, Role, TextTone
from minitape.explain.mistakes import mistakes_of
from minitape.explain.report import CallReport, GradientNote, Outcome, Report

_WIDTH = 96
_MOST_FINDINGS = 3
_MOST_NAMED = 3
_NEWS = {Outcome.NAN: "nan", Outcome.ZERO: "0.0", Outcome.PARTIAL: "incomplete"}

# --- the lines of a caption; `call` is the source text of the gradient call ---

_NO_CALL = "{script}:  no gradient was requested"
_RAN = "{ops} ran"
_RECORDED = "{ops} recorded · {variables} watched"
_RESULT = "{call}  →  {result}"
_ALL_NONE = "None for all sources"
_SOME_NONE = "{connected} of {total} connected, None for {names}"
_CONNECTED = "{connected} of {total} connected"
_FOR = "{result} for {names}"
_AT_LINE = "Line {line}:  {message}"
_TRY = "try:  {fix}"
_MORE_CAUSES = "and {causes}; run `minitape explain` to see all"
_NOTED = "{headline}  ({code})"
_FIRST = "The first {kind}: {location}"


def caption_of(
    sketch: Sketch, said: CallReport | None, notes: Sequence[GradientNote], hidden: tuple[str, ...]
) -> list[CaptionLine]:
    """Return the lines above a picture, the result first."""
    facts = sketch.facts
    hidden = tuple(filter(None, (*hidden, facts.ran_on)))
    if facts.call is None:
        ops = words.count(len(facts.ops), "op")
        return [
            CaptionLine(_NO_CALL.format(script=facts.script or "this run")),
            CaptionLine(_RAN.format(ops=ops) + _joined(hidden), TextTone.MUTED),
        ]
    is_problem = said is not None and said.has_problem
    lines = [_title(sketch, said)]
    lines += _findings(said) if said is not None else []
    lines += _note_lines(notes)
    if said is None or not is_problem:
        lines += _first_bad(sketch)
        variables = sum(value in facts.watched for value in facts.variables)
        ops = words.count(facts.recorded_count(), "op")
        about = _RECORDED.format(ops=ops, variables=words.count(variables, "variable"))
        lines.append(CaptionLine(about + _joined(hidden), TextTone.MUTED))
    elif hidden:
        lines.append(CaptionLine(" · ".join(hidden), TextTone.MUTED))
    return [
        CaptionLine(part, line.tone)
        for line in lines
        for part in textwrap.wrap(line.text, _WIDTH) or [""]
    ]


def _joined(hidden: tuple[str, ...]) -> str:
    return "".join(f" · {sentence}" for sentence in hidden)


def _title(sketch: Sketch, said: CallReport | None) -> CaptionLine:
    facts = sketch.facts
    assert facts.call is not None
    text = words.short(facts.call.text or facts.call.api, 80)
    results = [facts.results.get(source.value or NO_TENSOR) for source in facts.call.sources]
    names = [source.name or "a source" for source in facts.call.sources]
    nothing = [
        name
        for name, result in zip(names, results, strict=True)
        if result is not None and result.numbers is None
    ]

    def line(result: str, tone: TextTone = TextTone.PROBLEM) -> CaptionLine:
        return CaptionLine(_RESULT.format(call=text, result=result), tone)

    if facts.has_error or not facts.results:
        return line("an error" if facts.has_error else "no result")
    if nothing and len(nothing) == len(names):
        return line(_ALL_NONE if len(names) > 1 else "None")
    if nothing:
        connected = len(names) - len(nothing)
        names_of_none = _listed(nothing)
        return line(_SOME_NONE.format(connected=connected, total=len(names), names=names_of_none))
    news = _news(sketch, said) if said is not None else ""
    if news:
        return line(news)
    gradients = [result.numbers for result in results if result is not None and result.numbers]
    bad = next(filter(None, map(words.trouble, gradients)), "")
    if bad:
        return line(bad)
    if len(names) == 1 and gradients:
        return line(facts.result_row(gradients[0]).text, TextTone.PLAIN)
    return line(_CONNECTED.format(connected=len(names), total=len(names)), TextTone.PLAIN)


def _news(sketch: Sketch, said: CallReport) -> str:
    """Return the worst result, and its sources, unless all sources have this result."""
    results = sketch.facts.results
    for outcome, word in _NEWS.items():
        met = [one for one in said.sources if one.findings and one.outcome is outcome]
        came = [results[source.value].numbers for source in met if source.value in results]
        if outcome is Outcome.ZERO and any(one and one.zeros != one.size for one in came):
            word = "nearly 0"
        if met:
            return (
                word
                if len(met) == len(results)
                else _FOR.format(result=word, names=_listed([one.name for one in met]))
            )
    return ""


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(words.short_name(name or "a source", 32) for name in names[:_MOST_NAMED])
    return shown + (" …" if len(names) > _MOST_NAMED else "")


def _findings(said: CallReport) -> list[CaptionLine]:
    """Return the first mistakes in full, in the order in which to fix them."""
    mistakes = mistakes_of(Report("", (said,)))
    lines = []
    for mistake in mistakes[:_MOST_FINDINGS]:
        message, number = mistake.finding.message, mistake.finding.location.line
        if f"line {number}" not in message.lower():
            message = _AT_LINE.format(line=number, message=message)
        lines.append(CaptionLine(_plain(message), TextTone.PROBLEM))
        if mistake.fix:
            lines.append(CaptionLine(_TRY.format(fix=_plain(mistake.fix)), TextTone.MUTED))
    if len(mistakes) > _MOST_FINDINGS:
        causes = words.count(len(mistakes) - _MOST_FINDINGS, "more cause")
        lines.append(CaptionLine(_MORE_CAUSES.format(causes=causes), TextTone.MUTED))
    return lines


def _note_lines(notes: Sequence[GradientNote]) -> list[CaptionLine]:
    """Return the notes about gradients that arrived, and their remedies."""
    lines = []
    for note in notes[:_MOST_FINDINGS]:
        text = _NOTED.format(headline=note.headline, code=note.code)
        if note.location.line:
            text = _AT_LINE.format(line=note.location.line, message=text)
        lines.append(CaptionLine(_plain(text)))
        if note.fix:
            lines.append(CaptionLine(_TRY.format(fix=_plain(note.fix)), TextTone.MUTED))
    return lines


def _first_bad(sketch: Sketch) -> list[CaptionLine]:
    for node in sketch.nodes.values():
        if isinstance(node, Card) and node.role is Role.PROBLEM:
            word = node.tag.rsplit("FIRST ", 1)[-1]
            reported = _FIRST.format(kind=word, location=node.location)
            return [
                CaptionLine(reported + (f",  {node.code}" if node.code else ""), TextTone.PROBLEM)
            ]
    return []


def _plain(text: str) -> str:
    return words.short(text, 300)

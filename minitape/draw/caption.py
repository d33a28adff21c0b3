"""The caption of a picture: the answer in words, what was found and noted, then what was left out and what it ran on."""

import textwrap
from collections.abc import Sequence

from minitape.draw import words
from minitape.draw.cards import Sketch
from minitape.draw.facts import NO_TENSOR
from minitape.draw.model import Card, Line, Role, Tone
from minitape.explain.mistakes import mistakes_of
from minitape.explain.report import CallReport, Note, Outcome, Report

_WIDTH = 96
_MOST_FINDINGS = 3
_MOST_NAMED = 3
_NEWS = {Outcome.NAN: "nan", Outcome.ZERO: "0.0", Outcome.PARTIAL: "a part is lost"}


def caption_of(
    sketch: Sketch, said: CallReport | None, notes: Sequence[Note], hidden: tuple[str, ...]
) -> list[Line]:
    """The lines above a picture, the answer first."""
    facts = sketch.facts
    hidden = tuple(filter(None, (*hidden, facts.ran_on)))
    if facts.call is None:
        ops = words.count(len(facts.ops), "op")
        return [
            Line(f"{facts.script or 'this run'}:  no gradient was asked for"),
            Line(f"{ops} ran" + _joined(hidden), Tone.MUTED),
        ]
    is_problem = said is not None and said.has_problem
    lines = [_title(sketch, said)]
    lines += _findings(said) if said is not None else []
    lines += _noted(notes)
    if said is None or not is_problem:
        lines += _first_bad(sketch)
        variables = sum(value in facts.watched for value in facts.variables)
        ops = words.count(facts.recorded_count(), "op")
        about = f"{ops} recorded · {words.count(variables, 'variable')} watched"
        lines.append(Line(about + _joined(hidden), Tone.MUTED))
    elif hidden:
        lines.append(Line(" · ".join(hidden), Tone.MUTED))
    return [
        Line(part, line.tone) for line in lines for part in textwrap.wrap(line.text, _WIDTH) or [""]
    ]


def _joined(hidden: tuple[str, ...]) -> str:
    return "".join(f" · {sentence}" for sentence in hidden)


def _title(sketch: Sketch, said: CallReport | None) -> Line:
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
    if facts.has_error or not facts.results:
        return Line(f"{text}  →  {'an error' if facts.has_error else 'no answer'}", Tone.PROBLEM)
    if nothing and len(nothing) == len(names):
        return Line(f"{text}  →  None{' for all of them' if len(names) > 1 else ''}", Tone.PROBLEM)
    if nothing:
        of = f"{len(names) - len(nothing)} of {len(names)} connected"
        return Line(f"{text}  →  {of}, None for {_listed(nothing)}", Tone.PROBLEM)
    news = _news(sketch, said) if said is not None else ""
    if news:
        return Line(f"{text}  →  {news}", Tone.PROBLEM)
    gradients = [result.numbers for result in results if result is not None and result.numbers]
    bad = next(filter(None, map(words.trouble, gradients)), "")
    if bad:
        return Line(f"{text}  →  {bad}", Tone.PROBLEM)
    if len(names) == 1 and gradients:
        return Line(f"{text}  →  {facts.result_row(gradients[0]).text}")
    return Line(f"{text}  →  {len(names)} of {len(names)} connected")


def _news(sketch: Sketch, said: CallReport) -> str:
    """The worst that came back, and for which sources if not for all of them."""
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
                else f"{word} for {_listed([one.name for one in met])}"
            )
    return ""


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(words.short_name(name or "a source", 32) for name in names[:_MOST_NAMED])
    return shown + (" …" if len(names) > _MOST_NAMED else "")


def _findings(said: CallReport) -> list[Line]:
    """The first mistakes in full, in the order in which to mend them."""
    mistakes = mistakes_of(Report("", (said,)))
    lines = []
    for mistake in mistakes[:_MOST_FINDINGS]:
        message = mistake.finding.message
        where = f"line {mistake.finding.place.line}"
        prefix = "" if where in message.lower() else f"L{where[1:]}:  "
        lines.append(Line(_plain(prefix + message), Tone.PROBLEM))
        if mistake.fix:
            lines.append(Line(f"try:  {_plain(mistake.fix)}", Tone.MUTED))
    if len(mistakes) > _MOST_FINDINGS:
        rest = words.count(len(mistakes) - _MOST_FINDINGS, "more cause")
        lines.append(Line(f"and {rest}: see minitape explain", Tone.MUTED))
    return lines


def _noted(notes: Sequence[Note]) -> list[Line]:
    """What is worth knowing of gradients that came back, and what people do about it."""
    lines = []
    for note in notes[:_MOST_FINDINGS]:
        where = f"L{note.place.line}:  " if note.place.line else ""
        lines.append(Line(_plain(f"{where}{note.headline}  ({note.code})")))
        if note.fix:
            lines.append(Line(f"try:  {_plain(note.fix)}", Tone.MUTED))
    return lines


def _first_bad(sketch: Sketch) -> list[Line]:
    for node in sketch.nodes.values():
        if isinstance(node, Card) and node.role is Role.PROBLEM:
            word = node.tag.rsplit("FIRST ", 1)[-1]
            told = f"The first {word}: {node.place}"
            return [Line(told + (f",  {node.code}" if node.code else ""), Tone.PROBLEM)]
    return []


def _plain(text: str) -> str:
    return words.short(text, 300)

"""One answer for one mistake: what shares cause and line is told once, whatever the number of sources, rounds and calls.

mistakes_of   those of a report, in the order in which to mend them
Mistake       one of them, with all the gradients that it spoilt
in_all        what comes before them: how many, in which order, and which only help together
as_data       the same for programs

Each view shows these: the terminal, `why`, notebooks, captions, annotations, JSON.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from minitape.explain.report import (
    SAYS,
    CallReport,
    Confidence,
    Finding,
    Nudge,
    Outcome,
    Place,
    Report,
    SourceReport,
    lines_in_words,
    listed,
)

_Key = tuple[str, str, int]  # `Finding.mistake`
_Gradient = tuple[Place, str, int]  # a gradient call of the source, and a place among its sources
_ERRORS = (Outcome.NONE, Outcome.NAN, Outcome.ERROR)
_CLAUSES = 3
_FIXES = 3
_ORDERED = 8
_LONGEST = 1_000  # characters of a new line that is shown
_TOO_LONG = "(the new line is too long to be written out)"


@dataclass
class Mistake:
    """A cause on a line: the findings that tell of it, the first one first, and the gradients that it spoilt.

    `source` is the first of them, `asked` the calls that met it, the first of each line, and `visits` the rounds in which they
    did. `fixes` differ in more than the names of the sources; `likewise` are those whose fix is the first one with their name.
    """

    finding: Finding
    source: SourceReport
    nudge: Nudge | None = None
    stretches: list[Finding] = field(default_factory=list)
    fixes: list[str] = field(default_factory=list)
    likewise: dict[str, None] = field(default_factory=dict)
    asked: dict[Place, CallReport] = field(default_factory=dict)
    visits: dict[Place, list[int]] = field(default_factory=dict)
    rounds: dict[Place, int] = field(default_factory=dict)
    told: dict[tuple[str, Outcome], dict[str, None]] = field(default_factory=dict)
    mending: dict[str, dict[str, None]] = field(default_factory=dict)

    @property
    def call(self) -> CallReport:
        """The first call that met it."""
        return next(iter(self.asked.values()))

    @property
    def names(self) -> list[str]:
        """The sources whose gradients it spoilt, each once."""
        return list(dict.fromkeys(name for names in self.told.values() for name in names))

    @property
    def outcomes(self) -> list[Outcome]:
        return list(dict.fromkeys(outcome for _, outcome in self.told))

    @property
    def is_error(self) -> bool:
        return any(outcome in _ERRORS for outcome in self.outcomes)

    @property
    def sure(self) -> str:
        """How sure the cause is, where it is not certain."""
        sure = self.finding.confidence
        return "" if sure is Confidence.CERTAIN else sure.value

    @property
    def headline(self) -> str:
        """What came back, and for which sources."""
        clauses = [
            f"{'that' if i else 'the gradient'}{f' of {target}' * bool(target)} with respect to "
            f"{listed(list(names))} {SAYS[outcome]}"
            for i, ((target, outcome), names) in enumerate(self.told.items())
        ]
        more = len(clauses) - _CLAUSES
        return "; ".join(clauses[:_CLAUSES]) + (f"; and {more} more" if more > 0 else "")

    @property
    def often(self) -> str:
        """In how many rounds, where one call was asked in several."""
        (place, visits), *others = self.visits.items()
        rounds = self.rounds[place]
        return "" if others or rounds < 2 else f", in {len(visits)} of {rounds} rounds"

    @property
    def fix(self) -> str:
        """What to write instead; where that is not the same for all, for each."""
        also = [f"and {len(self.fixes) - _FIXES} more such"] if len(self.fixes) > _FIXES else []
        also += [f"likewise for {listed(list(self.likewise))}"] if self.likewise else []
        return "; ".join([*self.fixes[:_FIXES], *also])

    @property
    def new_line(self) -> str:
        """Where a mend by rule is one new line: its number, and the line in full; or why it is not written out."""
        lines = [line for each in self.finding.mended for line in each.lines]
        if len(lines) != 1:
            return self.finding.unwritten
        number, line = lines[0]
        return f"{number} | {line.expandtabs(4)}" if len(line) <= _LONGEST else _TOO_LONG

    @property
    def together(self) -> str:
        """Which mistakes are to be mended with this one; where it differs, for each source."""
        return "; ".join(_together(self.mending))

    def __str__(self) -> str:
        sure = f" ({self.sure})" if self.sure else ""
        written = [f"          {self.new_line}"] if self.new_line else []
        return "\n".join(
            [
                f"{self.headline}{self.often}",
                f"  {self.finding.place}: {self.finding.label}",
                f"    why : {self.finding.message}{sure}",
                f"    try : {self.fix}",
                *written,
                f"    more: minitape explain {self.finding.code}",
            ]
        )

    def take(self, call: CallReport, source: SourceReport, finding: Finding) -> None:
        """Take in one more gradient that it spoilt."""
        names = self.told.setdefault((call.target_name, source.outcome), {})
        visits = self.visits.setdefault(call.place, [])
        if call.visit not in visits[-1:]:
            visits.append(call.visit)
        self.mending.setdefault(source.mending_said, {})[source.name] = None
        if source.name in names and call.place in self.asked:
            return
        names[source.name] = None
        self.asked.setdefault(call.place, call)
        self.nudge = self.nudge or source.nudge
        if all(finding.place != each.place for each in self.stretches):
            self.stretches.append(finding)
        mine = [source.name, call.target_name]
        first = [next(iter(self.names)), self.call.target_name]
        if finding.fix in self.fixes:
            return
        if self.fixes and _same_but_for_names(self.fixes[0], finding.fix, first, mine):
            self.likewise[source.name] = None
        else:
            self.fixes.append(finding.fix)


def _same_but_for_names(one: str, other: str, ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether two texts are equal, but that each speaks of its own source and target."""
    i = j = 0
    pairs = [pair for pair in zip(ours, theirs, strict=True) if all(pair)]
    while i < len(one) and j < len(other):
        for mine, its in pairs:
            if one.startswith(mine, i) and other.startswith(its, j):
                i, j = i + len(mine), j + len(its)
                break
        else:
            if one[i] != other[j]:
                return False
            i, j = i + 1, j + 1
    return i == len(one) and j == len(other)


def mistakes_of(report: Report) -> list[Mistake]:
    """The mistakes of a report: the one that brings back most gradients first, then as they stand in the source."""
    found: dict[_Key, Mistake] = {}
    ways: dict[_Gradient, dict[frozenset[_Key], None]] = {}
    rounds: dict[Place, int] = {}
    for call in report.calls:
        rounds[call.place] = rounds.get(call.place, 0) + 1
        for source in call.sources:
            if source.findings:
                keys = [finding.mistake for finding in source.findings]
                for key, finding in zip(keys, source.findings, strict=True):
                    mistake = found.setdefault(key, Mistake(finding, source, rounds=rounds))
                    mistake.take(call, source, finding)
                known = ways.setdefault((call.place, call.text, source.index), {})
                for way in source.ways or (tuple(range(len(keys))),):
                    known[frozenset(keys[i] for i in way)] = None
    return [found[key] for key in _in_order(_as_written(report, found), ways)]


def _as_written(report: Report, found: Iterable[_Key]) -> list[_Key]:
    """As they stand in the source: the script first, then its other files as they came up."""
    files = list(dict.fromkeys([report.script, *(file for _, file, _ in found)]))
    return sorted(found, key=lambda key: (files.index(key[1]), key[2]))


def _in_order(
    keys: list[_Key], ways: dict[_Gradient, dict[frozenset[_Key], None]]
) -> Iterator[_Key]:
    """Each time the one that brings back most gradients, what came before it mended; of equals the one that more wait for."""
    mended: frozenset[_Key] = frozenset()
    waiting = list(ways.values())
    while keys:
        brings, waits = dict.fromkeys(keys, 0), dict.fromkeys(keys, 0)
        for known in waiting:
            left = [way - mended for way in known]
            for key in {key for way in left for key in way}:
                waits[key] += 1
            for key in {key for way in left if len(way) == 1 for key in way}:
                brings[key] += 1
        best = max(keys, key=lambda key: (brings[key], waits[key]))
        yield best
        keys = [key for key in keys if key != best]
        mended |= {best}
        waiting = [known for known in waiting if not any(way <= mended for way in known)]


def in_all(mistakes: Sequence[Mistake], report: Report) -> list[str]:
    """How many mistakes there are, in which order to mend them, and which only help together; nothing where there are none."""
    if not mistakes:
        return []
    places = list({each.finding.mistake[1:]: each.finding.place for each in mistakes}.values())
    where = lines_in_words(places[:_ORDERED], script=report.script)
    where += f" and {len(places) - _ORDERED} more" if len(places) > _ORDERED else ""
    if len(places) == 1:
        return [f"{_counted(mistakes)}, in {where}.", *_said_together(mistakes)]
    return [f"{_counted(mistakes)}, to mend in this order: {where}.", *_said_together(mistakes)]


def _counted(mistakes: Sequence[Mistake]) -> str:
    return f"{len(mistakes)} mistake{'s' * (len(mistakes) != 1)}"


def _said_together(mistakes: Sequence[Mistake]) -> list[str]:
    """What is to be mended together, each said once."""
    mending: dict[str, dict[str, None]] = {}
    for mistake in mistakes:
        for said, names in mistake.mending.items():
            mending.setdefault(said, {}).update(names)
    return [f"{said[0].upper()}{said[1:]}." for said in _together(mending)]


def _together(mending: dict[str, dict[str, None]]) -> list[str]:
    """What is said of all sources as it is, what is said of some with their names."""
    said = [
        words if len(mending) == 1 else f"for {listed(list(names))} {words}"
        for words, names in mending.items()
        if words
    ]
    more = len(said) - _CLAUSES
    return said[:_CLAUSES] + [f"and so in {more} more ways"] * (more > 0)


def as_data(report: Report) -> list[dict[str, Any]]:
    """The `mistakes` of `minitape explain --json`, in the order in which to mend them."""
    return [
        {
            "code": each.finding.code,
            "slug": each.finding.slug,
            "confidence": each.finding.confidence.value,
            "file": each.finding.place.file,
            "line": each.finding.place.line,
            "label": each.finding.label,
            "message": each.finding.message,
            "fixes": each.fixes,
            "sources": each.names,
            "outcomes": [outcome.value for outcome in each.outcomes],
            "asked": [
                {"file": place.file, "line": place.line, "rounds": len(each.visits[place])}
                for place in each.asked
            ],
            "together": each.together or None,
            "diff": "".join(one.diff for one in each.finding.mended) or None,
        }
        for each in mistakes_of(report)
    ]

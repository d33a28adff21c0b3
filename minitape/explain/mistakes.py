"""One entry for each mistake: findings with the same cause and line are merged, for any number of sources, iterations and calls.

mistakes_of   the mistakes of a report, in the order in which to fix them
Mistake       one of them, with all the gradients that it affects
in_all        the sentences above the mistakes: how many there are, in which order to fix them, and which must be fixed together
as_data       the same for programs

All views show these mistakes: the terminal, `why`, notebooks, captions, annotations, JSON.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from minitape.explain.report import (
    CallReport,
    Confidence,
    Finding,
    Location,
    Outcome,
    PerturbationResult,
    Report,
    SourceReport,
    each_line_in_words,
    lines_in_words,
    listed,
    source_quoted,
    target_quoted,
)
from minitape.explain.texts import report as texts

_Key = tuple[str, str, int]  # `Finding.mistake`
_Gradient = tuple[
    Location, str, int
]  # a gradient call of the source, and the index of one of its sources
_ERRORS = (Outcome.NONE, Outcome.NAN, Outcome.ERROR)
_CLAUSES = 3
_FIXES = 3
_ORDERED = 8
_LONGEST = 1_000  # the maximum number of characters of a new line that is shown
_TOO_LONG = "(the new line is too long to be written out)"


@dataclass
class Mistake:
    """A cause on a line, with its findings and the gradients that it affects.

    Attributes:
        finding: The first finding.
        source: The source of that finding.
        nudge: The result of perturbing a source, if that was requested.
        stretches: The first finding of each range of source text.
        fixes: The fixes that differ in more than the names of the sources.
        likewise: The sources that need the first fix with their own name in it.
        requested: The gradient calls, the first of each line.
        visits: The iterations of the gradient calls in which the cause was found.
        iterations: The number of iterations of each call.
        `reported`: The sources for each target and outcome, with the outcome in words.
        `fixes_needed`: The sources for each advice on which mistakes to fix together.
    """

    finding: Finding
    source: SourceReport
    nudge: PerturbationResult | None = None
    stretches: list[Finding] = field(default_factory=list)
    fixes: list[str] = field(default_factory=list)
    likewise: dict[str, None] = field(default_factory=dict)
    requested: dict[Location, CallReport] = field(default_factory=dict)
    visits: dict[Location, list[int]] = field(default_factory=dict)
    iterations: dict[Location, int] = field(default_factory=dict)
    reported: dict[tuple[str, Outcome, str], dict[str, None]] = field(default_factory=dict)
    fixes_needed: dict[str, dict[str, None]] = field(default_factory=dict)

    @property
    def call(self) -> CallReport:
        """The first gradient call that the mistake affects."""
        return next(iter(self.requested.values()))

    @property
    def names(self) -> list[str]:
        """The sources whose gradients the mistake affects, each once."""
        return list(dict.fromkeys(name for names in self.reported.values() for name in names))

    @property
    def outcomes(self) -> list[Outcome]:
        return list(dict.fromkeys(outcome for _, outcome, _ in self.reported))

    @property
    def outcome_text(self) -> str:
        """What came back for the sources, in words."""
        return " or ".join(dict.fromkeys(words for _, _, words in self.reported))

    @property
    def is_error(self) -> bool:
        return any(outcome in _ERRORS for outcome in self.outcomes)

    @property
    def sure(self) -> str:
        """The confidence in the cause; empty if it is certain."""
        sure = self.finding.confidence
        return "" if sure is Confidence.CERTAIN else sure.value

    @property
    def headline(self) -> str:
        """The results of the gradient calls, and their sources."""
        clauses = [
            _clause(target, words, list(names), is_first=i == 0)
            for i, ((target, _, words), names) in enumerate(self.reported.items())
        ]
        more = len(clauses) - _CLAUSES
        shown = clauses[:_CLAUSES] + [texts.MORE_CLAUSES(count=more)] * (more > 0)
        return "; ".join(shown)

    @property
    def often(self) -> str:
        """The number of iterations of a call in which the mistake was found, if the call ran more than once."""
        (location, visits), *others = self.visits.items()
        iterations = self.iterations[location]
        if others or iterations < 2:
            return ""
        return texts.IN_ITERATIONS(count=len(visits), total=iterations)

    @property
    def fix(self) -> str:
        """What to write instead; if the sources need different fixes, all of these."""
        more, also = len(self.fixes) - _FIXES, list[str]()
        if more > 0:
            also.append(texts.MORE_FIXES(count=more))
        if self.likewise:
            also.append(texts.LIKEWISE(sources=_quoted(self.likewise)))
        return "; ".join([*self.fixes[:_FIXES], *also])

    @property
    def new_line(self) -> str:
        """The number and text of the new line, if a rule fixes the mistake by changing one line; otherwise why it is
        not shown.
        """
        lines = [line for each in self.finding.fixed for line in each.lines]
        if len(lines) != 1:
            return self.finding.unwritten
        number, line = lines[0]
        return f"{number} | {line.expandtabs(4)}" if len(line) <= _LONGEST else _TOO_LONG

    @property
    def together(self) -> str:
        """Which mistakes to fix together with this one; for each source, if they differ."""
        return "; ".join(_together(self.fixes_needed))

    def __str__(self) -> str:
        sure = f" ({self.sure})" if self.sure else ""
        written = [f"          {self.new_line}"] if self.new_line else []
        return "\n".join(
            [
                f"{self.headline}{self.often}",
                f"  {self.finding.location}: {self.finding.label}",
                f"    why : {self.finding.message}{sure}",
                f"    try : {self.fix}",
                *written,
                f"    more: minitape explain {self.finding.code}",
            ]
        )

    def take(self, call: CallReport, source: SourceReport, finding: Finding) -> None:
        """Add one more gradient that the mistake affects."""
        key = call.target_name, source.outcome, source.outcome_text
        names = self.reported.setdefault(key, {})
        visits = self.visits.setdefault(call.location, [])
        if call.visit not in visits[-1:]:
            visits.append(call.visit)
        self.fixes_needed.setdefault(source.fixes_needed_text, {})[source.name] = None
        if source.name in names and call.location in self.requested:
            return
        names[source.name] = None
        self.requested.setdefault(call.location, call)
        self.nudge = self.nudge or source.nudge
        if all(finding.location != each.location for each in self.stretches):
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
    """Whether two texts differ only in the names of their source and target."""
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
    """Return the mistakes of a report, beginning with those whose fixes restore the most gradients, then in the order
    of the source text.
    """
    found: dict[_Key, Mistake] = {}
    fix_sets: dict[_Gradient, dict[frozenset[_Key], None]] = {}
    iterations: dict[Location, int] = {}
    for call in report.calls:
        iterations[call.location] = iterations.get(call.location, 0) + 1
        for source in call.sources:
            if source.findings:
                keys = [finding.mistake for finding in source.findings]
                for key, finding in zip(keys, source.findings, strict=True):
                    mistake = found.setdefault(key, Mistake(finding, source, iterations=iterations))
                    mistake.take(call, source, finding)
                known = fix_sets.setdefault((call.location, call.text, source.index), {})
                for fix_set in source.fix_sets or (tuple(range(len(keys))),):
                    known[frozenset(keys[i] for i in fix_set)] = None
    return [found[key] for key in _in_order(_as_written(report, found), fix_sets)]


def _as_written(report: Report, found: Iterable[_Key]) -> list[_Key]:
    """Return, in the order of the source: the script first, then its other files in the order in which they occurred."""
    files = list(dict.fromkeys([report.script, *(file for _, file, _ in found)]))
    return sorted(found, key=lambda key: (files.index(key[1]), key[2]))


def _in_order(
    keys: list[_Key], fix_sets: dict[_Gradient, dict[frozenset[_Key], None]]
) -> Iterator[_Key]:
    """Yield repeatedly the mistake whose fix restores the most gradients after the previous fixes; if several do, the one on more
    paths.
    """
    fixed: frozenset[_Key] = frozenset()
    waiting = list(fix_sets.values())
    while keys:
        brings, waits = dict.fromkeys(keys, 0), dict.fromkeys(keys, 0)
        for known in waiting:
            left = [fix_set - fixed for fix_set in known]
            for key in {key for fix_set in left for key in fix_set}:
                waits[key] += 1
            for key in {key for fix_set in left if len(fix_set) == 1 for key in fix_set}:
                brings[key] += 1
        best = max(keys, key=lambda key: (brings[key], waits[key]))
        yield best
        keys = [key for key in keys if key != best]
        fixed |= {best}
        waiting = [known for known in waiting if not any(fix_set <= fixed for fix_set in known)]


def in_all(mistakes: Sequence[Mistake], report: Report) -> list[str]:
    """Return how many mistakes there are, in which order to fix them, and which must be fixed together; empty if there
    is none.
    """
    if not mistakes:
        return []
    locations = list(
        {each.finding.mistake[1:]: each.finding.location for each in mistakes}.values()
    )
    return [_counted(len(mistakes), locations, report.script), *_joint_fixes(mistakes)]


def _counted(number: int, locations: Sequence[Location], script: str) -> str:
    """Return how many mistakes there are, and in which order to fix them."""
    count = texts.ONE_MISTAKE if number == 1 else texts.MISTAKES(count=number)
    if len(locations) == 1:
        return texts.ONE_LOCATION(count=count, line=lines_in_words(locations, script=script))
    if len(locations) == 2:
        first, second = each_line_in_words(locations, script=script)
        return texts.TWO_LOCATIONS(count=count, first=first, second=second)
    lines = lines_in_words(locations[:_ORDERED], script=script)
    if len(locations) > _ORDERED:
        lines = texts.AND_MORE(items=lines, count=len(locations) - _ORDERED)
    return texts.MORE_LOCATIONS(count=count, lines=lines)


def _clause(target: str, outcome: str, names: list[str], *, is_first: bool) -> str:
    """Return what came back for some sources of a target, as a part of the headline."""
    sources = _quoted(names)
    if not target:
        clause = texts.GRADIENT if is_first else texts.THAT_GRADIENT
        return clause(sources=sources, outcome=outcome)
    clause_of = texts.GRADIENT_OF if is_first else texts.THAT_GRADIENT_OF
    return clause_of(target=target_quoted(target), sources=sources, outcome=outcome)


def _quoted(names: Iterable[str]) -> str:
    """Return names as a list in a sentence."""
    return listed(list(map(source_quoted, names)))


def _joint_fixes(mistakes: Sequence[Mistake]) -> list[str]:
    """Return which mistakes to fix together, each advice once."""
    fixes_needed: dict[str, dict[str, None]] = {}
    for mistake in mistakes:
        for said, names in mistake.fixes_needed.items():
            fixes_needed.setdefault(said, {}).update(names)
    return [f"{said[0].upper()}{said[1:]}." for said in _together(fixes_needed)]


def _together(fixes_needed: dict[str, dict[str, None]]) -> list[str]:
    """Return advice for all sources as it is, and advice for some of them with their names."""
    said = [
        words if len(fixes_needed) == 1 else texts.FOR_SOURCES(sources=_quoted(names), advice=words)
        for words, names in fixes_needed.items()
        if words
    ]
    more = len(said) - _CLAUSES
    return said[:_CLAUSES] + [texts.MORE_COMBINATIONS(count=more)] * (more > 0)


def as_data(report: Report) -> list[dict[str, Any]]:
    """Return the `mistakes` of `minitape explain --json`, in the order in which to fix them."""
    return [
        {
            "code": each.finding.code,
            "slug": each.finding.slug,
            "confidence": each.finding.confidence.value,
            "file": each.finding.location.file,
            "line": each.finding.location.line,
            "label": each.finding.label,
            "message": each.finding.message,
            "fixes": each.fixes,
            "sources": each.names,
            "outcomes": [outcome.value for outcome in each.outcomes],
            "requested": [
                {
                    "file": location.file,
                    "line": location.line,
                    "iterations": len(each.visits[location]),
                }
                for location in each.requested
            ],
            "together": each.together or None,
            "diff": "".join(one.diff for one in each.finding.fixed) or None,
        }
        for each in mistakes_of(report)
    ]

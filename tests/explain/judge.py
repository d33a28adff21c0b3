"""Scores the explanation of each case: python tests/explain/judge.py [name or folder ...]

    Case         a script that lost a gradient (or did not), and the expected explanation
    explained    the actual explanation
    complaints   a sentence for each expectation that the explanation does not meet
    points       1 for the right cause on the right line, 0.5 if the line is only acceptable

The expectations were decided, and checked on TensorFlow, before the explainer was run.
"""

import collections
import functools
import io
import json
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from traced import run

from minitape import keras
from minitape.explain.explain import explain
from minitape.explain.report import CallReport, Finding, Outcome, Report, SourceReport
from minitape.run.outcome import Run

HERE = Path(__file__).parent


Line = int | str  # a line of the script, or `model.py:12`


@dataclass(frozen=True)
class Cause:
    """The cause that a good teacher would name for some sources of a call, and the lines to which a finding may point."""

    affected: frozenset[int]
    slugs: frozenset[str]
    lines: frozenset[Line]
    accepted_lines: frozenset[Line]

    def points(self, finding: Finding, script: Path) -> float:
        """Return 1 for the cause on its line, 0.5 for the cause on an acceptable line, and otherwise 0."""
        file, line = Path(finding.location.file).name, finding.location.line
        at: Line = line if file == script.name else f"{file}:{line}"
        if finding.slug not in self.slugs:
            return 0.0
        if at in self.lines:
            return 1.0
        return 0.5 if at in self.accepted_lines else 0.0


@dataclass(frozen=True)
class Case:
    """A script, the call in question, and its causes; a healthy script has no causes.

    If a source has two causes, the first must be reported first, and the other anywhere. A script with several calls in
    question results in one case for each call; each case has the lines of the others. The explainer is known to fail on a case
    that is marked as missed. For the sources in `partly`, the cause removes only a part of the gradient.
    """

    name: str
    script: Path
    outcome: Outcome
    line: int
    visit: int
    causes: tuple[Cause, ...]
    zeros_are_meant: bool
    notes: frozenset[tuple[str, int]]
    beside: frozenset[int] = frozenset()
    is_missed: bool = False
    partly: frozenset[int] = frozenset()

    def causes_of(self, source: int) -> list[Cause]:
        return [cause for cause in self.causes if source in cause.affected]

    def points(self, source: SourceReport) -> float:
        """The fraction of its causes that a source's findings name."""
        causes, findings = self.causes_of(source.index), source.findings
        if not findings:
            return 0.0
        first = causes[0].points(findings[0], self.script)
        others = [
            max(cause.points(finding, self.script) for finding in findings) for cause in causes[1:]
        ]
        return (first + sum(others)) / len(causes)


@dataclass(frozen=True)
class Explanation:
    """How a script ran, and the explanation of its gradient calls."""

    ran: Run
    report: Report

    def call(self, case: Case) -> CallReport | None:
        """The explanation of the call in question."""
        wanted = case.line, case.visit
        found = (each for each in self.report.calls if (each.location.line, each.visit) == wanted)
        return next(found, None)


def _cause(entry: dict[str, Any]) -> Cause:
    return Cause(
        affected=frozenset(entry["affected"]),
        slugs=frozenset([entry["cause"], *entry["accept_causes"]]),
        lines=frozenset(entry["lines"]),
        accepted_lines=frozenset(entry["accept_lines"]),
    )


def _cases(script: Path, entry: dict[str, Any]) -> Iterator[Case]:
    """Return one case for each call in question."""
    outcome = Outcome(entry["outcome"])
    notes = frozenset((note["code"], note["line"]) for note in entry.get("notes", ()))
    if outcome is Outcome.OK and "cause" not in entry:
        zeros = entry.get("zeros_meant", False)
        yield Case(script.stem, script, outcome, 0, 0, (), zeros, notes)
        return
    entries = [entry, *entry.get("elsewhere", ())]
    places = [(each["gradient_call"]["line"], each["gradient_call"]["visit"]) for each in entries]
    for number, (each, place) in enumerate(zip(entries, places, strict=True), start=1):
        name = script.stem if number == 1 else f"{script.stem}@{number}"
        causes = [each, each["also"]] if "also" in each else [each]
        beside = frozenset(line for line, _ in places) - {place[0]}
        yield Case(
            name,
            script,
            Outcome(each["outcome"]),
            *place,
            tuple(map(_cause, causes)),
            False,
            notes,
            beside,
            each.get("missed", False),
            frozenset(each.get("partly", ())),
        )


def pages() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield each script with its expectations, folder by folder."""
    for expected in sorted((HERE / "cases").glob("*/expected.json")):
        for name, entry in json.loads(expected.read_text(encoding="utf-8")).items():
            yield expected.parent / f"{name}.py", entry


def of_each_case(names: Iterable[str]) -> pytest.MarkDecorator:
    """Parametrize a test with these cases. A script is run once for all such tests, because they run on the same worker."""
    return pytest.mark.together("name", names, parts=16, one_in=4, beside="cases")


CASES = {case.name: case for script, entry in pages() for case in _cases(script, entry)}


def explained(name: str) -> Explanation:
    """Run a case's script and explain it."""
    return _explained(CASES[name].script)


@functools.cache
def _explained(script: Path) -> Explanation:
    keras.backend.clear_session()  # otherwise, layer names would continue the numbering of the last script
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NaN and integers cause warnings, as in TensorFlow
        ran = run(script, on="minitape", stdout=io.StringIO())
    return Explanation(ran, explain(ran.trace))


def complaints(case: Case) -> list[str]:
    """Return a sentence for every expectation of a case that the explanation does not meet."""
    explanation = explained(case.name)
    return [
        *unfit_to_run(case, explanation),
        *wrong_outcomes(case, explanation),
        *wrong_findings(case, explanation),
        *false_alarms(case, explanation),
        *poor_words(case, explanation),
        *wrong_notes(case, explanation),
    ]


def unfit_to_run(case: Case, explanation: Explanation) -> list[str]:
    """Return why a script is unsuitable: a healthy script must end normally, a broken one must reach the call in question."""
    error = explanation.ran.error
    reported = "" if error is None else f" ({error.type}: {error.message})"
    if case.outcome is Outcome.OK:
        return [] if explanation.ran.ok else ["the script fails" + reported]
    return [] if explanation.call(case) else ["the gradient call is not reached" + reported]


def wrong_outcomes(case: Case, explanation: Explanation) -> list[str]:
    """Yield the sources whose reported outcome is wrong."""
    if case.outcome is Outcome.OK:
        fine = {Outcome.OK, Outcome.ZERO} if case.zeros_are_meant else {Outcome.OK}
        sources = [each for call in explanation.report.calls for each in call.sources]
        wrong = [each for each in sources if each.outcome not in fine]
        return [f"{each.name} is said to be {each.outcome}" for each in wrong]
    call = explanation.call(case)
    if call is None:
        return []
    wrong = []
    for source in call.sources:
        is_hit = case.outcome is Outcome.ERROR or case.causes_of(source.index)
        expected = case.outcome if is_hit else Outcome.OK
        expected = Outcome.PARTIAL if source.index in case.partly else expected
        if source.outcome is not expected:
            wrong.append(f"{source.name} is said to be {source.outcome}, and is {expected}")
    return wrong


def wrong_findings(case: Case, explanation: Explanation) -> list[str]:
    """Yield the affected sources whose first finding is not the cause, or is not on its line."""
    call = explanation.call(case)
    if call is None:
        return []
    wrong = []
    for source in call.sources:
        causes = case.causes_of(source.index)
        if not causes or case.points(source) == 1.0:
            continue
        said = (
            ", ".join(f"{f.slug} at line {f.location.line}" for f in source.findings) or "nothing"
        )
        expected = ", ".join(
            f"{'/'.join(sorted(c.slugs))} at {sorted(c.lines, key=str)}" for c in causes
        )
        wrong.append(f"{source.name}: said {said}; expected {expected}")
    missing = [i for cause in case.causes for i in cause.affected if i >= len(call.sources)]
    return wrong + [f"source {i} is missing" for i in missing]


def false_alarms(case: Case, explanation: Explanation) -> list[str]:
    """Yield the findings on sources whose gradient is correct."""
    alarms = []
    for call in explanation.report.calls:
        in_question = (call.location.line, call.visit) == (case.line, case.visit)
        for source in call.sources:
            if not case.causes:
                may_speak = False
            elif call.location.line in case.beside:
                may_speak = True  # a separate case
            elif in_question:
                hit = bool(case.causes_of(source.index))
                may_speak = hit or source.index in case.partly or case.outcome is Outcome.ERROR
            else:  # the cause may have affected other iterations and calls as well
                hit = bool(case.causes_of(source.index)) or source.index in case.partly
                is_a_round = call.location.line == case.line and hit
                may_speak = is_a_round or source.outcome not in {Outcome.OK, Outcome.PARTIAL}
            if source.findings and not may_speak:
                alarms.append(_alarm(call, source))
    return alarms


def _alarm(call: CallReport, source: SourceReport) -> str:
    said = source.findings[0]
    return f"false alarm for {source.name} at line {call.location.line}: {said.slug} at line {said.location.line}"


def wrong_notes(case: Case, explanation: Explanation) -> list[str]:
    """Yield notes that are missing, on a different line or superfluous, and notes without a fix."""
    notes = explanation.report.notes
    reported = {(note.code, note.location.line) for note in notes}
    wrong = [f"no {code} at line {line} is noted" for code, line in sorted(case.notes - reported)]
    wrong += [f"{code} at line {line} is noted" for code, line in sorted(reported - case.notes)]
    return wrong + [f"{note.slug} has no fix" for note in notes if not note.fix.strip()]


def poor_words(case: Case, explanation: Explanation) -> list[str]:
    """Yield findings that name neither the source nor a line, or that have no fix."""
    call = explanation.call(case)
    if call is None:
        return []
    poor = []
    for source in call.sources:
        for finding in source.findings:
            named = set(map(int, re.findall(r"[Ll]ine (\d+)", finding.message)))
            known = {*finding.lines, call.location.line}
            if source.name not in finding.message and not named & known:
                poor.append(f"names neither source nor line: {finding.message!r}")
            if not finding.fix.strip():
                poor.append(f"{finding.slug} has no fix")
    return poor


def points(case: Case) -> float:
    """The quality of the answer, from 0 to 1; for a healthy script nothing may be reported except the expected notes."""
    explanation = explained(case.name)
    if not case.causes:
        quiet = not unfit_to_run(case, explanation) and not false_alarms(case, explanation)
        return float(quiet and not wrong_notes(case, explanation))
    call = explanation.call(case)
    if call is None:
        return 0.0
    each = [case.points(source) for source in call.sources if case.causes_of(source.index)]
    return sum(each) / len(each) if each else 0.0


def main(names: list[str]) -> None:
    totals: dict[str, list[float]] = collections.defaultdict(list)
    for name, case in CASES.items():
        if names and not {name, case.script.parent.name} & set(names):
            continue
        totals[name.split("_")[0]].append(points(case))
        for complaint in complaints(case):
            print(f"{name}: {complaint}")
    for slug, each in totals.items():
        print(f"{slug:26} {sum(each):5.2f} of {len(each)}")
    everything = [each for group in totals.values() for each in group]
    print(f"{'all':26} {sum(everything):5.2f} of {len(everything)}")


if __name__ == "__main__":
    main(sys.argv[1:])

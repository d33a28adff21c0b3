"""The programs that come with minitape and those of the guides, with the reviewed findings of each program.

    PROGRAMS   the lessons, the examples and the guides, by name
    Said       the parts of a finding that can be true or false
    reviewed   the right findings of a program, from `reviewed.json`; a person reviewed each of them
    noted      the entries with `"noted": true`: zero gradients that are correct and harmless, and are therefore notes

Programs and calls that are not in `reviewed.json` are healthy, so any finding about them is a false alarm.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from minitape import examples
from minitape.explain.report import Finding, Report

ROOT = Path(__file__).parents[2]
PROGRAMS = {
    path.relative_to(ROOT).as_posix(): path
    for path in (
        *sorted((ROOT / "tutorials").glob("*/lesson.py")),
        *(ROOT / "minitape" / "examples" / each.path.name for each in examples.catalog()),
        *sorted((ROOT / "tests" / "guides" / "scripts").glob("*.py")),
    )
}
REVIEWED = json.loads(Path(__file__).with_name("reviewed.json").read_text(encoding="utf-8"))


@dataclass(frozen=True, order=True)
class Said:
    """The parts of a finding that can be true or false: the line of the call, the source, what happened and where."""

    call: int
    source: str
    code: str
    line: int
    confidence: str


def said_in(report: Report) -> set[Said]:
    return {said for said, _ in said_by(report)}


def said_by(report: Report) -> Iterator[tuple[Said, Finding]]:
    """Return each finding of a report, by the parts that can be true or false."""
    for call in report.calls:
        for source in call.sources:
            for f in source.findings:
                at = call.location.line, source.name, f.code, f.location.line
                yield Said(*at, f.confidence.value), f


def reviewed(name: str) -> list[Said]:
    """Return the right findings of a program."""
    keys = [field.name for field in fields(Said)]
    findings = (entry for entry in REVIEWED.get(name, []) if not entry.get("noted"))
    return [Said(*(entry[key] for key in keys)) for entry in findings]


def noted(name: str) -> set[tuple[int, str, int]]:
    """Return the right notes of a program: the line of the call, the code and the line."""
    entries = (entry for entry in REVIEWED.get(name, []) if entry.get("noted"))
    return {(entry["call"], entry["code"], entry["line"]) for entry in entries}

"""The explainer's confidence, compared with how often it was right, for all programs of the tests: python tests/explain/sure.py

    Kind      findings with the same cause, evidence and confidence
    Count     how often such a finding was right, wrong, or not judged
    counted   the counts of each kind over the cases, the lessons, the examples and the guides
    table     the counts as lines of text

A finding is right if it was expected: it names a cause of its source on an expected line, or it is in `reviewed.json`. A
finding is wrong if the gradient of its source is correct, or if it is the first finding and names a different cause. Further
findings of a lost source, and findings of other calls that the same mistake affects, are not judged.
"""

import functools
import io
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from explain.judge import CASES, Case, explained
from explain.programs import PROGRAMS, reviewed, said_by
from traced import run

import minitape as tf
from minitape.explain.explain import explain
from minitape.explain.report import CallReport, Confidence, Evidence, Finding, Outcome, SourceReport


class Kind(NamedTuple):
    """Findings that are counted together."""

    slug: str
    evidence: Evidence
    confidence: Confidence


@dataclass
class Count:
    """The counts, and the programs in which a finding was wrong."""

    right: int = 0
    unjudged: int = 0
    wrong: tuple[str, ...] = ()


@functools.cache
def counted() -> dict[Kind, Count]:
    """The counts for each kind of finding, over all programs."""
    counts: dict[Kind, Count] = defaultdict(Count)
    for program, finding, is_right in (*_in_cases(), *_in_programs()):
        count = counts[Kind(finding.slug, finding.evidence, finding.confidence)]
        if is_right is None:
            count.unjudged += 1
        elif is_right:
            count.right += 1
        else:
            count.wrong += (f"{program}: {finding.slug} at {finding.location}",)
    return dict(counts)


_Judged = tuple[str, Finding, bool | None]


def _in_cases() -> Iterator[_Judged]:
    for name, case in CASES.items():
        for call in explained(name).report.calls:
            for source in call.sources:
                for place, finding in enumerate(source.findings):
                    yield name, finding, _is_right(case, call, source, place)


def _is_right(case: Case, call: CallReport, source: SourceReport, place: int) -> bool | None:
    """Return whether the finding is right; None if it was not judged."""
    if case.is_missed:
        return None  # this is known, and `test_cases` reports it
    if (call.location.line, call.visit) != (case.line, case.visit):
        return None if case.causes and source.outcome is not Outcome.OK else False
    causes = case.causes_of(source.index)
    if not causes:
        return None if case.outcome is Outcome.ERROR else False
    finding = source.findings[place]
    if any(cause.points(finding, case.script) for cause in causes):
        return True
    return None if place else False


def _in_programs() -> Iterator[_Judged]:
    for name, path in PROGRAMS.items():
        tf.keras.backend.clear_session()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the guides also contain mistakes
            ran = run(path, on="minitape", stdout=io.StringIO(), timeout=60, max_ops=0)
        known = set(reviewed(name))
        for said, finding in said_by(explain(ran.trace)):
            yield name, finding, said in known


def table() -> str:
    """Yield a line for each kind of finding: how often it was right, wrong, and not judged."""
    head = f"{'cause':26} {'by':8} {'said to be':10} {'right':>5} {'wrong':>5} {'not judged':>10}"
    lines = [
        f"{kind.slug:26} {kind.evidence:8} {kind.confidence:10} "
        f"{count.right:5} {len(count.wrong):5} {count.unjudged:10}"
        for kind, count in sorted(counted().items())
    ]
    return "\n".join([head, *lines, *_in_all()])


def _in_all() -> Iterator[str]:
    for confidence in Confidence:
        counts = [each for kind, each in counted().items() if kind.confidence is confidence]
        right, wrong = sum(each.right for each in counts), sum(len(each.wrong) for each in counts)
        yield f"{confidence}: right in {right} of {right + wrong}"


if __name__ == "__main__":
    print(table())

"""Merge findings that have the same fix.

`reported_once`   findings and sets of fixes, with each fix only in the first finding that has it
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from minitape.explain.report import Finding

_FixSets = tuple[tuple[int, ...], ...]


def reported_once(
    findings: Sequence[Finding], fix_sets: _FixSets
) -> tuple[tuple[Finding, ...], _FixSets]:
    """Return the findings without those that have the same fix as an earlier one; `fix_sets` are sets of their indices.

    If values left the tape in three calls and came back as one, each call has a finding that advises all three changes.
    """
    kept: list[Finding] = []
    at: list[int] = []
    for finding in findings:
        index = next((i for i, each in enumerate(kept) if _is_same_fix(each, finding)), len(kept))
        at.append(index)
        kept[index:] = (
            [_both(kept[index], finding), *kept[index + 1 :]] if index < len(kept) else [finding]
        )
    changed = dict.fromkeys(tuple(sorted({at[i] for i in fix_set})) for fix_set in fix_sets)
    return tuple(kept), tuple(fix_set for fix_set in changed if not _is_more(fix_set, changed))


def _is_same_fix(one: Finding, other: Finding) -> bool:
    return (one.slug, one.location.file) == (other.slug, other.location.file) and (
        _steps(one.fix) == _steps(other.fix) != set()
    )


def _steps(fix: str) -> set[str]:
    """Return the changes that a fix lists, one by one; none if the fix does not give the line of each change."""
    changes = re.sub(r"; \S+ then needs `import tensorflow as tf`$", "", fix)
    steps = set(re.split(r"(?<=\d\))(?:, and | and |, )(?:use )?", changes.removeprefix("use ")))
    return (
        steps
        if len(steps) > 1 and all(re.search(r"\(line \d+\)$", each) for each in steps)
        else set()
    )


def _both(one: Finding, other: Finding) -> Finding:
    """Return the first finding, with the lines of the other added."""
    said = dict(zip(other.lines, other.parts, strict=True)) | dict(
        zip(one.lines, one.parts, strict=True)
    )
    lines = tuple(dict.fromkeys([one.lines[0], other.lines[0], *one.lines, *other.lines]))
    events = tuple(dict.fromkeys([*one.events, *other.events]))
    return replace(one, lines=lines, parts=tuple(said[line] for line in lines), events=events)


def _is_more(fix_set: tuple[int, ...], fix_sets: Iterable[tuple[int, ...]]) -> bool:
    """Whether a subset of a set of fixes is enough."""
    return any(set(each) < set(fix_set) for each in fix_sets)

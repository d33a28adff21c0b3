"""Merge findings that have the same fix.

`told_once`   findings and sets of fixes, each fix only in the first finding that has it
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from minitape.explain.report import Finding

_Ways = tuple[tuple[int, ...], ...]


def told_once(findings: Sequence[Finding], ways: _Ways) -> tuple[tuple[Finding, ...], _Ways]:
    """The findings without those that have the same fix as an earlier one; `ways` are sets of their indices.

    A value that left the tape in three calls, and came back as one, is cut at each call: each finding advises all three changes.
    """
    kept: list[Finding] = []
    at: list[int] = []
    for finding in findings:
        place = next((i for i, each in enumerate(kept) if _is_same_mend(each, finding)), len(kept))
        at.append(place)
        kept[place:] = (
            [_both(kept[place], finding), *kept[place + 1 :]] if place < len(kept) else [finding]
        )
    changed = dict.fromkeys(tuple(sorted({at[i] for i in way})) for way in ways)
    return tuple(kept), tuple(way for way in changed if not _is_more(way, changed))


def _is_same_mend(one: Finding, other: Finding) -> bool:
    return (one.slug, one.place.file) == (other.slug, other.place.file) and (
        _steps(one.fix) == _steps(other.fix) != set()
    )


def _steps(fix: str) -> set[str]:
    """The changes that a fix lists, one by one; none for a fix that does not give the line of each."""
    steps = set(fix.split(" and "))
    return (
        steps
        if len(steps) > 1 and all(re.search(r"\(line \d+\)$", each) for each in steps)
        else set()
    )


def _both(one: Finding, other: Finding) -> Finding:
    """The first finding, with the lines of the other."""
    said = dict(zip(other.lines, other.parts, strict=True)) | dict(
        zip(one.lines, one.parts, strict=True)
    )
    lines = tuple(dict.fromkeys([one.lines[0], other.lines[0], *one.lines, *other.lines]))
    events = tuple(dict.fromkeys([*one.events, *other.events]))
    return replace(one, lines=lines, parts=tuple(said[line] for line in lines), events=events)


def _is_more(way: tuple[int, ...], ways: Iterable[tuple[int, ...]]) -> bool:
    """Whether a part of a set of fixes is enough."""
    return any(set(each) < set(way) for each in ways)

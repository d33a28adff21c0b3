"""A graded class in the terminal: the points of each student, and the common mistakes.

report    the whole report
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from minitape.course.course import Exercise
from minitape.course.grading.items import Item, StudentTotal, identical, items, totals
from minitape.course.grading.rows import GradeRow
from minitape.printable import printable
from minitape_cli.console import Symbols

_MOST_CODES = 3  # the maximum number of codes that are listed for an exercise
_MOST_LINES = 3  # the maximum number of lines that are listed for a code
_MOST_NAMES = 6
_LINE = 46  # the maximum number of characters of a program's line


def report(
    rows: Sequence[GradeRow], exercises: Sequence[Exercise], symbols: Symbols
) -> RenderableType:
    """Return the students, the exercises, and identical files."""
    shorts = {each.id: each.short for each in exercises}
    parts: list[RenderableType] = [_students(totals(rows), shorts, symbols)]
    found = items(rows, exercises)
    if found:
        parts += [Text(""), _exercises(found, shorts, symbols)]
    same = identical(rows)
    if same:
        parts += [Text(""), Text("identical files", style="bold")]
        parts += [_same(shorts[exercise], students, symbols) for exercise, students in same]
    return Group(*parts)


def _students(found: Sequence[StudentTotal], shorts: dict[str, str], symbols: Symbols) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("student", overflow="fold")
    table.add_column("points", justify="right")
    table.add_column("passed", justify="right")
    table.add_column("not passed", overflow="fold")
    for each in found:
        passed = sum(row.ok for row in each.rows)
        table.add_row(
            Text(printable(each.student)),
            f"{each.points:g}/{each.of}",
            Text(f"{passed}/{len(each.rows)}", style="green" if passed == len(each.rows) else ""),
            Text(_not_passed(each.rows, shorts, symbols)),
        )
    return table


def _not_passed(rows: Sequence[GradeRow], shorts: dict[str, str], symbols: Symbols) -> str:
    """Return a text such as `failed 01/ex1, 02/ex1; timeout 02/ex2`; for a single exercise, also the reason."""
    if len(rows) == 1:
        row = rows[0]
        return "" if row.ok else f"{row.status}: {printable(row.message)}".rstrip(": ")
    by_status: dict[str, list[str]] = {}
    for row in rows:
        if not row.ok:
            by_status.setdefault(row.status, []).append(shorts[row.exercise])
    return "; ".join(
        f"{status} {_listed(names, symbols)}" for status, names in sorted(by_status.items())
    )


def _exercises(found: Sequence[Item], shorts: dict[str, str], symbols: Symbols) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("exercise", no_wrap=True)
    table.add_column("passed", justify="right")
    table.add_column("why other submissions did not pass", overflow="fold")
    for item in found:
        rate = f"{item.passed} of {item.students} ({item.rate:.0%})"
        said = list(_had(item, symbols))
        table.add_row(shorts[item.exercise], rate, Text("\n".join(said)))
    return table


def _had(item: Item, symbols: Symbols) -> Iterator[str]:
    others = Counter(dict(item.statuses))
    del others["passed"]
    if others:
        yield ", ".join(f"{count} {status}" for status, count in others.most_common())
    if item.starters:
        yield f"{item.starters} submitted the unchanged original file"
    if item.kinds:
        yield f"checks: {', '.join(f'{kind} {symbols.times}{count}' for kind, count in item.kinds)}"
    for code in item.codes[:_MOST_CODES]:
        yield f"{code.code}: {_count(code.students)}"
        for line in code.lines[:_MOST_LINES]:
            text = printable(line.text)
            text = (
                text if len(text) <= _LINE else f"{text[: _LINE - len(symbols.dots)]}{symbols.dots}"
            )
            yield f"  line {line.number}: {text}   {_count(line.students)}"


def _count(students: int) -> str:
    return f"{students} student{'s' * (students != 1)}"


def _same(exercise: str, students: Sequence[str], symbols: Symbols) -> Text:
    return Text(f"{exercise}  {_listed([printable(each) for each in students], symbols)}")


def _listed(names: Sequence[str], symbols: Symbols) -> str:
    more = f" {symbols.dots} ({len(names)})" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more

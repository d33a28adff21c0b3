"""Writes the rows of a class in formats for other programs.

csv_head csv_row   CSV with a line for each student and exercise
wide               CSV with a line for each student
gradebook          CSV for the grade book of a learning platform
junit              JUnit XML, for CI
data               everything, for JSON
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any
from xml.etree import ElementTree

import msgspec

from minitape.course.course import Exercise
from minitape.course.grading.items import identical, items, totals
from minitape.course.grading.rows import GradeRow, GradingRun
from minitape.printable import printable_lines

_COLUMNS = (
    "student",
    "exercise",
    "status",
    "points",
    "of",
    "checks_passed",
    "checks",
    "codes",
    "seconds",
    "changed_outside",
    "hints_self_reported",
    "hash",
    "file",
    "line",
    "message",
)
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def csv_head() -> str:
    return _line(_COLUMNS)


def csv_row(row: GradeRow) -> str:
    return _line(
        (
            row.student,
            row.exercise,
            row.status,
            row.points,
            row.of,
            row.passed,
            row.checks,
            " ".join(row.codes),
            row.seconds,
            " ".join(str(each.line) if each.line else "no_block" for each in row.outside),
            "" if row.hints is None else row.hints,
            row.digest,
            row.file,
            "" if row.line is None else row.line,
            row.message,
        )
    )


def wide(rows: Sequence[GradeRow], exercises: Sequence[Exercise]) -> str:
    """Return CSV with a line for each student: points, and the status of each exercise."""
    names = [each.id for each in exercises]
    lines = [_line(("student", "points", "of", *names))]
    for total in totals(rows):
        status = {row.exercise: row.status for row in total.rows}
        statuses = [status.get(name, "") for name in names]
        lines.append(_line((total.student, total.points, total.of, *statuses)))
    return "".join(lines)


def gradebook(rows: Sequence[GradeRow], title: str) -> str:
    """Return CSV with a line for each student, as the grade books of Canvas and Moodle import it.

    Canvas needs the first five columns under these names and finds a student by one of the three identifiers. Moodle lets the
    teacher choose the column of the user and the column of the grade. The name of a submission is used as the name and the login.

    Args:
        rows: The rows of all students.
        title: The column of the points.
    """
    head = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", title)
    lines = [_line(head)]
    for total in totals(rows):
        lines.append(_line((total.student, "", "", total.student, "", total.points)))
    return "".join(lines)


def _line(cells: Iterable[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([_harmless(each) for each in cells])
    return text.getvalue()


def _harmless(cell: object) -> object:
    """Return a cell; a text that a spreadsheet would run as a formula gets an apostrophe in front."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in tuple("=+-@\t\r") else cell


def junit(rows: Sequence[GradeRow]) -> bytes:
    """Return JUnit XML with a suite for each student and a case for each exercise."""
    root = ElementTree.Element("testsuites")
    for total in totals(rows):
        kinds = {row.exercise: _kind(row) for row in total.rows}
        counts = {
            "tests": len(total.rows),
            "failures": sum(kind == "failure" for kind in kinds.values()),
            "errors": sum(kind == "error" for kind in kinds.values()),
        }
        counted = {name: str(count) for name, count in counts.items()}
        about = {"name": _plain(total.student), **counted}
        suite = ElementTree.SubElement(root, "testsuite", about)
        for row in total.rows:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=_plain(row.student),
                name=row.exercise,
                time=f"{row.seconds:.2f}",
            )
            kind = kinds[row.exercise]
            if kind:
                said = _plain(row.message)
                ElementTree.SubElement(case, kind, type=row.status, message=said).text = said
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _kind(row: GradeRow) -> str:
    if row.ok:
        return ""
    return "failure" if row.status in ("failed", "missing") else "error"


def _plain(text: str) -> str:
    """Return a text without the characters that XML does not allow."""
    return _NOT_IN_XML.sub("·", printable_lines(text))


def data(
    rows: Sequence[GradeRow], exercises: Sequence[Exercise], run: GradingRun
) -> dict[str, Any]:
    """Return the run, the students, the rows, the exercises, and the groups of identical files."""
    return {
        "run": msgspec.to_builtins(run),
        "students": [
            {"student": each.student, "points": each.points, "of": each.of} for each in totals(rows)
        ],
        "rows": [_row(row) for row in rows],
        "items": [{**asdict(each), "rate": round(each.rate, 4)} for each in items(rows, exercises)],
        "identical_files": [
            {"exercise": exercise, "students": list(students)}
            for exercise, students in identical(rows)
        ],
    }


def _row(row: GradeRow) -> dict[str, Any]:
    """Return a row with the field names of the public format."""
    known: dict[str, Any] = msgspec.to_builtins(row)
    known["checks_passed"] = known.pop("passed")
    known["hints_self_reported"] = known.pop("hints")
    known["hash"] = known.pop("digest")
    known["failed_checks"] = known.pop("kinds")
    spots = known.pop("spots")
    known["spots"] = [{"code": code, "line": line, "text": text} for code, line, text in spots]
    return known

"""Writes an explanation as GitHub annotations, which a pull request shows next to the line.

Source: docs.github.com, "Workflow commands for GitHub Actions".
"""

from pathlib import Path

from minitape.explain.mistakes import Mistake, mistakes_of
from minitape.explain.report import GradientNote, Location, Report


def annotations(report: Report, script: str) -> str:
    """One line for each mistake and each note; `script` is the path of the script, relative to the repository."""
    reported = [_annotation(each, script) for each in mistakes_of(report)]
    reported += [_notice(note, script) for note in report.notes]
    return "".join(f"{each}\n" for each in reported)


def _annotation(mistake: Mistake, script: str) -> str:
    place, finding = mistake.finding.place, mistake.finding
    level = "error" if mistake.is_error else "warning"
    sure = f" ({mistake.sure} cause)" if mistake.sure else ""
    reported = f"{mistake.headline}{sure}\n{finding.message}\ntry: {mistake.fix}"
    if mistake.together:
        reported += f"\n{mistake.together}"
    return _command(level, place, finding.code, reported, script)


def _notice(note: GradientNote, script: str) -> str:
    reported = f"{note.headline}\n{note.message}\ntry: {note.fix}"
    return _command("notice", note.place, note.code, reported, script)


def _command(level: str, place: Location, title: str, reported: str, script: str) -> str:
    fields: dict[str, object] = {"file": _file(place.file, script)}
    if place.file.startswith("<"):  # GitHub counts the lines of a notebook's JSON
        reported = f"{place.file}:{place.line}: {reported}"
    else:
        fields |= _lines(place)
    fields["title"] = title
    where = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in fields.items())
    return f"::{level} {where}::{_escaped(reported)}"


def _lines(place: Location) -> dict[str, object]:
    if place.column < 0:
        return {"line": place.line}
    columns = {"col": place.column + 1, "endColumn": place.end_column}
    return {"line": place.line, "endLine": place.end_line, **columns}


def _file(shown: str, script: str) -> str:
    """Return a file's path in the repository. A trace names files relative to the script's folder; a cell means its notebook."""
    path = Path(script) if shown.startswith("<") else Path(script).parent / shown
    return (path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path).as_posix()


def _escaped(text: str, more: str = "") -> str:
    for sign in f"%\r\n{more}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text

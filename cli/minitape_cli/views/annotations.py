"""Writes an explanation as GitHub annotations, which a pull request shows next to the line.

Source: docs.github.com, "Workflow commands for GitHub Actions".
"""

from pathlib import Path

from minitape.explain.mistakes import Mistake, mistakes_of
from minitape.explain.report import GradientNote, Location, Report


def annotations(report: Report, script: str) -> str:
    """Return one line for each mistake and each note; `script` is the path of the script, relative to the repository."""
    reported = [_annotation(each, script) for each in mistakes_of(report)]
    reported += [_notice(note, script) for note in report.notes]
    return "".join(f"{each}\n" for each in reported)


def _annotation(mistake: Mistake, script: str) -> str:
    location, finding = mistake.finding.location, mistake.finding
    level = "error" if mistake.is_error else "warning"
    sure = f" ({mistake.sure} cause)" if mistake.sure else ""
    reported = f"{mistake.headline}{sure}\n{finding.message}\ntry: {mistake.fix}"
    if mistake.together:
        reported += f"\n{mistake.together}"
    return _command(level, location, finding.code, reported, script)


def _notice(note: GradientNote, script: str) -> str:
    reported = f"{note.headline}\n{note.message}\ntry: {note.fix}"
    return _command("notice", note.location, note.code, reported, script)


def _command(level: str, location: Location, title: str, reported: str, script: str) -> str:
    fields: dict[str, object] = {"file": _file(location.file, script)}
    if location.file.startswith("<"):  # GitHub counts the lines of a notebook's JSON
        reported = f"{location.file}:{location.line}: {reported}"
    else:
        fields |= _lines(location)
    fields["title"] = title
    where = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in fields.items())
    return f"::{level} {where}::{_escaped(reported)}"


def _lines(location: Location) -> dict[str, object]:
    if location.column < 0:
        return {"line": location.line}
    columns = {"col": location.column + 1, "endColumn": location.end_column}
    return {"line": location.line, "endLine": location.end_line, **columns}


def _file(shown: str, script: str) -> str:
    """Return a file's path in the repository. A trace names files relative to the script's folder; a cell means its notebook."""
    path = Path(script) if shown.startswith("<") else Path(script).parent / shown
    return (path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path).as_posix()


def _escaped(text: str, more: str = "") -> str:
    for sign in f"%\r\n{more}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text

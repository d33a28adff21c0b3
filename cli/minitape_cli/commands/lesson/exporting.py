"""`minitape lesson export`: lessons and exercises as notebooks."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minitape.printable import escaped
from minitape_cli import messages, options
from minitape_cli.console import Terminal, write

if TYPE_CHECKING:
    from minitape.course.course import Course


class ExportKind(StrEnum):
    """The format of an exported lesson."""

    IPYNB = "ipynb"


def export(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]", help="Lessons (04) and exercises (04/ex2). Default: all."),
    ] = None,
    kind: Annotated[ExportKind, typer.Option("--to", help="Choose the format.")] = ExportKind.IPYNB,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="DIR", help="Write to DIR. Creates DIR if needed."),
    ] = Path("notebooks"),
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Export lessons and exercises as notebooks.

    In a course folder, export your own versions of the files.
    """
    import json

    from minitape.course.course import course
    from minitape.course.notebooks import notebook
    from minitape.course.workspace import found
    from minitape.errors import CourseError
    from minitape.storage import read_text

    terminal = Terminal(color)
    workspace = found()
    taught = course() if workspace is None else workspace.course
    folder = taught.folder if workspace is None else workspace.folder
    shorts = {Path(f"{each.id}.py"): each.short for each in taught.exercises}
    for name in _files(taught, names or []):
        script = folder / name if (folder / name).exists() else taught.folder / name
        to = (output / name).with_suffix(f".{kind}")
        to.parent.mkdir(parents=True, exist_ok=True)
        try:
            text = read_text(script)
        except UnicodeDecodeError:
            what = messages.NOT_UTF_8.format(path=script)
            raise CourseError(what, fix="save the file as UTF-8") from None
        data = json.dumps(notebook(text, shorts.get(name)), indent=1, ensure_ascii=False)
        write((escaped(data) + "\n").encode(), to, terminal=terminal)


def _files(taught: "Course", names: list[str]) -> list[Path]:
    """Return the paths of the named scripts, relative to the course; all scripts if there are no names."""
    if not names:
        lessons = [(each.name, *(one.name for one in each.exercises)) for each in taught.lessons]
        return [Path(name) / f"{file}.py" for name, *rest in lessons for file in ("lesson", *rest)]
    files = []
    for name in names:
        if name.isdecimal() or any(name == each.name for each in taught.lessons):
            files.append(Path(taught.lesson(name).name) / "lesson.py")
        else:
            files.append(Path(f"{taught.exercise(name).id}.py"))
    return files

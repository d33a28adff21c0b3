"""`minitape explain SCRIPT --fix`: writes the verified fixes into the files of the script.

refuse    refuses what has no file to write, before the script runs
mend      shows the changes, asks, keeps a backup, and writes
"""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from minitape.printable import printable
from minitape.storage import read_file, write_whole
from minitape_cli import messages, views
from minitape_cli.asking import Asked
from minitape_cli.exits import Exit

if TYPE_CHECKING:
    from minitape.explain.report import Mended, Report
    from minitape_cli.recording import Recording


def refuse(asked: Asked) -> None:
    """Refuse everything but a script in a file of the user.

    Raises:
        typer.BadParameter: it is code, a module, a notebook, an example or a trace.
    """
    if asked.is_code or asked.name == "-":
        why = messages.FIX_NEEDS_FILE
    elif asked.is_module:
        why = messages.FIX_NOT_MODULE
    elif not isinstance(asked.what, Path):
        why = messages.FIX_NOT_NOTEBOOK
    elif asked.what != Path(asked.name or ""):
        why = messages.FIX_NOT_EXAMPLE
    else:
        asked.refuse_trace(messages.FIX_NOT_TRACE)
        return
    raise typer.BadParameter(why, param_hint="--fix")


def mend(asked: Asked, recording: "Recording", report: "Report", *, yes: bool) -> Exit:
    """Verify the fixes, show the changes, ask, and write them.

    Args:
        asked: The request of the user.
        recording: The run that the report is about.
        report: The findings.
        yes: Write without asking.
    """
    from minitape.explain.mistakes import in_all, mistakes_of
    from minitape.prove.fixing import fixed
    from minitape.run.program import of_file

    assert isinstance(asked.what, Path)
    terminal, path = asked.terminal, asked.what
    paths = {path.name: path}
    if report.ok:
        return Exit.DONE
    program = of_file(path)
    if not _is_as_heard(program.parts[0].text, path.name, recording):
        return _changed(asked, path)
    result = fixed(program, asked.args, asked.wishes, report, recording.trace)
    if not result.files:
        terminal.remark(messages.NOTHING_TO_FIX)
        return Exit.FINDING
    paths = {each.file: _path_of(each, path) for each in result.files}
    asked.show(views.mended(result))
    names = " and ".join(str(each) for each in paths.values())
    if not yes and not _agreed(messages.ASK_TO_WRITE.format(paths=printable(names))):
        terminal.remark(messages.NOT_WRITTEN)
        return Exit.FINDING
    for each in result.files:
        if not _says(paths[each.file], each.before):
            return _changed(asked, paths[each.file])
    for each in result.files:
        kept = _written(paths[each.file], each)
        terminal.remark(messages.WROTE_KEPT.format(path=paths[each.file], backup=kept))
    for line in in_all(mistakes_of(result.left), result.left):
        terminal.remark(messages.STILL_LEFT.format(line=line))
    return Exit.DONE if result.left.ok else Exit.FINDING


def _path_of(mended: "Mended", script: Path) -> Path:
    """The path of a fixed file: a trace names files relative to the script's folder."""
    return script if Path(mended.file).name == script.name else script.parent / mended.file


def _is_as_heard(data: bytes, name: str, recording: "Recording") -> bool:
    """Whether the script is still the text that ran."""
    from minitape.source_text import decoded, lines_of
    from minitape.trace.events import Source

    # Compared by lines, because Python adds a missing line end to the last line.
    sources = recording.trace.of(Source)
    heard = [lines_of(each.text) for each in sources if Path(each.file).name == name]
    return not heard or lines_of(decoded(data)) in heard


def _says(path: Path, text: str) -> bool:
    from minitape.source_text import decoded

    try:
        return decoded(read_file(path)) == text
    except OSError:
        return False


def _changed(asked: Asked, path: Path) -> Exit:
    asked.terminal.complain(
        messages.FILE_CHANGED.format(path=path), f"minitape explain {path} --fix"
    )
    return Exit.FINDING


def _agreed(question: str) -> bool:
    try:
        return typer.confirm(question, default=False, err=True)
    except typer.Abort:  # stdin is closed or not a terminal
        return False


def _written(path: Path, mended: "Mended") -> Path:
    """Write one file and keep a copy of its previous content; returns the path of the copy."""
    from minitape.source_text import encoded

    kept, before = _free(path), read_file(path)
    write_whole(kept, before)
    shutil.copystat(path, kept)
    write_whole(path, encoded(mended.after, before))
    return kept


def _free(path: Path) -> Path:
    """`train.py.bak`, or the first of `train.py.bak2`, ... that does not exist."""
    number, kept = 1, path.with_name(f"{path.name}.bak")
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.name}.bak{number}")
    return kept

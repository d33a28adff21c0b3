"""`minitape explain SCRIPT --fix`: the proved mends, written into the files that hold the mistakes.

refuse    what has no file to mend, before anything runs
mend      show what would change, ask, keep what there was, write
"""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from minitape.printable import printable
from minitape.storage import read_file, write_whole
from minitape_cli import views
from minitape_cli.asking import Asked
from minitape_cli.exits import Exit

if TYPE_CHECKING:
    from minitape.explain.report import Mended, Report
    from minitape_cli.recording import Recording

_SCRIPT = "minitape explain SCRIPT.py --fix"


def refuse(asked: Asked) -> None:
    """Only a script in a file of the user's can be mended.

    Raises:
        typer.BadParameter: it is something else.
    """
    if asked.is_code or asked.name == "-":
        why = f"this code is in no file that could be mended. Save it: {_SCRIPT}"
    elif asked.is_module:
        why = f"a module is mended by its file: {_SCRIPT}"
    elif not isinstance(asked.what, Path):
        why = f"a notebook is not written to: copy the line of its try, or mend a script: {_SCRIPT}"
    elif asked.what != Path(asked.name or ""):
        why = "an example stays as it is: copy it, and mend the copy."
    else:
        asked.refuse_trace("a trace cannot be mended: name the script that it is of.")
        return
    raise typer.BadParameter(why, param_hint="--fix")


def mend(asked: Asked, recording: "Recording", report: "Report", *, yes: bool) -> Exit:
    """Prove, show, ask, write."""
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
        terminal.remark("nothing to write: no mend by rule was proved (--check says why).")
        return Exit.FINDING
    paths = {each.file: _path_of(each, path) for each in result.files}
    asked.show(views.mended(result))
    names = " and ".join(str(each) for each in paths.values())
    if not yes and not _agreed(f"write {printable(names)}?"):
        terminal.remark("nothing was written. --yes writes without asking.")
        return Exit.FINDING
    for each in result.files:
        if not _says(paths[each.file], each.before):
            return _changed(asked, paths[each.file])
    for each in result.files:
        kept = _written(paths[each.file], each)
        terminal.remark(f"wrote {paths[each.file]}; what it said before is in {kept}")
    for line in in_all(mistakes_of(result.left), result.left):
        terminal.remark(f"left: {line}")
    return Exit.DONE if result.left.ok else Exit.FINDING


def _path_of(mended: "Mended", script: Path) -> Path:
    """A trace names files as the script's folder knows them; the script itself as it was named."""
    return script if Path(mended.file).name == script.name else script.parent / mended.file


def _is_as_heard(data: bytes, name: str, recording: "Recording") -> bool:
    """Whether the script still says what it said when it ran."""
    from minitape.source_text import decoded, lines_of
    from minitape.trace.events import Source

    # By lines, for Python puts a line end after a last line that has none.
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
        f"{path} has changed since it ran: nothing was written.", f"minitape explain {path} --fix"
    )
    return Exit.FINDING


def _agreed(question: str) -> bool:
    try:
        return typer.confirm(question, default=False, err=True)
    except typer.Abort:  # no one is there to answer
        return False


def _written(path: Path, mended: "Mended") -> Path:
    """Write one file; returns where a copy of what it said is."""
    from minitape.source_text import encoded

    kept, before = _free(path), read_file(path)
    write_whole(kept, before)
    shutil.copystat(path, kept)
    write_whole(path, encoded(mended.after, before))
    return kept


def _free(path: Path) -> Path:
    """`train.py.bak`, or the first of `train.py.bak2`, ... that is not there."""
    number, kept = 1, path.with_name(f"{path.name}.bak")
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.name}.bak{number}")
    return kept

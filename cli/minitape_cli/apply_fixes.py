"""`minitape explain SCRIPT --fix`: writes the verified fixes into the files of the script.

refuse        refuses a program that is not in a file, before it runs
write_fixes   shows the changes, asks, keeps a backup, and writes
"""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from minitape.printable import printable
from minitape.storage import read_file, write_whole
from minitape_cli import messages, views
from minitape_cli.exits import ExitCode
from minitape_cli.script_command import ScriptCommand

if TYPE_CHECKING:
    from minitape.explain.report import FixedFile, Report
    from minitape_cli.recording import RecordedRun


def refuse(command: ScriptCommand) -> None:
    """Refuse everything but a script in a file of the user.

    Raises:
        typer.BadParameter: the program is code, a module, a notebook, an example or a trace.
    """
    if command.is_code or command.name == "-":
        why = messages.FIX_NEEDS_FILE
    elif command.is_module:
        why = messages.FIX_NOT_MODULE
    elif not isinstance(command.what, Path):
        why = messages.FIX_NOT_NOTEBOOK
    elif command.what != Path(command.name or ""):
        why = messages.FIX_NOT_EXAMPLE
    else:
        command.refuse_trace(messages.FIX_NOT_TRACE)
        return
    raise typer.BadParameter(why, param_hint="--fix")


def write_fixes(
    command: ScriptCommand, recording: "RecordedRun", report: "Report", *, yes: bool
) -> ExitCode:
    """Verify the fixes, show the changes, ask, and write them.

    Args:
        command: The user's command.
        recording: The run that the report is about.
        report: The findings.
        yes: Write without asking.
    """
    from minitape.explain.mistakes import in_all, mistakes_of
    from minitape.run.program import of_file
    from minitape.verify.applying import fixed_program

    assert isinstance(command.what, Path)
    terminal, path = command.terminal, command.what
    paths = {path.name: path}
    if report.ok:
        return ExitCode.DONE
    program = of_file(path)
    if not _is_as_recorded(program.parts[0].text, path.name, recording):
        return _changed(command, path)
    result = fixed_program(program, command.args, command.run_options, report, recording.trace)
    if not result.files:
        terminal.note(messages.NOTHING_TO_FIX)
        return ExitCode.FINDING
    paths = {each.file: _path_of(each, path) for each in result.files}
    command.show(views.fixes_written(result))
    names = " and ".join(str(each) for each in paths.values())
    if not yes and not _agreed(messages.ASK_TO_WRITE.format(paths=printable(names))):
        terminal.note(messages.NOT_WRITTEN)
        return ExitCode.FINDING
    for each in result.files:
        if not _says(paths[each.file], each.before):
            return _changed(command, paths[each.file])
    for each in result.files:
        kept = _written(paths[each.file], each)
        terminal.note(messages.WROTE_KEPT.format(path=paths[each.file], backup=kept))
    for line in in_all(mistakes_of(result.left), result.left):
        terminal.note(messages.STILL_LEFT.format(line=line))
    return ExitCode.DONE if result.left.ok else ExitCode.FINDING


def _path_of(fixed: "FixedFile", script: Path) -> Path:
    """Return the path of a fixed file; a trace names it relative to the script's folder."""
    return script if Path(fixed.file).name == script.name else script.parent / fixed.file


def _is_as_recorded(data: bytes, name: str, recording: "RecordedRun") -> bool:
    """Whether the script is still the text that ran."""
    from minitape.source_text import decoded, lines_of
    from minitape.trace.events import SourceEvent

    # Compared by lines, because Python adds a missing line end to the last line.
    sources = recording.trace.of(SourceEvent)
    received = [lines_of(each.text) for each in sources if Path(each.file).name == name]
    return not received or lines_of(decoded(data)) in received


def _says(path: Path, text: str) -> bool:
    from minitape.source_text import decoded

    try:
        return decoded(read_file(path)) == text
    except OSError:
        return False


def _changed(command: ScriptCommand, path: Path) -> ExitCode:
    command.terminal.complain(
        messages.FILE_CHANGED.format(path=path), f"run `minitape explain {path} --fix` again"
    )
    return ExitCode.FINDING


def _agreed(question: str) -> bool:
    try:
        return typer.confirm(question, default=False, err=True)
    except typer.Abort:  # stdin is closed or not a terminal
        return False


def _written(path: Path, fixed: "FixedFile") -> Path:
    """Write one file and keep a copy of its previous content; returns the path of the copy."""
    from minitape.source_text import encoded

    kept, before = _free(path), read_file(path)
    write_whole(kept, before)
    shutil.copystat(path, kept)
    write_whole(path, encoded(fixed.after, before))
    return kept


def _free(path: Path) -> Path:
    """Return `train.py.bak`, or if it exists, the first of `train.py.bak2`, `train.py.bak3`, ... that does not."""
    number, kept = 1, path.with_name(f"{path.name}.bak")
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.name}.bak{number}")
    return kept

"""`minitape explain SCRIPT`: which gradients are None, zero, NaN or incomplete, where, why, and how to fix it."""

import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minitape_cli import messages, options
from minitape_cli.asking import Asked, takes_script
from minitape_cli.console import Terminal
from minitape_cli.exits import Exit

if TYPE_CHECKING:
    from minitape.explain.report import Report
    from minitape_cli.recording import Recording


class Format(StrEnum):
    """The format of an explanation."""

    TEXT = "text"
    BRIEF = "brief"
    JSON = "json"
    GITHUB = "github"


Check = Annotated[
    bool,
    typer.Option(
        "--check",
        help="Verify each suggested fix by applying it to a copy and rerunning, and perturb each source numerically.",
    ),
]
Fix = Annotated[
    bool,
    typer.Option(
        "--fix", help="Write the verified fixes into SCRIPT; ask first and keep a backup."
    ),
]
AnswerFormat = Annotated[
    Format,
    typer.Option(
        "--format",
        help="Choose the format; github prints annotations that a pull request shows.",
    ),
]


@takes_script(script=options.ScriptOrCode, first=("check", "fix", "brief", "json", "output"))
def explain(
    asked: Asked,
    codes: Annotated[bool, typer.Option("--list", help="List all codes and their titles.")] = False,
    json: options.Json = False,
    check: Check = False,
    diff: Annotated[
        bool,
        typer.Option("--diff", help="Like --check, and show the changes of each verified fix."),
    ] = False,
    fix: Fix = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --fix: write without asking.")] = False,
    why_sure: Annotated[
        bool, typer.Option("--why-sure", help="Show the evidence for each finding.")
    ] = False,
    brief: Annotated[bool, typer.Option("--brief", help="Print one line per finding.")] = False,
    format: AnswerFormat = Format.TEXT,
    call: options.Call = None,
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="NAME", help="Explain only the gradient for NAME."),
    ] = None,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit with code 0 even if there are findings.")
    ] = False,
    output: options.Output = None,
) -> Exit:
    """Explain why a gradient is None, zero or NaN, or explain a code such as MT201.

    Run SCRIPT, and print for each mistake the line, the cause and a suggested fix.

    The exit code is 0 if all gradients arrived, 1 if one is None, zero, NaN or incomplete, and 3
    if nothing was found but SCRIPT raised an exception.
    """
    if codes or asked.name is None:
        return _list_codes(asked.terminal, wanted=codes)
    if not (asked.is_code or asked.is_module) and _is_page(asked.name):
        return _show_page(asked.name.upper(), asked.terminal)
    chosen = Format.JSON if json else Format.BRIEF if brief else format
    if fix:
        _refuse_fix(asked, is_all=(call, source, output) == (None, None, None), chosen=chosen)
    if why_sure and chosen in (Format.BRIEF, Format.GITHUB):
        raise typer.BadParameter(messages.TEXT_OR_JSON_FOR_EVIDENCE, param_hint="--why-sure")
    asked.check_writable(output)
    recording = asked.recording(call=call, loads=("minitape.mend.suggesting",))
    from minitape.explain.explain import explain as explained  # loaded while the script ran
    from minitape_cli import views

    report = views.only(explained(recording.trace), call=call, source=source)
    report = _with_mends(asked, recording, report, is_run=check or diff)
    _tell(asked, recording, report, chosen, output, shows_diff=diff, why_sure=why_sure)
    if fix and not report.ok:
        from minitape_cli import mending

        return mending.mend(asked, recording, report, yes=yes)
    return recording.exit(finding=not report.ok and not exit_zero, needs_gradient=True)


def _refuse_fix(asked: Asked, *, is_all: bool, chosen: Format) -> None:
    """Refuse what `--fix` cannot fix, before it runs.

    Raises:
        typer.BadParameter: the script is not in a file, or options choose a part of the findings.
    """
    from minitape_cli import mending

    if not is_all or chosen is not Format.TEXT:
        raise typer.BadParameter(messages.FIX_ALL, param_hint="--fix")
    mending.refuse(asked)


def _with_mends(
    asked: Asked, recording: "Recording", report: "Report", *, is_run: bool
) -> "Report":
    """The report with suggested fixes; they were verified by running them if `is_run`."""
    from minitape.mend.suggesting import suggested

    if is_run:
        return _proved(asked, recording, report)
    return suggested(report, recording.trace)


def _proved(asked: Asked, recording: "Recording", report: "Report") -> "Report":
    """The report with the results of running the script again: fixed, and with perturbed sources.

    Raises:
        typer.BadParameter: a trace was named.
    """
    from minitape.prove.proof import proved
    from minitape.prove.rerun import Again, modules_of
    from minitape.run.program import Program, of_file

    if recording.run is None:
        raise typer.BadParameter(messages.TRACE_CANNOT_RUN_AGAIN, param_hint="--check")
    program = asked.what if isinstance(asked.what, Program) else of_file(asked.what)
    modules = modules_of(program, recording.trace)
    with Again(program, asked.args, asked.wishes, modules=modules) as again:
        return proved(report, recording.trace, again)


def _tell(
    asked: Asked,
    recording: "Recording",
    report: "Report",
    chosen: Format,
    to: Path | None,
    *,
    shows_diff: bool,
    why_sure: bool,
) -> None:
    """Write the answer in the chosen format."""
    from minitape.explain import mistakes, over_time
    from minitape_cli import views
    from minitape_cli.envelope import envelope

    name, terminal = str(asked.what), asked.terminal
    if chosen is Format.JSON:
        data = report.as_data() | {
            "script": name,
            "mistakes": mistakes.as_data(report),
            "grid": over_time.as_data(report),
        }
        whole = report.ok and (recording.run is None or recording.run.ok)
        asked.write(envelope("explain", data, ok=whole, of=(recording,)), to)
    elif chosen is Format.BRIEF:
        asked.write(views.briefly(report), to)
    elif chosen is Format.GITHUB:
        asked.write(views.annotations(report, name), to)
    else:
        shown = views.explanation(
            report,
            recording.trace,
            terminal.symbols,
            width=terminal.out.width,
            stopped=recording.stopped,
            is_heard=not recording.is_unheard,
            shows_diff=shows_diff,
            why_sure=why_sure,
        )
        asked.show(shown, to)


def _is_page(name: str) -> bool:
    return re.fullmatch(r"(?i)mt\d{3}", name) is not None and not Path(name).exists()


def _list_codes(terminal: Terminal, *, wanted: bool) -> Exit:
    from minitape_cli import pages

    if not wanted:
        raise typer.BadParameter(messages.NO_SCRIPT_OR_CODE, param_hint="SCRIPT")
    for code, title in pages.titles().items():
        terminal.out.print(f"{code}  {title}", soft_wrap=True)
    return Exit.DONE


def _show_page(code: str, terminal: Terminal) -> Exit:
    from minitape_cli import pages

    text = pages.page(code)
    if text is None:
        terminal.complain(messages.NO_SUCH_PAGE.format(code=code), "minitape explain --list")
        return Exit.USAGE
    terminal.show_page(text)
    return Exit.DONE

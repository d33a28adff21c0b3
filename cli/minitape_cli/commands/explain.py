"""`minitape explain SCRIPT`: which gradients are None, zero, NaN or incomplete, where, why, and how to fix it."""

import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minitape_cli import messages, options
from minitape_cli.console import Terminal
from minitape_cli.exits import ExitCode
from minitape_cli.script_command import ScriptCommand, takes_script

if TYPE_CHECKING:
    from minitape.explain.report import Report
    from minitape_cli.recording import RecordedRun


class ExplanationFormat(StrEnum):
    """The format of an explanation."""

    TEXT = "text"
    BRIEF = "brief"
    JSON = "json"
    GITHUB = "github"
    MARKDOWN = "markdown"


Check = Annotated[
    bool,
    typer.Option(
        "--check",
        help="Verify each suggested fix by rerunning a fixed copy of SCRIPT, and perturb each source numerically.",
    ),
]
Compiled = Annotated[
    bool,
    typer.Option(
        "--compiled",
        help="On TensorFlow: run SCRIPT again without tracing, so that its functions are compiled, and report each gradient "
        "that is None in only one of the two runs.",
    ),
]
Diff = Annotated[
    bool,
    typer.Option(
        "--diff",
        help="Verify fixes as --check does, and show the changes that each verified fix makes.",
    ),
]
Fix = Annotated[
    bool,
    typer.Option(
        "--fix", help="Write the verified fixes into SCRIPT. Asks first, and keeps a backup."
    ),
]
AnswerFormat = Annotated[
    ExplanationFormat,
    typer.Option(
        "--format",
        help="Choose the format. github prints annotations for a pull request; markdown prints text to paste into an issue.",
    ),
]


@takes_script(script=options.ScriptOrCode, first=("check", "fix", "brief", "json", "output"))
def explain(
    command: ScriptCommand,
    codes: Annotated[bool, typer.Option("--list", help="List all codes and their titles.")] = False,
    json: options.Json = False,
    check: Check = False,
    compiled: Compiled = False,
    diff: Diff = False,
    fix: Fix = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="With --fix: write without asking for confirmation.")
    ] = False,
    evidence: Annotated[
        bool,
        typer.Option(
            "--evidence", help="Show the evidence for each finding, and name all sources."
        ),
    ] = False,
    brief: Annotated[bool, typer.Option("--brief", help="Print one line per finding.")] = False,
    format: AnswerFormat = ExplanationFormat.TEXT,
    call: options.Call = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source", metavar="NAME", help="Explain only the gradient with respect to NAME."
        ),
    ] = None,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit with code 0 even if there are findings.")
    ] = False,
    output: options.Output = None,
) -> ExitCode:
    """Explain why a gradient is None, zero or NaN, or explain a code such as MT201.

    Run SCRIPT, and print for each mistake the line, the cause and a suggested fix.

    The exit code is 0 if all gradients arrived, 1 if one is None, zero, NaN or incomplete, and 3
    if nothing was found but SCRIPT raised an exception.
    """
    if codes or command.name is None:
        return _list_codes(command.terminal, wanted=codes)
    if not (command.is_code or command.is_module) and _is_page(command.name):
        return _show_page(command.name.upper(), command.terminal)
    chosen = ExplanationFormat.JSON if json else ExplanationFormat.BRIEF if brief else format
    if fix:
        _refuse_fix(command, is_all=(call, source, output) == (None, None, None), chosen=chosen)
    if evidence and chosen not in (ExplanationFormat.TEXT, ExplanationFormat.JSON):
        raise typer.BadParameter(messages.TEXT_OR_JSON_FOR_EVIDENCE, param_hint="--evidence")
    command.check_writable(output)
    recording = command.recording(call=call, loads=("minitape.fixes.suggestions",))
    from minitape.explain.explain import explain as explained  # loaded while the script ran
    from minitape_cli import views

    report = views.only(explained(recording.trace), call=call, source=source)
    report = _with_fixes(command, recording, report, is_run=check or diff, is_compared=compiled)
    _emit(command, recording, report, chosen, output, shows_diff=diff, evidence=evidence)
    if fix and not report.ok:
        from minitape_cli import apply_fixes

        return apply_fixes.write_fixes(command, recording, report, yes=yes)
    return recording.exit(finding=not report.ok and not exit_zero, needs_gradient=True)


def _refuse_fix(command: ScriptCommand, *, is_all: bool, chosen: ExplanationFormat) -> None:
    """Refuse a program that `--fix` cannot change, before it runs.

    Raises:
        typer.BadParameter: the script is not in a file, or the options select a part of the findings.
    """
    from minitape_cli import apply_fixes

    if not is_all or chosen is not ExplanationFormat.TEXT:
        raise typer.BadParameter(messages.FIX_ALL, param_hint="--fix")
    apply_fixes.refuse(command)


def _with_fixes(
    command: ScriptCommand,
    recording: "RecordedRun",
    report: "Report",
    *,
    is_run: bool,
    is_compared: bool,
) -> "Report":
    """Return the report with suggested fixes; if `is_run`, the fixes were verified by running them; if `is_compared`, with the
    differences to the program as it is.
    """
    from minitape.fixes.suggestions import suggested

    report = _proved(command, recording, report) if is_run else suggested(report, recording.trace)
    return _compared(command, recording, report) if is_compared else report


def _proved(command: ScriptCommand, recording: "RecordedRun", report: "Report") -> "Report":
    """Return the report with the results of running the script again: fixed, and with perturbed sources.

    Raises:
        typer.BadParameter: a trace was named.
    """
    from minitape.verify.proof import proved
    from minitape.verify.rerun import Rerun, modules_of

    program = command.program_of(recording, option="--check")
    modules = modules_of(program, recording.trace)
    with Rerun(program, command.args, command.run_options, modules=modules) as again:
        return proved(report, recording.trace, again)


def _compared(command: ScriptCommand, recording: "RecordedRun", report: "Report") -> "Report":
    """Return the report with the differences between the traced run and a run of the unmodified program.

    Raises:
        typer.BadParameter: a trace was named, or the program does not run on TensorFlow.
    """
    from minitape.tracer.tensorflow.compiled.as_is import GradientsAsIs
    from minitape.verify.compiled import differs, with_compiled
    from minitape.verify.rerun import Rerun

    program = command.program_of(recording, option="--compiled")
    if recording.ran_on.is_minitape:
        raise typer.BadParameter(messages.COMPILED_NEEDS_TENSORFLOW, param_hint="--compiled")
    with Rerun(program, command.args, command.run_options) as again:
        calls = again.reading(GradientsAsIs(str(program.folder)))
    if calls is None:
        command.terminal.complain(messages.COMPILED_GONE)
        return report
    compared = with_compiled(report, recording.trace, calls)
    if not differs(compared):
        command.terminal.note(messages.COMPILED_AS_TRACED)
    return compared


def _emit(
    command: ScriptCommand,
    recording: "RecordedRun",
    report: "Report",
    chosen: ExplanationFormat,
    to: Path | None,
    *,
    shows_diff: bool,
    evidence: bool,
) -> None:
    """Write the answer in the chosen format."""
    from minitape.explain import mistakes, over_time
    from minitape_cli import views
    from minitape_cli.envelope import envelope
    from minitape_cli.version import version

    name, terminal = str(command.what), command.terminal
    if chosen is ExplanationFormat.JSON:
        data = report.as_data() | {
            "script": name,
            "mistakes": mistakes.as_data(report),
            "grid": over_time.as_data(report),
        }
        whole = report.ok and (recording.run is None or recording.run.ok)
        command.write(envelope("explain", data, ok=whole, of=(recording,)), to)
    elif chosen is ExplanationFormat.BRIEF:
        command.write(views.briefly(report), to)
    elif chosen is ExplanationFormat.GITHUB:
        command.write(views.annotations(report, name), to)
    elif chosen is ExplanationFormat.MARKDOWN:
        text = views.markdown(report, recording.trace, version(), recording.ran_on.heading)
        command.write(text, to)
    else:
        shown = views.explanation(
            report,
            recording.trace,
            terminal.symbols,
            width=terminal.out.width,
            stopped=recording.stopped,
            is_traced=not recording.is_unrecorded,
            shows_diff=shows_diff,
            evidence=evidence,
        )
        command.show(shown, to)


def _is_page(name: str) -> bool:
    return re.fullmatch(r"(?i)mt\d{3}", name) is not None and not Path(name).exists()


def _list_codes(terminal: Terminal, *, wanted: bool) -> ExitCode:
    from minitape_cli import pages

    if not wanted:
        raise typer.BadParameter(messages.NO_SCRIPT_OR_CODE, param_hint="SCRIPT")
    for code, title in pages.titles().items():
        terminal.out.print(f"{code}  {title}", soft_wrap=True)
    return ExitCode.DONE


def _show_page(code: str, terminal: Terminal) -> ExitCode:
    from minitape_cli import pages

    text = pages.page(code)
    if text is None:
        terminal.complain(
            messages.NO_SUCH_PAGE.format(code=code),
            "run `minitape explain --list` to see all codes",
        )
        return ExitCode.USAGE
    terminal.show_page(text)
    return ExitCode.DONE

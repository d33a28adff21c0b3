"""`minitape html SCRIPT`: writes a run as one HTML page to step through."""

import webbrowser
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from minitape_cli import messages, options
from minitape_cli.exits import ExitCode
from minitape_cli.script_command import ScriptCommand, takes_script

if TYPE_CHECKING:
    from minitape.explain.report import Report
    from minitape.trace.trace import Trace
    from minitape_cli.recording import RecordedRun


class PageTheme(StrEnum):
    """The colors of a page; `auto` follows the reader's system."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


Cards = Annotated[
    int | None,
    typer.Option(
        "--cards",
        min=1,
        metavar="N",
        help="Collapse loops, functions and layers in pictures that have more than N nodes.",
        show_default="60",
    ),
]
FirstCall = Annotated[
    int | None,
    typer.Option(
        "--call", min=1, metavar="N", help="Open the page at the Nth gradient call of the run."
    ),
]
Check = Annotated[
    bool,
    typer.Option(
        "--check",
        help="Verify each suggested fix by rerunning a fixed copy of SCRIPT, and show the run with the first verified fix "
        "below the original run.",
    ),
]


@takes_script(first=("output", "shows", "check", "watch", "call", "theme"))
def html(
    command: ScriptCommand,
    output: options.Output = None,
    shows: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    theme: Annotated[
        PageTheme, typer.Option("--theme", help="Choose the colors.")
    ] = PageTheme.AUTO,
    cards: Cards = None,
    call: FirstCall = None,
    check: Check = False,
    engine: options.Engine = None,
    watch: options.Watch = False,
    port: options.Port = None,
) -> ExitCode:
    """Write the run as an HTML page to step through.

    The page is one file that works offline. It shows the source, the picture, the values and
    the gradients. Without -o, the page is written to SCRIPT.tape.html in the current folder. The
    page opens on the story of the run: what happened, where a gradient was lost, and how to fix
    it. With --call, the page opens at that gradient call. With --watch, the page is served instead
    of written, and stays at the same step when the script changes.
    """
    options.check_served(watch=watch, port=port, output=output)
    if watch and check:
        raise typer.BadParameter(messages.CHECK_OR_WATCH, param_hint="--check")
    paged = partial(_paged, theme=theme.value, cards=cards, call=call, engine=engine)
    if watch:
        from minitape_cli.serving.watch import PageSpec, serve

        return serve(
            command,
            paged,
            PageSpec(port or 0, shows, call, theme.value, ("minitape.html", "minitape.terms")),
        )
    to = output or Path(f"{_stem(command)}.tape.html")
    if shows and str(to) == "-":
        raise typer.BadParameter(messages.OPEN_NEEDS_FILE, param_hint="--open")
    command.check_writable(to)
    recording = command.recording(call=call, loads=("minitape.html", "minitape.terms"))
    if recording.has_tapes:
        from minitape.explain.explain import explain
        from minitape.fixes.suggestions import suggested

        report = explain(recording.trace)
        if check:
            report, tried = _checked(command, recording, report)
            paged = partial(paged, **tried)
        else:
            report = suggested(report, recording.trace)
        text = paged(recording.trace, report)
        command.write(text, to)
        if shows:
            webbrowser.open(to.resolve().as_uri())
    elif not recording.is_of_nothing:
        command.terminal.complain(messages.NO_STEPS.format(why=recording.emptiness))
    return recording.exit(needs_tape=True)


def _paged(trace: "Trace", report: "Report", live: int | None = None, **run_options: Any) -> str:
    from minitape.html import page
    from minitape.terms import described

    return page(trace, report, live=live, expansions=described, **run_options)


def _checked(
    command: ScriptCommand, recording: "RecordedRun", report: "Report"
) -> "tuple[Report, dict[str, Any]]":
    """Return the report with proofs, and what the page shows of them.

    Raises:
        typer.BadParameter: a trace was named.
    """
    from minitape.explain.explain import explain
    from minitape.html import FixedRun
    from minitape.verify.applying import run_with
    from minitape.verify.proof import proved
    from minitape.verify.rerun import Rerun, modules_of

    program, trace = command.program_of(recording, option="--check"), recording.trace
    with Rerun(
        program, command.args, command.run_options, modules=modules_of(program, trace)
    ) as again:
        report = proved(report, trace, again)
    findings = (
        each for call in report.calls for source in call.sources for each in source.findings
    )
    files = next((each.fixed for each in findings if each.proof is not None and each.fixed), ())
    fixed = run_with(program, command.args, command.run_options, files, trace) if files else None
    run_again = None if fixed is None else FixedRun(fixed, explain(fixed), files)
    return report, {"fixed": run_again, "is_checked": True}


def _stem(command: ScriptCommand) -> str:
    return (
        "code"
        if command.is_code
        else "stdin"
        if command.name == "-"
        else Path(command.name or "").stem
    )

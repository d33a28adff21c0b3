"""`minitape explain SCRIPT`: which gradients were lost, where, why, and what to write instead."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, check_writable, write
from minitape_cli.exits import Exit


class Format(StrEnum):
    """How an explanation is written."""

    TEXT = "text"
    BRIEF = "brief"
    JSON = "json"
    GITHUB = "github"


def explain(
    script: options.ScriptOrCode = None,
    args: options.Arguments = None,
    is_code: options.IsCode = False,
    is_module: options.IsModule = False,
    codes: Annotated[bool, typer.Option("--list", help="List all codes.")] = False,
    json: options.Json = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Run SCRIPT again: mended, and with its sources moved."),
    ] = False,
    brief: Annotated[bool, typer.Option("--brief", help="One line for each finding.")] = False,
    format: Annotated[
        Format, typer.Option("--format", help="github: notes that a pull request shows.")
    ] = Format.TEXT,
    call: options.Call = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="NAME", help="Only this source.")
    ] = None,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit with 0 though there are findings.")
    ] = False,
    output: options.Output = None,
    as_tensorflow: options.AsTensorFlow = False,
    timeout: options.Timeout = 30,
    max_ops: options.MaxOps = 20_000,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Why is my gradient None, zero or nan?

    Of a code such as MT201: what does it mean? Exits with 1 if a gradient was lost, with 0 if
    all arrived.
    """
    terminal = Terminal(color, quiet=quiet)
    if codes or script is None:
        _list_codes(terminal, wanted=codes)
    elif not (is_code or is_module) and _is_page(script):
        _show_page(script.upper(), terminal)
    else:
        asked = options.program(script, is_code=is_code, is_module=is_module)
        inputs = options.files(asked)
        check_writable(output, inputs=inputs)
        from minitape.debug import over_time
        from minitape.debug.explain import explain as explained
        from minitape.debug.proof import proved
        from minitape.debug.rerun import Again
        from minitape_cli import views
        from minitape_cli.envelope import envelope
        from minitape_cli.recording import record

        recording = record(
            asked,
            args,
            as_tensorflow=as_tensorflow,
            timeout=timeout,
            max_ops=max_ops,
            seed=seed,
            quiet=quiet,
        )
        recording.tell(terminal)
        recording.check_call(call)
        report = views.only(explained(recording.trace), call=call, source=source)
        if check:
            if recording.run is None:
                raise typer.BadParameter("a trace cannot be run again.", param_hint="--check")
            again = Again(asked, args or (), as_tensorflow, timeout, max_ops, seed)
            report = proved(report, recording.trace, again)
        ending = recording.exit(finding=not report.ok and not exit_zero, needs=("gradient",))
        if json or format is Format.JSON:
            grid = over_time.as_data(report)
            data = report.as_data() | {"script": str(asked), "grid": grid}
            whole = report.ok and (recording.run is None or recording.run.ok)
            written = envelope("explain", data, ok=whole, diagnostics=recording.diagnostics)
            write(written, output, terminal=terminal, inputs=inputs)
        elif brief or format is Format.BRIEF:
            write(views.briefly(report), output, terminal=terminal, inputs=inputs)
        elif format is Format.GITHUB:
            written = views.annotations(report, str(asked))
            write(written, output, terminal=terminal, inputs=inputs)
        else:
            shown = views.explanation(
                report,
                recording.trace,
                terminal.symbols,
                width=terminal.out.width,
                stopped=recording.stopped,
            )
            if output is None:
                terminal.show(shown)
            else:
                write(terminal.as_text(shown), output, terminal=terminal, inputs=inputs)
        raise typer.Exit(ending)


def _is_page(name: str) -> bool:
    return re.fullmatch(r"(?i)mt\d{3}", name) is not None and not Path(name).exists()


def _list_codes(terminal: Terminal, *, wanted: bool) -> None:
    from minitape_cli import pages

    if not wanted:
        raise typer.BadParameter("name a script, a trace or a code.", param_hint="SCRIPT")
    for code, title in pages.titles().items():
        terminal.out.print(f"{code}  {title}", soft_wrap=True)


def _show_page(code: str, terminal: Terminal) -> None:
    from minitape_cli import pages

    text = pages.page(code)
    if text is None:
        terminal.complain(f"there is no page {code}.", "minitape explain --list")
        raise typer.Exit(Exit.USAGE)
    terminal.show_page(text)

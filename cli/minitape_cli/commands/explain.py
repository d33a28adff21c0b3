"""`minitape explain SCRIPT`: which gradients were lost, where, why, and what to write instead."""

import re
from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, check_writable, write
from minitape_cli.exits import Exit


def explain(
    script: Annotated[
        str | None,
        typer.Argument(
            metavar="SCRIPT|CODE",
            help="A script, a trace (.jsonl), or a code such as MT201.",
            show_default=False,
        ),
    ] = None,
    args: options.Arguments = None,
    codes: Annotated[bool, typer.Option("--list", help="List all codes.")] = False,
    json: options.Json = False,
    brief: Annotated[bool, typer.Option("--brief", help="One line for each finding.")] = False,
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
    elif re.fullmatch(r"(?i)mt\d{3}", script) and not Path(script).exists():
        _show_page(script.upper(), terminal)
    else:
        path = options.located(script)
        check_writable(output, inputs=(path,))
        from minitape.debug.explain import explain as explained
        from minitape_cli import views
        from minitape_cli.envelope import envelope
        from minitape_cli.recording import record

        recording = record(
            path,
            args,
            as_tensorflow=as_tensorflow,
            timeout=timeout,
            max_ops=max_ops,
            seed=seed,
        )
        recording.tell(terminal)
        recording.check_call(call)
        report = views.only(explained(recording.trace), call=call, source=source)
        ending = recording.exit(finding=not report.ok and not exit_zero, needs=("gradient",))
        if json:
            data = report.as_data() | {"script": str(path)}
            whole = report.ok and (recording.run is None or recording.run.ok)
            written = envelope("explain", data, ok=whole, diagnostics=recording.diagnostics)
            write(written, output, terminal=terminal, inputs=(path,))
        else:
            shown = views.explanation(
                report,
                recording.trace,
                terminal.symbols,
                width=terminal.out.width,
                brief=brief,
            )
            if output is None:
                terminal.show(shown)
            else:
                write(terminal.as_text(shown), output, terminal=terminal, inputs=(path,))
        raise typer.Exit(ending)


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

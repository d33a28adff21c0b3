"""`minitape check SCRIPT`: is each gradient the slope of what its tape recorded?"""

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, check_writable, write
from minitape_cli.exits import Exit


def check(
    script: options.ScriptToRun,
    args: options.Arguments = None,
    is_code: options.IsCode = False,
    is_module: options.IsModule = False,
    json: options.Json = False,
    output: options.Output = None,
    as_tensorflow: options.AsTensorFlow = False,
    timeout: options.Timeout = 30,
    max_ops: options.MaxOps = 20_000,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Compare each gradient with finite differences.

    What the tapes recorded is run again in float64; each op's own rule is checked too. Exits with 1
    if something differs, and says what could not be checked.
    """
    from minitape.debug.check import Checker
    from minitape_cli import views
    from minitape_cli.envelope import envelope
    from minitape_cli.recording import is_trace, record

    terminal = Terminal(color, quiet=quiet)
    asked = options.program(script, is_code=is_code, is_module=is_module)
    check_writable(output, inputs=options.files(asked))
    if is_trace(asked):
        raise typer.BadParameter(
            "a trace holds too few numbers to be checked: name the script.", param_hint="SCRIPT"
        )
    with Checker() as checker:
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
    report = checker.report(recording.trace)
    ending = recording.exit(finding=not report.ok, needs=("gradient",))
    if json:
        ok = ending == Exit.DONE
        data = report.as_data() | {"script": str(asked)}
        written = envelope("check", data, ok=ok, diagnostics=recording.diagnostics)
        write(written, output, terminal=terminal, inputs=options.files(asked))
    else:
        shown = views.check(report, asked.name, terminal.symbols, terminal.out.width)
        if output is None:
            terminal.show(shown)
        else:
            write(terminal.as_text(shown), output, terminal=terminal, inputs=options.files(asked))
    raise typer.Exit(ending)

"""`minitape check SCRIPT`: compares each gradient with finite differences of what its tape recorded."""

from minitape_cli import messages, options
from minitape_cli.asking import Asked, takes_script
from minitape_cli.exits import Exit


@takes_script(script=options.ScriptToRun, without=("listen",))
def check(asked: Asked, json: options.Json = False, output: options.Output = None) -> Exit:
    """Check each gradient against finite differences.

    Recompute in float64 what the tapes recorded, perturb each source, and compare. Check the
    gradient rule of each op in the same way.

    The exit code is 1 if a gradient or a rule differs. What could not be checked is listed.
    """
    from minitape.prove.check import Checker, CheckReport
    from minitape_cli import views
    from minitape_cli.envelope import envelope

    asked.refuse_trace(messages.TRACE_CANNOT_BE_CHECKED)
    asked.check_writable(output)
    recording = asked.recording(companion=Checker())
    report = CheckReport.of_data(recording.message)
    ending = recording.exit(finding=not report.ok, needs_gradient=True)
    if json:
        data = report.as_data() | {"script": str(asked.what)}
        ok = ending == Exit.DONE
        asked.write(envelope("check", data, ok=ok, of=(recording,)), output)
    else:
        terminal = asked.terminal
        name = asked.what.name
        asked.show(views.check(report, name, terminal.symbols, terminal.out.width), output)
    return ending

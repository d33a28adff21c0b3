"""`minitape check SCRIPT`: compares each gradient with finite differences of what its tape recorded."""

from minitape_cli import messages, options
from minitape_cli.exits import ExitCode
from minitape_cli.script_command import ScriptCommand, takes_script


@takes_script(script=options.ScriptToRun, without=("trace_calls",))
def check(
    command: ScriptCommand, json: options.Json = False, output: options.Output = None
) -> ExitCode:
    """Check each gradient against finite differences.

    Recompute in float64 what the tapes recorded, perturb each source, and compare. Check the
    gradient rule of each op in the same way.

    The exit code is 1 if a gradient or a rule differs. The report lists what could not be checked.
    """
    from minitape.verify.check import Checker, CheckReport
    from minitape_cli import views
    from minitape_cli.envelope import envelope

    command.refuse_trace(messages.TRACE_CANNOT_BE_CHECKED)
    command.check_writable(output)
    recording = command.recording(companion=Checker())
    report = CheckReport.of_data(recording.message)
    ending = recording.exit(finding=not report.ok, needs_gradient=True)
    if json:
        data = report.as_data() | {"script": str(command.what)}
        ok = ending == ExitCode.DONE
        command.write(envelope("check", data, ok=ok, of=(recording,)), output)
    else:
        terminal = command.terminal
        name = command.what.name
        command.show(views.check(report, name, terminal.symbols, terminal.out.width), output)
    return ending

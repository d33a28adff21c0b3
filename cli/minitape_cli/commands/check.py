"""`minitape check SCRIPT`: is each gradient the slope of what its tape recorded?"""

from minitape_cli import options
from minitape_cli.asking import Asked, takes_script
from minitape_cli.exits import Exit


@takes_script(script=options.ScriptToRun, without=("listen",))
def check(asked: Asked, json: options.Json = False, output: options.Output = None) -> Exit:
    """Compare each gradient with finite differences.

    What the tapes recorded is run again in float64; each op's own rule is checked too. Exits with 1
    if something differs, and says what could not be checked.
    """
    from minitape.prove.check import Checker, CheckReport
    from minitape_cli import views
    from minitape_cli.envelope import envelope

    asked.refuse_trace("a trace holds too few numbers to be checked: name the script.")
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

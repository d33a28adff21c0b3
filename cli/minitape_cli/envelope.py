"""Creates the output of `--json`, one object around the data of a command."""

from typing import TYPE_CHECKING, Any

from minitape.trace.writing import encode
from minitape_cli.version import version

if TYPE_CHECKING:
    from minitape_cli.recording import RecordedRun


def envelope(command: str, data: Any, *, ok: bool, of: "tuple[RecordedRun, ...]" = ()) -> bytes:
    """Return `{"schema": "minitape.COMMAND/1", "version": …, "ran_on": …, "ok": …, "data": …, "diagnostics": […]}`.

    Args:
        command: The command that writes it.
        data: The result of the command.
        ok: Whether nothing is wrong.
        of: The runs that the result describes. `ran_on` names their engine: one object for one run, a list for two, absent for
            none.
    """
    ran_on = [each.ran_on._asdict() for each in of]
    whole = {
        "schema": f"minitape.{command}/1",
        "version": version(),
        **({"ran_on": ran_on[0] if len(ran_on) == 1 else ran_on} if ran_on else {}),
        "ok": ok,
        "data": data,
        "diagnostics": [said for each in of for said in each.diagnostics],
    }
    return (encode(whole) + "\n").encode()

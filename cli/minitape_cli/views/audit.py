"""Shows the result of `minitape trace --audit`: the recomputed values, what could not be recomputed and why, and each fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from minitape_cli.console import Symbols
from minitape_cli.messages import counted

if TYPE_CHECKING:  # they import the engine, which no other view needs
    from minitape.verify.audit.report import Audit, AuditFault

_MOST_FAULTS = 20
_HOLDS = "{sign} {script}: all values that could be recomputed agree with the trace."
_HAS_FAULTS = "{sign} {script}: the trace is wrong in {faults}."
_HAS_MANY_FAULTS = "{sign} {script}: the trace is wrong in {faults}; the first {shown} are listed."


def audit(audit: Audit, script: str, symbols: Symbols) -> RenderableType:
    data = audit.as_data()
    counts = _table("", "audited", "not audited", "reason")
    for what, done in data["audited"].items():
        reasons = data["not_audited"].get(what, {})
        sign = symbols.ok if done else ""
        counts.add_row(Text(what), _number(done, sign), _number(sum(reasons.values())), "")
        for reason, times in reasons.items():
            counts.add_row("", "", Text(str(times), style="dim"), Text(reason, style="dim"))
    parts: list[RenderableType] = [counts, Text()]
    if audit.faults:
        faults = _table("line", "what", "the trace says", "should be")
        for fault in audit.faults[:_MOST_FAULTS]:
            faults.add_row(*map(Text, _cells(fault)))
        parts += [faults, Text()]
    return Group(*parts, _sentence(audit, script, symbols))


def _table(*names: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in names:
        is_number = name in ("audited", "not audited", "line")
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
    return table


def _number(count: int, sign: str = "") -> Text:
    return Text(f"{count} {sign}".rstrip() if count else "", style="green" if sign else "")


def _cells(fault: AuditFault) -> tuple[str, str, str, str]:
    of_op = "" if fault.op is None else f"op {fault.op}"
    of_call = "" if fault.call is None else f"call {fault.call}"
    where = ", ".join(filter(None, (f"event {fault.event}", of_op, of_call)))
    return str(fault.line or ""), f"{fault.what} ({where})", fault.says, fault.should


def _sentence(audit: Audit, script: str, symbols: Symbols) -> Text:
    count = len(audit.faults)
    if not count:
        return Text(_HOLDS.format(sign=symbols.ok, script=script), style="bold green")
    message = _HAS_MANY_FAULTS if count > _MOST_FAULTS else _HAS_FAULTS
    values = {"faults": counted(count, "place"), "shown": _MOST_FAULTS}
    return Text(message.format(sign=symbols.none, script=script, **values), style="bold red")

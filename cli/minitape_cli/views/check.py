"""What `minitape check` found: a table of gradients, a table of ops, a sentence."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from minitape_cli.console import Symbols

if TYPE_CHECKING:  # they bring the engine, which no other view needs
    from minitape.prove.check_report import CheckedCall, CheckReport
    from minitape.testing import Comparison, Verdict

_NARROW = 72
# By the word of a verdict, as it is shown.
_STYLES = {"agrees": "green", "differs": "bold red", "unchecked": "dim"}
_REMARKS = {
    "kink": "two slopes meet here, and this is one of them or lies between",
    "unsettled": "the differences do not tell: the function jumps, or is too steep",
}
_COUNTED = ("differs", "own rule", "rounding", "kink", "unsettled")


def check(report: CheckReport, script: str, symbols: Symbols, width: int) -> RenderableType:
    if report.is_lost:
        return Text(f"{script}: its process ended before its gradients could be compared.")
    if not report.calls:
        return Text(f"{script}: no gradient was asked for, so there is nothing to check.")
    # On a narrow page the words matter more than the numbers.
    numbers = ("by tape", "by steps", "error") if width >= _NARROW else ()
    calls = _table("line", "gradient", *numbers, "")
    for call in report.calls:
        _add_call(calls, call, symbols, with_numbers=bool(numbers))
    ops = _table("op", "times", "rule", *numbers[2:], "")
    for op in report.ops:
        cells = (Text(op.name), Text(str(op.times)), Text(op.rule))
        error = (Text(_error(op.error)),) if numbers else ()
        ops.add_row(*cells, *error, _verdict(op.verdict, symbols))
        if op.why:
            ops.add_row("", "", Text(op.why, style="dim"))
    what = "by tape, by steps: the slope along a random direction; of one element, its gradient."
    foot = [Text(what, style="dim")] if numbers else []
    return Group(calls, Text(), ops, Text(), *foot, Text(_sentence(report), style="bold"))


def _table(*names: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name, no_wrap=name not in ("gradient", "rule"), overflow="fold")
    return table


def _add_call(table: Table, call: CheckedCall, symbols: Symbols, *, with_numbers: bool) -> None:
    for each in call.comparisons:
        is_checked = each.verdict != "unchecked"
        compared = (f"{each.by_tape:.6g}", f"{each.by_steps:.6g}", _error(each.error))
        numbers = compared if is_checked else ("", "", "")
        where = f"[{', '.join(map(str, each.element))}]" if each.element else ""
        table.add_row(
            str(call.line),
            Text(f"{call.text} {symbols.to} {each.source}{where}"),
            *(map(Text, numbers) if with_numbers else ()),
            _verdict(each.verdict, symbols),
        )
        remark = _remark(each)
        if remark:
            table.add_row("", Text(remark, style="dim"))
    if call.more:
        more = f"{symbols.dots} and {call.more} more calls here: of a loop, the first and the last are checked"
        table.add_row("", Text(more, style="dim"))


def _remark(comparison: Comparison) -> str:
    return comparison.why or _REMARKS.get(str(comparison.verdict), "")


def _verdict(verdict: Verdict, symbols: Symbols) -> Text:
    word = str(verdict)
    sign = {"agrees": symbols.ok, "differs": symbols.none}.get(word, symbols.odd)
    return Text(f"{sign} {word}", style=_STYLES.get(word, "yellow"), no_wrap=True)


def _error(error: float) -> str:
    return f"{error:.0e}"


def _sentence(report: CheckReport) -> str:
    found = Counter(str(each.verdict) for call in report.calls for each in call.comparisons)
    unchecked = found["unchecked"]
    compared = found.total() - unchecked
    said = [f"{found['agrees']} of {compared} gradients agree with differences in float64"]
    said += [f"{found[word]} {word}" for word in _COUNTED if found[word]]
    if not compared:
        said = ["nothing could be compared"]
    elif unchecked:
        said.append(f"{unchecked} unchecked")
    wrong = [op.name for op in report.ops if op.verdict == "differs"]
    blame = f" The rule of {', '.join(wrong)} is not its slope." if wrong else ""
    text = f"{', '.join(said)}.{blame}"
    return text[0].upper() + text[1:]

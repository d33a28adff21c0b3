"""Shows the result of `minitape check` as a table of gradients, a table of ops, and a summary."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from minitape_cli.console import Symbols

if TYPE_CHECKING:  # they import the engine, which no other view needs
    from minitape.testing import GradientComparison, GradientVerdict
    from minitape.verify.check_report import CheckedCall, CheckReport

_NARROW = 72
# By the text of a verdict.
_STYLES = {"agrees": "green", "differs": "bold red", "unchecked": "dim"}
_NOTES = {
    "kink": "not differentiable here: the one-sided derivatives differ, and the gradient equals one of them or lies between them",
    "unsettled": "finite differences do not converge, because the function jumps or is too steep",
}
_COUNTED = ("differs", "custom gradient", "rounding", "kink", "unsettled")
_DIED = "{script}: the process ended before the gradients could be compared."
_NO_GRADIENT = "{script}: no gradient was requested, so there is nothing to check."
_COLUMNS = (
    "The columns `by tape` and `by differences` show the derivative in a random direction, or the "
    "gradient of a single element."
)
_MORE_CALLS = (
    "{dots} and {count} more calls here; in a loop, only the first and last iterations are checked"
)
_AGREE = "{agree} of {compared} gradients agree with finite differences in float64"
_NONE_COMPARED = "No gradient could be compared"
_RULE_DIFFERS = " The gradient rule of {ops} differs from the numerical derivative."


def check(report: CheckReport, script: str, symbols: Symbols, width: int) -> RenderableType:
    if report.is_lost:
        return Text(_DIED.format(script=script))
    if not report.calls:
        return Text(_NO_GRADIENT.format(script=script))
    # In a narrow terminal the numbers are left out, not the text.
    numbers = ("by tape", "by differences", "error") if width >= _NARROW else ()
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
    foot = [Text(_COLUMNS, style="dim")] if numbers else []
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
        note = _note(each)
        if note:
            table.add_row("", Text(note, style="dim"))
    if call.more:
        more = _MORE_CALLS.format(dots=symbols.dots, count=call.more)
        table.add_row("", Text(more, style="dim"))


def _note(comparison: GradientComparison) -> str:
    return comparison.why or _NOTES.get(str(comparison.verdict), "")


def _verdict(verdict: GradientVerdict, symbols: Symbols) -> Text:
    word = str(verdict)
    sign = {"agrees": symbols.ok, "differs": symbols.none}.get(word, symbols.odd)
    return Text(f"{sign} {word}", style=_STYLES.get(word, "yellow"), no_wrap=True)


def _error(error: float) -> str:
    return f"{error:.0e}"


def _sentence(report: CheckReport) -> str:
    found = Counter(str(each.verdict) for call in report.calls for each in call.comparisons)
    unchecked = found["unchecked"]
    compared = found.total() - unchecked
    if not compared:
        parts = [_NONE_COMPARED]
    else:
        parts = [_AGREE.format(agree=found["agrees"], compared=compared)]
        parts += [f"{found[word]} {word}" for word in _COUNTED if found[word]]
        parts += [f"{unchecked} unchecked"] if unchecked else []
    wrong = [op.name for op in report.ops if op.verdict == "differs"]
    about_rules = _RULE_DIFFERS.format(ops=", ".join(wrong)) if wrong else ""
    return f"{', '.join(parts)}.{about_rules}"

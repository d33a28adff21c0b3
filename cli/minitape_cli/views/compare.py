"""Shows the comparison of a program on two engines: its lines, its gradients, and its output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from minitape.printable import printable
from minitape.timeline.words import short
from minitape.trace.comparison.compare import (
    ComparedGradient,
    ComparedLine,
    EngineComparison,
    MatchVerdict,
    Pair,
)
from minitape_cli.console import Symbols, in_short
from minitape_cli.messages import counted
from minitape_cli.recording import RecordedRun

_SHOWN = 12  # the maximum number of lines, and of gradients, that are listed
_PRINTED = 2
_NAME = 24  # the maximum number of characters of the name of a source
_OPS = 28  # the maximum number of characters for the ops of a line
_SAYS = {
    MatchVerdict.AGREES: "agrees",
    MatchVerdict.OTHER_OPS: "agrees, but runs other ops",
    MatchVerdict.GROWN: "accumulated rounding errors",
    MatchVerdict.RANDOM: "random numbers, not compared",
    MatchVerdict.FOLLOWS: "caused by a difference above",
    MatchVerdict.ONLY_FIRST: "only on minitape",
    MatchVerdict.ONLY_SECOND: "only on TensorFlow",
    MatchVerdict.RECORDED: "recorded by only one tape",
    MatchVerdict.FORM: "different shape or dtype",
    MatchVerdict.DIFFERS: "differs",
}
_TITLE = "{script}: {first} and {second}"
_APART = "differs by {fraction:.1e} of the largest value"
_MORE_PRINTED = "{dots} and {count} more differences in the output"
_FIRST_RAISES = "On minitape the script raises {first}; on TensorFlow it finishes."
_SECOND_RAISES = "On TensorFlow the script raises {second}; on minitape it finishes."
_BOTH_RAISE = "On minitape the script raises {first}; on TensorFlow it raises {second}."
_LINES_AGREE = (
    "{lines} of {all_lines} agree ({ops} on minitape, {other_ops} on TensorFlow){output}."
)
_ALL_AGREE = (
    "{lines} of {all_lines} and {gradients} of {all_gradients} agree "
    "({ops} on minitape, {other_ops} on TensorFlow){output}."
)
_LOOSELY = (
    "; for random values and accumulated rounding errors, only shape, dtype and None were compared"
)
_PRINT_DIFFERS = "; the output differs in {locations}"
_PRINT_SAME = "; the output is the same"
_NAMES = "minitape", "TensorFlow"
_NOT_SHOWN = (MatchVerdict.AGREES, MatchVerdict.OTHER_OPS)


@dataclass(frozen=True)
class Runs:
    """The runs of one program on minitape and on TensorFlow.

    Attributes:
        computed: The comparison of their traces.
        printed: The places where their output differs.
        recordings: Both runs.
    """

    computed: EngineComparison
    printed: list[tuple[str, str]]
    recordings: tuple[RecordedRun, RecordedRun]

    @property
    def errors(self) -> tuple[str | None, str | None]:
        """The type of the exception that each run raised; None for a run that finished."""
        first, second = (
            None if each.run is None or each.run.error is None else each.run.error.type
            for each in self.recordings
        )
        return first, second

    @property
    def are_alike(self) -> bool:
        """Whether both runs agree; output of random values or of accumulated rounding errors is ignored."""
        is_reported = bool(self.printed) and not self.computed.is_loose
        return self.computed.is_alike and self.errors[0] == self.errors[1] and not is_reported


def compare(runs: Runs, name: str, symbols: Symbols, *, everything: bool = False) -> RenderableType:
    """Return a summary, and the lines and gradients that do not agree completely."""
    first, second = (each.ran_on.name for each in runs.recordings)
    heading = _TITLE.format(script=name, first=first, second=second)
    title = Text(printable(heading), style="bold")
    parts: list[RenderableType] = [title, Text()]
    computed = runs.computed
    lines = [each for each in computed.lines if everything or each.verdict not in _NOT_SHOWN]
    if lines:
        parts += [_lines(_limited(lines, everything), symbols), *_rest(lines, everything, symbols)]
        parts.append(Text())
    if computed.gradients:
        parts += [*_gradients(computed.gradients, symbols, everything=everything), Text()]
    parts += [*_printed(runs, symbols), *_raised(runs)]
    return Group(*parts, _sentence(runs))


def _lines(lines: Iterable[ComparedLine], symbols: Symbols) -> Table:
    table = Table(box=None, pad_edge=False, expand=True)
    table.add_column("line", justify="right")
    table.add_column("code", no_wrap=True, overflow="ellipsis", ratio=1)
    table.add_column("", no_wrap=True)
    for line in lines:
        code = Text(printable(line.code))
        table.add_row(str(line.number), code, _verdict(line.verdict, symbols))
        if line.ops[0] != line.ops[1]:
            said = (f"on {name}: {_ops(each, symbols)}" for name, each in zip(_NAMES, line.ops))
            table.add_row("", Text("   ".join(said), style="dim"), "")
        if line.verdict.is_difference and line.numbers is not None:
            values = " ".join((_value(line.numbers[0]), symbols.to, _value(line.numbers[1])))
            table.add_row("", Text(f"{values}   {_apart(line.apart)}".rstrip(), style="dim"), "")
    return table


def _ops(names: Sequence[str], symbols: Symbols) -> str:
    """Return the names of the ops if they fit into the column, else the number of ops."""
    if not names:
        return "-"
    runs = [(name, len(list(group))) for name, group in groupby(names)]
    text = " ".join(name + (f"{symbols.times}{n}" if n > 1 else "") for name, n in runs)
    return text if len(text) <= _OPS else counted(len(names), "op")


def _gradients(
    gradients: list[ComparedGradient], symbols: Symbols, *, everything: bool
) -> Iterator[RenderableType]:
    table = Table(box=None, pad_edge=False)
    for title in ("line", "gradient for", "on minitape", "on TensorFlow", ""):
        table.add_column(title, overflow="fold", justify="right" if title == "line" else "left")
    worst = _worst(gradients)
    for derivative, times in _limited(worst, everything):
        source = in_short(derivative.source, _NAME, symbols.dots)
        source += f"  {symbols.times}{times}" if times > 1 else ""
        values = (Text(_value(each)) for each in derivative.numbers)
        where = "" if derivative.line is None else str(derivative.line)
        table.add_row(
            where, Text(printable(source)), *values, _verdict(derivative.verdict, symbols)
        )
    yield table
    yield from _rest(worst, everything, symbols)


def _worst(gradients: list[ComparedGradient]) -> list[tuple[ComparedGradient, int]]:
    """Return, for each call and source, the iteration with the worst verdict, and the number of iterations."""
    found: dict[tuple[int | None, str], tuple[ComparedGradient, int]] = {}
    for each in gradients:
        key = each.line, each.source
        known, times = found.get(key, (each, 0))
        found[key] = (each if each.is_worse_than(known) else known), times + 1
    return list(found.values())


def _limited(rows: list[Any], everything: bool) -> list[Any]:
    return rows if everything else rows[:_SHOWN]


def _rest(rows: list[Any], everything: bool, symbols: Symbols) -> Iterator[Text]:
    if len(rows) > _SHOWN and not everything:
        more = f"{symbols.dots} and {len(rows) - _SHOWN} more (use `--all` to show them)"
        yield Text(more, style="dim")


def _verdict(verdict: MatchVerdict, symbols: Symbols) -> Text:
    says = _SAYS[verdict]
    if verdict.is_difference:
        return Text(f"{symbols.none} {says}", style="bold red")
    if verdict in _NOT_SHOWN:
        return Text(f"{symbols.ok} {says}", style="green")
    return Text(f"{symbols.odd} {says}", style="yellow")


def _value(numbers: Any) -> str:
    return "None" if numbers is None else short(numbers)


def _apart(apart: float) -> str:
    return _APART.format(fraction=apart) if apart else ""


def _printed(runs: Runs, symbols: Symbols) -> Iterator[Text]:
    """Yield the first differences in the output; none if the values themselves are not compared."""
    if runs.computed.is_loose:
        return
    for mine, yours in list(dict.fromkeys(runs.printed))[:_PRINTED]:
        yield Text.assemble(("printed on minitape  : ", "bold"), printable(mine))
        yield Text.assemble(("printed on TensorFlow: ", "bold"), printable(yours))
    more = len(runs.printed) - _PRINTED
    if more > 0:
        yield Text(_MORE_PRINTED.format(dots=symbols.dots, count=more), style="dim")


def _raised(runs: Runs) -> Iterator[Text]:
    first, second = runs.errors
    if first != second:
        message = _BOTH_RAISE if first and second else _FIRST_RAISES if first else _SECOND_RAISES
        yield Text(message.format(first=first, second=second), style="bold red")


def _sentence(runs: Runs) -> Text:
    computed = runs.computed
    if computed.is_loose:
        output = _LOOSELY
    elif runs.printed:
        output = _PRINT_DIFFERS.format(locations=counted(len(runs.printed), "place"))
    else:
        output = _PRINT_SAME
    message = _ALL_AGREE if computed.gradients else _LINES_AGREE
    text = message.format(
        lines=sum(not each.verdict.is_difference for each in computed.lines),
        all_lines=counted(len(computed.lines), "line"),
        gradients=sum(not each.verdict.is_difference for each in computed.gradients),
        all_gradients=counted(len(computed.gradients), "gradient"),
        ops=counted(computed.ops[0], "op"),
        other_ops=computed.ops[1],
        output=output,
    )
    return Text(text, style="bold")


# --- as JSON data ---


def as_data(runs: Runs) -> dict[str, Any]:
    computed = runs.computed
    return {
        "same": runs.are_alike,
        "ops": list(computed.ops),
        "lines": [
            {
                "file": each.file,
                "line": each.number,
                "code": each.code,
                "ops": [list(names) for names in each.ops],
                "iterations": each.iterations,
                "verdict": each.verdict.value,
                "apart": each.apart,
                "numbers": _pair(each.numbers),
            }
            for each in computed.lines
        ],
        "gradients": [
            {
                "line": each.line,
                "call": each.text,
                "source": each.source,
                "verdict": each.verdict.value,
                "apart": each.apart,
                "gradient": _pair(each.numbers),
            }
            for each in computed.gradients
        ],
        "printed": [list(pair) for pair in runs.printed],
        "raised": list(runs.errors),
    }


def _pair(numbers: Pair | None) -> Any:
    return None if numbers is None else [msgspec.to_builtins(each) for each in numbers]

"""Shows notes about gradients that arrived: the line, the factor of each op in the backward pass, and common remedies."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from minitape.explain.report import GradientNote, Report
from minitape.printable import printable
from minitape.trace.trace import Trace
from minitape_cli.console import Symbols
from minitape_cli.views.excerpt import Mark, excerpt, lines_of

_FACTORS = 4  # the number of ops that are listed in a note, the most important first
_OTHERS = 2  # the maximum number of other lines that are marked


def note_blocks(
    report: Report, trace: Trace, symbols: Symbols, width: int
) -> Iterator[RenderableType]:
    """Yield a block for each note, an empty line before the first."""
    for note in report.notes:
        if note is report.notes[0]:
            yield Text()
        yield _shown(note, trace, symbols, width)


def note_in_brief(note: GradientNote) -> str:
    """Return a note as one line, in the format that editors parse."""
    where = f"{note.location.file}:{note.location.line}:{max(note.location.column, 0) + 1}"
    reported = f"{where}: {note.code} note: {note.headline}: {note.label}; try: {note.fix}"
    return f"{printable(reported)}\n"


def _shown(note: GradientNote, trace: Trace, symbols: Symbols, width: int) -> RenderableType:
    location = note.location
    head = Text.assemble(
        (f"note[{note.code}]", "bold blue"), (f": {printable(note.headline)}", "bold")
    )
    where = f"{location.file}:{location.line}:{max(location.column, 0) + 1}"
    lines = lines_of(trace).get(location.file, [])
    return Group(
        head,
        Text.assemble(("  --> ", "blue"), printable(where)),
        *excerpt(lines, list(_marks(note)), dots=symbols.dots, columns=width),
        _facts(note, symbols),
        Text(),
    )


def _marks(note: GradientNote) -> Iterator[Mark]:
    """Yield the marks of a note: the expression to change, other lines that share it, and the gradient call."""
    location, call = note.location, note.call
    end = location.end_column if location.end_line == location.line else -1
    yield Mark(location.line, note.label, location.column, end, is_primary=True)
    for line in [line for line in note.lines if line not in (location.line, call.line)][:_OTHERS]:
        yield Mark(line, "")
    if call.file == location.file and call.line != location.line:
        end = call.end_column if call.end_line == call.line else -1
        yield Mark(call.line, "gradient requested here", call.column, end)


def _facts(note: GradientNote, symbols: Symbols) -> RenderableType:
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    rows = [("why", Text(note.message))]
    if note.factors:
        rows += [("ops", Text(_factors(note, symbols)))]
    rows += [("try", Text(note.fix, style="green"))]
    rows += [("more", Text(f"minitape explain {note.code}  ({note.slug})"))]
    for label, text in rows:
        table.add_row(Text.assemble(("   = ", "blue"), (f"{label:<4}:", "bold")), text)
    return table


def _factors(note: GradientNote, symbols: Symbols) -> str:
    """Return the factor of each op in the backward pass: `Sigmoid:12 ×0.24 (7 times), MatMul:12 ×1.1 (7 times)`."""
    shown = note.factors[:_FACTORS]
    return ", ".join(
        f"{each.op}:{each.line} {symbols.times}{each.factor:.2g} ({each.times} times)"
        for each in shown
    )

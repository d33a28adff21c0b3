"""Shows the list of ops by family, and the page of one op."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from minitape_cli.console import Symbols

if TYPE_CHECKING:
    from minitape.catalog import CatalogFunction, CatalogOp

_GRADIENTS = {
    "rule": "has a rule",
    "zero": "has a rule that returns zeros everywhere",
    "none": "not differentiable: the path ends here, so the gradient is None",
    "missing": "TensorFlow has no rule for this op: differentiating it raises LookupError",
}


def ops(
    every: Sequence[CatalogOp], families: Mapping[str, str], symbols: Symbols
) -> RenderableType:
    shown: list[RenderableType] = []
    for family, title in families.items():
        members = [op for op in every if op.family == family]
        if not members:
            continue
        table = Table.grid(padding=(0, 2))
        for op in members:
            names = Text(", ".join(op.public[:2]) or "(internal)", overflow="fold")
            table.add_row(Text(op.name, style="bold", no_wrap=True), names, _gradient(op, symbols))
        heading = Text.assemble((family, "bold cyan"), f"  {title}")
        shown += [heading, Padding(table, (0, 0, 1, 2))]
    counted = f"{len(every)} ops: {sum(op.gradient == 'rule' for op in every)} with a rule"
    return Group(*shown, Text(counted, style="bold"))


def _gradient(op: CatalogOp, symbols: Symbols) -> Text:
    if op.gradient in ("rule", "zero"):
        return Text(op.rule, overflow="fold")
    sign = symbols.none if op.gradient == "none" else symbols.odd
    return Text(f"{sign} {op.gradient}: {op.rule}", style="yellow", overflow="fold")


def op(found: CatalogOp | CatalogFunction) -> RenderableType:
    from minitape.catalog import CatalogFunction  # imports the engine, which no other view needs

    if isinstance(found, CatalogFunction):
        return _function(found)
    headline = Text.assemble((found.name, "bold"), f"  {found.about}" if found.about else "")
    table = _lines(
        ("write", ", ".join(filter(None, (*found.public, found.syntax)))),
        ("used by", ", ".join(found.used_by)),
        ("gradient", _GRADIENTS[found.gradient]),
        ("rule" if found.gradient in ("rule", "zero") else "why", found.rule),
        ("keeps", found.residuals),
        ("dtypes", found.dtypes),
        ("batching", found.batch),
        ("source", f"{found.file}:{found.line}"),
    )
    return _page(headline, table, found.example)


def _function(found: CatalogFunction) -> RenderableType:
    headline = Text.assemble((found.name, "bold"), f"  {found.about}")
    table = _lines(
        ("is", "a function that calls other ops, which a tape records"),
        ("calls", ", ".join(found.calls)),
        ("source", f"{found.file}:{found.line}"),
    )
    return _page(headline, table, found.example)


def _lines(*pairs: tuple[str, str]) -> Table:
    table = Table.grid(padding=(0, 2))
    for label, text in pairs:
        if text:
            table.add_row(Text(label, style="dim"), Text(text, overflow="fold"))
    return table


def _page(headline: Text, table: Table, example: str) -> RenderableType:
    parts: list[RenderableType] = [headline, Padding(table, (0, 0, 0, 2))]
    if example:
        parts += [Text(), Padding(Text(example), (0, 0, 0, 2))]
    return Group(*parts)

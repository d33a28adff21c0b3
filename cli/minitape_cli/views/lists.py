"""Short lists: the examples, and the checks of `minitape doctor`."""

from collections.abc import Iterable

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from minitape.examples import Example
from minitape_cli.checkup import HealthCheck
from minitape_cli.console import Symbols


def catalog(examples: Iterable[Example]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for each in examples:
        table.add_row(Text(each.name, style="bold", no_wrap=True), Text(each.about))
    return table


def checkup(checks: Iterable[HealthCheck], symbols: Symbols) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for check in checks:
        sign = Text(symbols.ok, style="green") if check.ok else Text(symbols.none, style="bold red")
        table.add_row(sign, Text(check.name, style="bold"), Text(check.found, overflow="fold"))
        if check.hint:
            table.add_row("", "", Text(check.hint, style="dim"))
    return table

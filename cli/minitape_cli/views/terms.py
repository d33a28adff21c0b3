"""How a number was computed, as a pane of the stepper."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from minitape.printable import printable
from minitape.terms import Expansion, largest, line, plain, rest
from minitape_cli.term_navigation import ASIDE, ONWARD, Following, aside


def expansion_pane(following: Following) -> RenderableType:
    """Return the number, its terms, and the key that follows each term."""
    expansion = following.expansion
    number = "" if expansion.number is None else f" = {plain(expansion.number)}"
    said: list[RenderableType] = [
        Text(printable(f"{expansion.name}{number}"), style="bold magenta"),
        Text(printable(expansion.text), style="dim"),
    ]
    if expansion.rule:
        said.append(Text(printable(f"rule  {expansion.rule}"), style="dim"))
    if expansion.terms:
        said += [Text(), *_terms(expansion)]
    if expansion.word:
        said += [Text(), Text(printable(expansion.word))]
    if len(following.trail) > 1:
        said += [Text(), Text("← back to the previous number", style="dim")]
    return Group(*said)


def _terms(expansion: Expansion) -> list[RenderableType]:
    shown, others = largest(expansion)
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(5):
        table.add_column()
    for at, term in enumerate(shown):
        each = line(term)
        same = each.numbers == each.value
        table.add_row(
            Text(ONWARD[at] if term.leads else " ", style="bold"),
            Text(printable(each.names)),
            Text("" if same else printable(each.numbers), style="dim"),
            Text(printable(f"= {each.value}") if each.value else "", style="magenta"),
            Text(printable(f"{ASIDE[at]}  {term.factors[0].text}") if aside(term) else "", "dim"),
        )
    head = f"{expansion.function} of" if expansion.function else ""
    lines: list[RenderableType] = [Text(printable(head))] if head else []
    lines.append(table)
    if others:
        lines.append(Text(printable(rest(others)), style="dim"))
    return lines

"""`minitape ops [NAME]`: the catalogue, or the page of one op."""

from dataclasses import asdict
from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, write


def ops(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="An op or function: MatMul, tf.matmul, @.", show_default=False
        ),
    ] = None,
    grep: Annotated[
        str | None, typer.Option("--grep", metavar="WORD", help="Only those that mention it.")
    ] = None,
    no_gradient: Annotated[
        bool, typer.Option("--no-gradient", help="Only those without a gradient.")
    ] = False,
    json: options.Json = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """List the ops, or show one.

    Of one op: its rule, what a tape keeps for it, and where it is written.
    """
    from minitape import catalogue
    from minitape_cli import views
    from minitape_cli.envelope import envelope

    terminal = Terminal(color)
    if name is not None:
        found = catalogue.find(name)
        if found is None:
            near = " or ".join(catalogue.near(name))
            hint = f"did you mean {near}?" if near else "minitape ops lists them."
            raise typer.BadParameter(f"there is no op {name}; {hint}", param_hint="NAME")
        if json:
            write(envelope("ops", asdict(found), ok=True), None, terminal=terminal)
        else:
            terminal.show(views.op(found))
        return
    chosen = catalogue.chosen(grep or "", without_gradient=no_gradient)
    if json:
        data = [asdict(each) for each in chosen]
        write(envelope("ops", data, ok=True), None, terminal=terminal)
    else:
        terminal.show(views.ops(chosen, catalogue.families(), terminal.symbols))
        terminal.remark("minitape ops NAME shows one")

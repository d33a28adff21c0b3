"""`minitape ops [NAME]`: lists all ops, or shows one."""

from dataclasses import asdict
from typing import Annotated

import typer

from minitape_cli import messages, options
from minitape_cli.console import Terminal, write


def ops(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="An op, a function or an operator, such as MatMul, tf.matmul or @.",
            show_default=False,
        ),
    ] = None,
    grep: Annotated[
        str | None, typer.Option("--grep", metavar="WORD", help="List only ops that mention WORD.")
    ] = None,
    no_gradient: Annotated[
        bool, typer.Option("--no-gradient", help="List only ops without a gradient.")
    ] = False,
    json: options.Json = False,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """List all ops, or show one.

    For one op, show its gradient rule, the values that a tape saves for it, and its source file.
    """
    from minitape import catalog
    from minitape_cli import views
    from minitape_cli.envelope import envelope

    terminal = Terminal(color)
    if name is not None:
        found = catalog.find(name)
        if found is None:
            near = " or ".join(catalog.near(name))
            what = messages.NO_SUCH_OP_NEAR if near else messages.NO_SUCH_OP
            raise typer.BadParameter(what.format(name=name, near=near), param_hint="NAME")
        if json:
            write(envelope("ops", asdict(found), ok=True), None, terminal=terminal)
        else:
            terminal.show(views.op(found))
        return
    chosen = catalog.chosen(grep or "", without_gradient=no_gradient)
    if json:
        data = [asdict(each) for each in chosen]
        write(envelope("ops", data, ok=True), None, terminal=terminal)
    else:
        terminal.show(views.ops(chosen, catalog.families(), terminal.symbols))
        terminal.note("Show one with `minitape ops NAME`.")

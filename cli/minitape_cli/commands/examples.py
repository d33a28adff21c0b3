"""`minitape examples`: lists, shows, runs and copies the scripts that ship with minitape."""

from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import messages, options
from minitape_cli.console import Terminal, write
from minitape_cli.help_sections import SectionedCommand

app = typer.Typer(rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of an example.")]


@app.callback(invoke_without_command=True)
def examples(context: typer.Context) -> None:
    """List and copy small scripts to try the commands on."""
    if context.invoked_subcommand is None:
        show_all()


@app.command("list", cls=SectionedCommand)
def show_all(json: options.Json = False, color: options.Colored = options.Color.AUTO) -> None:
    """List the examples and what each one shows."""
    from minitape.examples import catalog
    from minitape_cli import views
    from minitape_cli.envelope import envelope

    terminal = Terminal(color)
    every = catalog()
    if json:
        data = [{"name": each.name, "about": each.about} for each in every]
        write(envelope("examples", data, ok=True), None, terminal=terminal)
    else:
        terminal.show(views.catalog(every))
        terminal.note("Run one with `minitape examples run NAME` or `minitape explain NAME`.")


@app.command(cls=SectionedCommand)
def show(name: Name) -> None:
    """Print the source of an example."""
    write(_found(name).read_bytes(), None, terminal=Terminal())


@app.command(cls=SectionedCommand)
def run(name: Name) -> None:
    """Run an example as `minitape run` does."""
    from minitape_cli.commands.run import run as run_script

    run_script(script=str(_found(name)))


@app.command(cls=SectionedCommand)
def copy(
    name: Name,
    to: Annotated[
        Path, typer.Argument(metavar="[TO]", help="The folder or file to copy the example to.")
    ] = Path(),
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the file if it exists.")
    ] = False,
) -> None:
    """Copy an example so that you can change it."""
    example = _found(name)
    target = to / example.name if to.is_dir() else to
    if target.exists() and not force:
        raise typer.BadParameter(messages.OUTPUT_EXISTS.format(path=target), param_hint="TO")
    write(example.read_bytes(), target, terminal=Terminal(), inputs=(example,))


def _found(name: str) -> Path:
    from minitape.examples import find

    path = find(name)
    if path is None:
        raise typer.BadParameter(messages.NO_SUCH_EXAMPLE.format(name=name), param_hint="NAME")
    return path

"""`minitape examples`: scripts that ship with minitape, to try the other commands on."""

from pathlib import Path
from typing import Annotated

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, write

app = typer.Typer(rich_markup_mode=None)

Name = Annotated[str, typer.Argument(help="The name of an example.", show_default=False)]


@app.callback(invoke_without_command=True)
def examples(context: typer.Context) -> None:
    """Scripts to try the commands on."""
    if context.invoked_subcommand is None:
        show_all()


@app.command("list")
def show_all(json: options.Json = False, color: options.Colored = options.Color.AUTO) -> None:
    """List the examples, with what each one is about."""
    from minitape.examples import catalogue
    from minitape_cli import views
    from minitape_cli.envelope import envelope

    terminal = Terminal(color)
    every = catalogue()
    if json:
        data = [{"name": each.name, "about": each.about} for each in every]
        write(envelope("examples", data, ok=True), None, terminal=terminal)
    else:
        terminal.show(views.catalogue(every))
        terminal.remark("minitape examples run NAME, or: minitape explain NAME")


@app.command()
def show(name: Name) -> None:
    """Print an example."""
    write(_found(name).read_bytes(), None, terminal=Terminal())


@app.command()
def run(name: Name) -> None:
    """Run an example, as `minitape run` does."""
    from minitape_cli.commands.run import run as run_script

    run_script(script=str(_found(name)))


@app.command()
def copy(
    name: Name,
    to: Annotated[Path, typer.Argument(help="A folder or a file.")] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Copy an example, to change it."""
    example = _found(name)
    target = to / example.name if to.is_dir() else to
    if target.exists() and not force:
        raise typer.BadParameter(f"{target} exists; --force overwrites it.", param_hint="TO")
    write(example.read_bytes(), target, terminal=Terminal(), inputs=(example,))


def _found(name: str) -> Path:
    from minitape.examples import find

    path = find(name)
    if path is None:
        raise typer.BadParameter(
            f"there is no example {name}; `minitape examples` lists them.", param_hint="NAME"
        )
    return path

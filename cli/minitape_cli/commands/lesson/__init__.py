"""`minitape lesson`: the course, exercise by exercise."""

import typer

from minitape_cli.commands.lesson import linting

app = typer.Typer(rich_markup_mode=None)

app.command("lint")(linting.lint)

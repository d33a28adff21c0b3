"""`minitape completion SHELL`: prints the script with which a shell completes commands and options."""

from enum import StrEnum
from typing import Annotated

import typer


class Shell(StrEnum):
    """Shells that can complete minitape's commands."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    POWERSHELL = "powershell"


def completion(
    shell: Annotated[
        Shell,
        typer.Argument(metavar="SHELL", help="bash, zsh, fish or powershell."),
    ],
) -> None:
    """Print the completion script for a shell.

    Use it in bash with: eval "$(minitape completion bash)"
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined] # Typer's own

    typer.echo(
        get_completion_script(
            prog_name="minitape", complete_var="_MINITAPE_COMPLETE", shell=shell.value
        )
    )

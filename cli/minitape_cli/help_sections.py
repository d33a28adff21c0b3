"""The sections of a command's help: the most important options, then the others, then the options for running the script.

Typer shows the `rich_help_panel` of an option only in its Rich layout, which also draws boxes around error messages and breaks
their lines. Here the same declaration names a section of plain text.
"""

import copy
import re
from inspect import Parameter
from typing import Annotated, Any, get_args

import typer
from typer.core import TyperArgument, TyperCommand

MORE = "More options"
RUNNING = "Running the script"


class SectionedCommand(TyperCommand):
    """A command whose help lists each option under the section that its declaration names."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the usage line, without the braces and doubled brackets that Typer puts around a metavariable."""
        pieces = super().collect_usage_pieces(ctx)
        return [re.sub("[{}]", "", each).replace("[[", "[").replace("]]", "]") for each in pieces]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the sections; an option without one is under "Options"."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for each in self.get_params(ctx):
            record = each.get_help_record(ctx)
            if record is None:
                continue
            if isinstance(each, TyperArgument):
                sections["Arguments"].append((each.metavar or record[0], record[1]))
            else:
                title = getattr(each, "rich_help_panel", None) or "Options"
                sections.setdefault(title, []).append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def in_section(parameter: Parameter, title: str) -> Parameter:
    """Return the same option of a command, listed under `title` in its help."""
    kind, option = get_args(parameter.annotation)
    if not isinstance(option, typer.models.OptionInfo):
        return parameter
    moved = copy.copy(option)
    moved.rich_help_panel = title
    return parameter.replace(annotation=Annotated[kind, moved])

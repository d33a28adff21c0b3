"""`minitape lesson`: the course, exercise by exercise.

starting    init list reset     the course folder
running     run check-all       checks of the student's files
watching    watch, and bare     checks whenever a file is saved
helping     hint show see       help with an exercise
exporting   export              notebooks
grading     grade               the files of a class
authoring   new lint answers    for authors of lessons, and for teachers
context     options and helpers that the commands share
"""

import typer

from minitape_cli.commands.lesson import (
    authoring,
    exporting,
    grading,
    helping,
    running,
    starting,
    watching,
)
from minitape_cli.help_sections import SectionedCommand

app = typer.Typer(rich_markup_mode=None)

app.callback(invoke_without_command=True)(watching.go_on)
app.command("init", cls=SectionedCommand)(starting.init)
app.command("list", cls=SectionedCommand)(starting.listed)
app.command("run", cls=SectionedCommand)(running.run)
app.command("watch", cls=SectionedCommand)(watching.watch)
app.command("hint", cls=SectionedCommand)(helping.hint)
app.command("show", cls=SectionedCommand)(helping.show)
app.command("see", cls=SectionedCommand)(helping.see)
app.command("reset", cls=SectionedCommand)(starting.reset)
app.command("check-all", cls=SectionedCommand)(running.check_all)
app.command("export", cls=SectionedCommand)(exporting.export)
app.command("grade", cls=SectionedCommand)(grading.grade)
app.command("answers", cls=SectionedCommand)(authoring.answers)
app.command("new", cls=SectionedCommand)(authoring.new)
app.command("lint", cls=SectionedCommand)(authoring.lint)

"""`minitape lesson`: the course, exercise by exercise.

starting    init list reset     the course folder
running     run check-all       is it right?
watching    watch, and bare     whenever a file is saved
helping     hint show see       what helps
exporting   export              notebooks
grading     grade               a class
authoring   new lint            for who writes lessons
here        what they have in common
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

app = typer.Typer(rich_markup_mode=None)

app.callback(invoke_without_command=True)(watching.go_on)
app.command("init")(starting.init)
app.command("list")(starting.listed)
app.command("run")(running.run)
app.command("watch")(watching.watch)
app.command("hint")(helping.hint)
app.command("show")(helping.show)
app.command("see")(helping.see)
app.command("reset")(starting.reset)
app.command("check-all")(running.check_all)
app.command("export")(exporting.export)
app.command("grade")(grading.grade)
app.command("new")(authoring.new)
app.command("lint")(authoring.lint)

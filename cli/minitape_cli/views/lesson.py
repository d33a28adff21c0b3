"""The course in the terminal: the result of an attempt, the student's progress, the task of an exercise.

printed     what the student's file printed
outcome     an attempt: what passes, and the first failed check last
explained   the explanation of a failed attempt
listing     all exercises and their states
opening     before the first exercise of a lesson: what to read
standing    how much is done, and the next file
statement   the task of an exercise, as Markdown
farewell    a summary after the last exercise
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from minitape.course.attempts import Attempt, Status
from minitape.course.checks import (
    AnyCheck,
    Choice,
    Codes,
    Cost,
    Holds,
    Order,
    Prediction,
    Slope,
    Taped,
    Value,
)
from minitape.course.checks.check import CheckResult
from minitape.course.course import Course, Exercise
from minitape.course.explaining import within_block
from minitape.course.messages import CAUSE_REMAINS, FIND_IT_FIRST
from minitape.course.notebooks import cells
from minitape.course.progress import State
from minitape.course.workspace import Workspace
from minitape.explain.explain import explain
from minitape.explain.report import listed
from minitape.printable import printable, printable_lines
from minitape.source_text import decoded, lines_of
from minitape.storage import read_file
from minitape.trace import events
from minitape_cli.console import Symbols, Terminal
from minitape_cli.views.explanation import explanation

_MOST_PRINTED = 12  # the maximum number of lines of a file's output that are printed
_FEW_PRINTED = 5
_SMALL = 30  # the lines of a small terminal
_MOST_OUTSIDE = 3  # the maximum number of changes outside the block that are listed
_BAR = 30
_EXPLAINED = ("slope", "connected", "codes", "tape")  # checks of what the explanation is about

# --- the sentences ---

_SYMPTOM = (
    "This is the symptom. Find the cause in the block. The checks run after you change the file."
)
_OUTSIDE_CHANGED = "line {line}, outside the block, changed: `{now}` was `{was}`."
_OUTSIDE_ADDED = "line {line}, outside the block, is new: `{now}`."
_OUTSIDE_REMOVED = "near line {line}, outside the block, this line is missing: `{was}`."
_NO_BLOCK = "the lines `# TODO` and `# END` are missing, and other lines have changed."
_OUTSIDE_MORE = "{more} more lines outside the block have changed."
_OUTSIDE_NOTE = "The checks use the original lines outside the block."
_ALSO_FAILS = "also fails: {names}"
_ALSO_FAIL = "also fail: {names}"
_SAYS = {
    Status.PASSED: "passed",
    Status.ERROR: "your file raised an error",
    Status.TIMEOUT: "your file took too long",
    Status.MEMORY: "your file used too much memory",
    Status.OUTPUT_LIMIT: "your file printed too much",
    Status.NOT_PYTHON: "your file is not valid Python yet",
    Status.CRASHED: "the process that ran your file crashed",
    Status.INTERRUPTED: "interrupted",
}
_STYLES = {
    State.NEW: "dim",
    State.TRIED: "yellow",
    State.PASSED: "green",
    State.CHANGED: "yellow",
    State.SKIPPED: "dim",
}


def printed(exercise: Exercise, came: Attempt, terminal: Terminal) -> RenderableType:
    """Return the output of the file; in a small terminal only its first lines, so that the failed check fits below."""
    if not came.printed.strip() or is_guess(exercise, came):
        return Group()
    is_small = terminal.out.is_terminal and terminal.out.height <= _SMALL
    most = _FEW_PRINTED if is_small and not came.ok else _MOST_PRINTED
    lines = came.printed.rstrip("\n").split("\n")
    shown = lines[:most]
    if len(lines) > len(shown):
        shown.append(f"{terminal.symbols.dots} {len(lines) - len(shown)} more lines")
    return Padding(Text(printable_lines("\n".join(shown)), style="dim"), (0, 0, 1, 2))


def outcome(
    exercise: Exercise, came: Attempt, symbols: Symbols, *, is_explained: bool = False
) -> RenderableType:
    """Return what passes, then the first failed check with one next step.

    Args:
        exercise: The exercise.
        came: The attempt.
        symbols: The symbols of the terminal.
        is_explained: Whether the explanation of the failure is shown above.
    """
    parts: list[RenderableType] = []
    if came.outside:
        parts.append(_outside(came))
    if came.is_untouched and exercise.symptom and came.status is Status.FAILED:
        return Group(*parts, Text(_SYMPTOM, style="bold"))
    if came.message:
        parts.append(Text(printable_lines(came.message), style="red"))
    if came.checks:
        parts.append(_checks(exercise, came, symbols, is_explained=is_explained))
    parts.append(_verdict(exercise, came))
    return Group(*parts)


def _outside(came: Attempt) -> RenderableType:
    """Return the lines outside the block that changed."""
    lines = []
    for each in came.outside[:_MOST_OUTSIDE]:
        text = _OUTSIDE_CHANGED if each.was and each.now else _OUTSIDE_ADDED
        text = _OUTSIDE_REMOVED if not each.now else text
        text = text if each.line else _NO_BLOCK
        now, was = printable(each.now), printable(each.was)
        lines.append(text.format(line=each.line, now=now, was=was))
    more = len(came.outside) - len(lines)
    if more > 0:
        lines.append(_OUTSIDE_MORE.format(more=more))
    return Text("\n".join((*lines, _OUTSIDE_NOTE)), style="yellow")


def _checks(
    exercise: Exercise, came: Attempt, symbols: Symbols, *, is_explained: bool
) -> RenderableType:
    """Return the checks that pass, the names of those that fail, and the first failed check in full."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    for each in came.checks:
        if each.ok:
            sign = Text(symbols.ok, style="green")
            table.add_row(sign, Text(_kind(each), style="dim"), Text(printable(each.what)))
    first = came.failed
    if first is None:
        return table
    others = [_kind(each) for each in came.checks if not each.ok and each is not first]
    if others and not came.is_untouched:
        counts = Counter(others)
        names = [f"{n} {kind}" if n > 1 else kind for kind, n in counts.items()]
        text = _ALSO_FAILS if len(others) == 1 else _ALSO_FAIL
        table.add_row("", "", Text(text.format(names=listed(names)), style="dim"))
    what, fix = first.what, first.fix
    is_silent = exercise.explanation != "always" and not is_explained
    if is_silent and any(isinstance(each, Codes) and each.absent for each in exercise.checks):
        what, fix = (CAUSE_REMAINS, FIND_IT_FIRST) if first.kind == "codes" else (what, fix)
    if is_explained and first.kind in _EXPLAINED:
        fix = ""  # the explanation above says it
    kind = Text(_kind(first), style="dim")
    table.add_row(Text(symbols.none, "bold red"), kind, Text(printable(what)))
    if fix:
        table.add_row("", "", Text.assemble(("try : ", "bold"), printable(fix)))
    return table


def _kind(result: CheckResult) -> str:
    return "check" if result.kind == "holds" else result.kind  # "✗ holds" would be misleading


def _verdict(exercise: Exercise, came: Attempt) -> Text:
    """Return the result in one line, with the seed that repeats it."""
    held = sum(each.ok for each in came.checks)
    said = _SAYS.get(came.status, "")
    if came.status is Status.FAILED:
        said = f"{held} of {len(came.checks)} checks pass"
    elif came.ok and held > 1:
        said = f"passed: all {held} checks pass"
    drawn = isinstance(_failed(exercise, came), Value | Slope | Cost | Taped | Holds)
    repeat = f" `--seed {came.seed}` repeats the same random inputs." if drawn else ""
    style = "bold green" if came.ok else "bold red"
    return Text.assemble((f"{said}.", style), (f"  {came.seconds:.1f} s.{repeat}", "dim"))


def _failed(exercise: Exercise, came: Attempt) -> AnyCheck | None:
    """Return the first check that fails."""
    pairs = zip(exercise.checks, came.checks, strict=False)
    return next((check for check, verdict in pairs if not verdict.ok), None)


def is_guess(exercise: Exercise, came: Attempt) -> bool:
    """Whether a typed answer is not right yet; the output of the file is then hidden, because it contains the answer."""
    return isinstance(_failed(exercise, came), Prediction | Order | Choice)


def explained(file: Path, came: Attempt, terminal: Terminal) -> RenderableType:
    """Return the explanation of the attempt, at the student's own lines, with fixes inside the block."""
    report = within_block(explain(came.trace), decoded(read_file(file)))
    return explanation(report, came.trace, terminal.symbols, width=terminal.out.width)


# --- progress ---


def listing(workspace: Workspace, lesson: str | None, symbols: Symbols) -> RenderableType:
    """Return all exercises of the track, or those of one lesson."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("", "exercise", "state", "tries", "hints", "min"):
        table.add_column(name, no_wrap=name != "exercise", justify="left")
    before = ""
    for each in workspace.exercises:
        if lesson not in (None, each.lesson):
            continue
        if each.lesson != before:
            before = each.lesson
            table.add_row("", Text(_title(workspace.course, before), style="bold"), "", "", "", "")
        state, entry = workspace.state(each), workspace.progress.entry(each)
        word = Text(_with_sign(state, symbols), style=_STYLES[state])
        counts = (str(entry.tries or ""), str(entry.hints or ""), str(each.minutes))
        table.add_row(Text(each.short, style="dim"), Text(each.title), word, *counts)
    return table


def _title(course: Course, name: str) -> str:
    lesson = next(each for each in course.lessons if each.name == name)
    return f"{lesson.number}  {lesson.title}"


def _with_sign(state: State, symbols: Symbols) -> str:
    sign = {State.PASSED: symbols.ok, State.TRIED: symbols.none, State.CHANGED: symbols.odd}
    return f"{sign.get(state, ' ')} {state}"


def standing(workspace: Workspace, exercise: Exercise, symbols: Symbols) -> RenderableType:
    """Return the progress as a bar, and the current file as a link."""
    states = [workspace.state(each) for each in workspace.exercises]
    passed, total = states.count(State.PASSED), len(states)
    filled = _BAR * passed // max(total, 1)
    bar = Text.assemble(("#" * filled, "green"), ("-" * (_BAR - filled), "dim"))
    return Group(
        Text.assemble(
            "[",
            bar,
            f"] {passed} of {total}   ",
            (exercise.short, "bold"),
            f"  {exercise.title}",
            no_wrap=True,
            overflow="ellipsis",
        ),
        linked(workspace.file(exercise)),
    )


def opening(workspace: Workspace, exercise: Exercise) -> Iterator[RenderableType]:
    """Yield what is shown before the first exercise of a lesson: its goal, and the file to read and run."""
    lesson = next(each for each in workspace.course.lessons if each.name == exercise.lesson)
    if exercise.id == next(each.id for each in workspace.exercises if each.lesson == lesson.name):
        script = workspace.folder / lesson.name / lesson.script.name
        yield Text.assemble((f"lesson {lesson.number}  {lesson.title}. ", "bold"), lesson.goal)
        yield Text.assemble("read and run first:  ", _link(script, shortened(script)))
        yield Text()


def linked(file: Path) -> Text:
    """Return a path as a link, with the line of the task in the file."""
    line = todo(file)
    return _link(file, shortened(file) + (f":{line}" if line else ""))


def _link(file: Path, shown: str) -> Text:
    return Text(shown, style=f"link {file.resolve().as_uri()}", no_wrap=True, overflow="fold")


def shortened(file: Path) -> str:
    """Return a path relative to the current folder, if it is inside it."""
    try:
        return str(file.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(file)


def todo(file: Path) -> int | None:
    """Return the number of the line after `# TODO`, where the student starts."""
    try:
        lines = lines_of(decoded(read_file(file)))
    except OSError:
        return None
    return next((n + 1 for n, line in enumerate(lines, 1) if line.strip() == "# TODO"), None)


# --- texts ---


def statement(file: Path) -> str:
    """Return the task of an exercise: the text before its first code."""
    reported: list[str] = []
    for is_code, text in cells(decoded(read_file(file))):
        if is_code:
            break
        reported.append(text)
    return "\n\n".join(reported)


def hint(text: str, level: int, most: int, *, again: bool = False) -> RenderableType:
    """Return a hint with its number out of `most`; `again` if it is the last one and was already shown."""
    head = Text(f"hint {level} of {most}", style="bold")
    if again:
        head.append(" (there are no more hints)")
    return Group(head, Padding(Text(text.strip("\n")), (0, 0, 0, 2)))


def debrief(exercise: Exercise) -> RenderableType:
    """Return the summary of an exercise that was passed."""
    return Padding(Markdown(re.sub(r"(?<!\n)\n(?!\n)", " ", exercise.debrief.strip())), (1, 0))


def farewell(course: Course) -> Iterator[RenderableType]:
    """Yield the goals of all lessons, and what to do next."""
    yield Text(f"You have finished the course: {course.title}.", style="bold green")
    for lesson in course.lessons:
        yield Text.assemble((f"  {lesson.number} ", "dim"), lesson.goal)
    yield Text("Next, try `minitape explain YOUR_SCRIPT.py` on a program of your own.")


def is_failure(came: Attempt) -> bool:
    """Whether to show an explanation: the attempt failed, and its gradients have findings."""
    requested = came.trace.of(events.GradientEvent)
    return came.status in (Status.FAILED, Status.ERROR) and bool(came.codes and requested)

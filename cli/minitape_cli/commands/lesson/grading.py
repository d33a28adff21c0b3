"""`minitape lesson grade SUBMISSIONS…`: grades the files of a class, each in a process of its own."""

from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minitape.printable import printable
from minitape_cli import messages, options
from minitape_cli.console import Terminal, check_writable, write
from minitape_cli.exits import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from minitape.course.course import Course, Exercise
    from minitape.course.grading.rows import GradeRow
    from minitape.course.grading.session import GradingSession


class GradeFormat(StrEnum):
    """The format of the report."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    JUNIT = "junit"
    GRADEBOOK = "gradebook"


Submissions = Annotated[
    list[Path],
    typer.Argument(
        metavar="SUBMISSIONS",
        help="Folders that contain a folder, zip file, notebook or script for each student.",
    ),
]
Source = Annotated[
    Path | None,
    typer.Option("--course", metavar="DIR", help="Grade the course in DIR instead of minitape's."),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        metavar="NAME",
        help="Grade only NAME, such as `04/ex2`, `ex6_*`, or `06` for lesson 6. May be repeated.",
    ),
]
Pattern = Annotated[
    str | None,
    typer.Option(
        "--layout",
        metavar="PATTERN",
        help="Find files by PATTERN, such as {student}/{exercise}.py. Default: find them by names and headings.",
        show_default=False,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        min=0,
        metavar="N",
        help="Test with the random inputs of an earlier run with seed N.",
        show_default=False,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, metavar="N", help="Run N files at the same time. Default: one per core."
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout",
        min=0.1,
        metavar="SECONDS",
        help="Stop a file after SECONDS. Its checks may take the same time again.",
    ),
]
Memory = Annotated[
    int,
    typer.Option(
        "--memory", min=64, metavar="MB", help="Stop a file that uses more than MB megabytes."
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue an interrupted run. Needs -o.")]
Partial = Annotated[
    bool,
    typer.Option("--partial", help="Award points for each check that passes, even if others fail."),
]
FailUnder = Annotated[
    float,
    typer.Option(
        "--fail-under",
        min=0,
        max=100,
        metavar="PERCENT",
        help="Exit with code 1 if a student has fewer than PERCENT of the points.",
    ),
]


def grade(
    submissions: Submissions,
    source: Source = None,
    only: Only = None,
    layout: Pattern = None,
    seed: Seed = None,
    jobs: Jobs = None,
    timeout: Timeout = 10,
    memory: Memory = 2048,
    kind: Annotated[
        GradeFormat, typer.Option("--format", help="Choose the format of the report.")
    ] = GradeFormat.TABLE,
    wide: Annotated[
        bool, typer.Option("--wide", help="With --format csv: write one line per student.")
    ] = False,
    output: options.Output = None,
    resume: Resume = False,
    partial: Partial = False,
    fail_under: FailUnder = 0,
    color: options.Colored = options.Color.AUTO,
) -> None:
    """Grade the submissions of a class.

    Show the points of each student and the most common mistakes.

    Other people's programs run here with your permissions, each in a separate process with limits
    on time, memory and output. This keeps one program from stopping the others. It does not prevent
    a program from reading or writing your files, from using the network, or from faking a pass. If
    grades count, run this command in a container or on a separate machine.

    With -o, the finished rows are kept if you press Ctrl-C, and --resume continues from there. The
    exit code is 0 if the grading itself worked, and 1 only because of --fail-under.
    """
    to = _checked(output, kind, resume=resume, wide=wide)
    terminal = Terminal(color)
    terminal.note(messages.GRADING_RISK)
    session = _begun(
        submissions,
        source,
        only,
        layout,
        to,
        seed=seed,
        limits=(timeout, memory),
        resumes=resume,
        partial=partial,
    )
    streams = kind is GradeFormat.CSV and not wide and to is None
    is_whole = _graded(session, terminal, jobs, streams=streams)
    if not streams:
        _report(session, kind, terminal, to, wide=wide, fail_under=fail_under)
    if not is_whole:
        terminal.note(_interrupted(session, to))
        raise typer.Exit(ExitCode.INTERRUPTED)
    if session.journal is not None:
        session.journal.end()
    raise typer.Exit(ExitCode.FINDING if _is_under(session, fail_under) else ExitCode.DONE)


def _checked(output: Path | None, kind: GradeFormat, *, resume: bool, wide: bool) -> Path | None:
    """Return the file of the report; None for stdout.

    Raises:
        typer.BadParameter: options do not fit together, or the file cannot be written.
    """
    to = None if output is None or str(output) == "-" else output
    if resume and to is None:
        raise typer.BadParameter(messages.RESUME_NEEDS_FILE, param_hint="--resume")
    if wide and kind is not GradeFormat.CSV:
        raise typer.BadParameter(messages.WIDE_NEEDS_CSV, param_hint="--wide")
    check_writable(to, inputs=())
    return to


def _begun(
    submissions: list[Path],
    source: Path | None,
    only: list[str] | None,
    layout: str | None,
    to: Path | None,
    *,
    seed: int | None,
    limits: tuple[float, int],
    resumes: bool,
    partial: bool,
) -> "GradingSession":
    """Return a grading session; if the report goes `to` a file, finished rows are saved next to it."""
    from minitape.course.attempts import Limits
    from minitape.course.course import course
    from minitape.course.grading.rows import Journal
    from minitape.course.grading.session import begun
    from minitape.course.grading.submissions import SubmissionPattern, found

    taught = course(source)
    pattern = None if layout is None else SubmissionPattern(layout)
    kept = None if to is None else to.with_name(f"{to.name}.rows")
    return begun(
        taught,
        _meant(taught, only),
        found(submissions, taught, pattern, but=[each for each in (to, kept) if each is not None]),
        limits=Limits(*limits),
        partial=partial,
        seed=seed,
        journal=None if kept is None else Journal(kept),
        resumes=resumes,
    )


def _meant(taught: "Course", only: list[str] | None) -> "Sequence[Exercise]":
    """Return the exercises that `only` names; all if there are no names.

    Raises:
        CourseError: no exercise has that name.
    """
    if not only:
        return taught.exercises
    names = set()
    for command in only:
        fits = [
            each.id
            for each in taught.exercises
            if any(fnmatchcase(name, command) for name in (each.id, each.name, each.short))
        ]
        of_lesson = [each.id for each in taught.of_lesson(command)]
        names.update(fits or of_lesson or [taught.exercise(command).id])
    return [each for each in taught.exercises if each.id in names]


def _graded(
    session: "GradingSession", terminal: Terminal, jobs: int | None, *, streams: bool
) -> bool:
    """Grade all rows that are not known yet; returns whether all were graded."""
    from minitape.course.grading.reports import csv_head, csv_row

    run = session.run
    terminal.note(
        messages.GRADING.format(
            submissions=len(session.submissions), exercises=len(session.exercises), seed=run.seed
        )
    )
    if session.known:
        terminal.note(messages.ROWS_KNOWN.format(rows=len(session.known)))
    if streams:
        terminal.say(csv_head().rstrip("\n"))
    try:
        with terminal.busy("grading") as doing:
            for row in session.new(jobs):
                doing(f"{len(session.known)} of {session.most}: {printable(row.student)}")
                if streams:
                    terminal.say(csv_row(row).rstrip("\n"))
    except KeyboardInterrupt:
        return False
    return True


def _report(
    session: "GradingSession",
    kind: GradeFormat,
    terminal: Terminal,
    to: Path | None,
    *,
    wide: bool,
    fail_under: float,
) -> None:
    from minitape.course.grading import reports
    from minitape_cli.envelope import envelope
    from minitape_cli.views import grading as views

    rows: list[GradeRow] = session.rows
    data: bytes | str
    if kind is GradeFormat.TABLE and to is None:
        terminal.show(views.report(rows, session.exercises, terminal.symbols))
        return
    if kind is GradeFormat.TABLE:
        data = terminal.as_text(views.report(rows, session.exercises, terminal.symbols))
    elif kind is GradeFormat.JSON:
        known = reports.data(rows, session.exercises, session.run)
        data = envelope("lesson-grade", known, ok=not _is_under(session, fail_under))
    elif kind is GradeFormat.JUNIT:
        data = reports.junit(rows)
    elif kind is GradeFormat.GRADEBOOK:
        data = reports.gradebook(rows, session.course.title)
    elif wide:
        data = reports.wide(rows, session.exercises)
    else:
        data = reports.csv_head() + "".join(map(reports.csv_row, rows))
    write(data, to, terminal=terminal)


def _is_under(session: "GradingSession", percent: float) -> bool:
    from minitape.course.grading.items import totals

    return any(each.percent < percent for each in totals(session.rows))


def _interrupted(session: "GradingSession", to: Path | None) -> str:
    message = messages.GRADING_STOPPED if to is None else messages.GRADING_KEPT
    return message.format(done=len(session.known), total=session.most)

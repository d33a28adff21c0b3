"""Runs a student's file in its own process and checks it against its exercise.

    attempt       a file → an Attempt
    attempt_here  the same in this process, without limits
    Attempt       the result
    CodeLocation  a line of the file with a finding
    Limits        time, memory, output and ops that a file may use
    prepared      the first half of an attempt: what to run
    judged        the second half: the Attempt for a run

A verdict from the student's process counts only if it carries the token of the attempt. A file therefore cannot pass by its
output or its exit code. The token does not stop a student who reads this module and manipulates the process from inside.
"""

from __future__ import annotations

import ast
import io
import re
import secrets
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from enum import StrEnum
from importlib.util import decode_source
from pathlib import Path
from typing import Any, TextIO

from msgspec import structs, to_builtins

from minitape.course import messages
from minitape.course.block import OutsideChange, compared
from minitape.course.checks.check import CheckContext, CheckResult, InProgram, OnRun
from minitape.course.course import Exercise
from minitape.course.examining import Examiner
from minitape.course.failing import Failed
from minitape.errors import PythonError
from minitape.run.child.copies import Warm
from minitape.run.ending import Crash, Limit
from minitape.run.options import RunOptions
from minitape.run.outcome import Run
from minitape.run.process import run
from minitape.run.program import Program, of_file
from minitape.source_text import decoded, lines_of
from minitape.storage import read_file, storage_error
from minitape.trace.trace import Trace

_MOST_SEED = 1_000_000
_STARTS = 3  # the maximum number of attempts to start Python


class Status(StrEnum):
    """The result of an attempt, in one word."""

    PASSED = "passed"
    FAILED = "failed"  # it ran to its end, but a check failed
    ERROR = "error"  # it raised an exception, or its exit code is not 0
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output_limit"
    NOT_PYTHON = "not_python"  # it does not compile, or is not text
    CRASHED = "crashed"  # its process ended abnormally, or its answer lacks the token
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Limits:
    """The limits for a file: seconds, MB of memory, bytes of output, ops."""

    timeout: float = 30
    memory: int | None = None
    output: int = 10_000_000
    ops: int = 200_000


@dataclass(frozen=True)
class CodeLocation:
    """A line of the student's file with a finding; in a notebook, a line of its cell."""

    code: str
    line: int
    text: str


@dataclass(frozen=True)
class Attempt:
    """The result of running and checking a file.

    `checks` are in the order of the exercise, and empty if the program did not reach its end. `codes` are the codes that the
    explainer found, each once, and `locations` are their lines. `message` says why there are no checks, and `line` is the line
    of the student's file where the program stopped. `printed` is the output of the file, with its errors. `trace` is empty in
    the copy that `light` returns. `outside` are the changes outside the block to edit, and `is_untouched` is True for the
    starter itself. `seeds` is the number of seeds with which all checks ran.
    """

    status: Status
    checks: tuple[CheckResult, ...] = ()
    codes: tuple[str, ...] = ()
    seconds: float = 0.0
    seed: int = 0
    message: str = ""
    line: int | None = None
    printed: str = ""
    trace: Trace = field(default_factory=Trace)
    locations: tuple[CodeLocation, ...] = ()
    outside: tuple[OutsideChange, ...] = ()
    is_untouched: bool = False
    seeds: int = 1

    @property
    def ok(self) -> bool:
        return self.status is Status.PASSED

    @property
    def failed(self) -> CheckResult | None:
        """The first check that fails."""
        return next((each for each in self.checks if not each.ok), None)

    def fails_with(self, name: str) -> bool:
        """Whether it fails as `starts_with` in lesson.toml declares: a code, the kind of the first failed check, or a status."""
        if self.ok:
            return False
        if re.fullmatch(r"MT\d{3}", name):
            return name in self.codes
        if self.failed is not None:
            return name == self.failed.kind
        return name == self.status.value

    def light(self) -> Attempt:
        """Return a copy without the trace, to be stored or sent."""
        return replace(self, trace=Trace())

    def as_data(self) -> dict[str, Any]:
        """Return the result as data for `--json`."""
        return {
            "status": self.status.value,
            "checks": [
                {"kind": each.kind, "ok": each.ok, "what": each.what, "fix": each.fix}
                for each in self.checks
            ],
            "codes": list(self.codes),
            "seconds": round(self.seconds, 3),
            "seed": self.seed,
            "message": self.message,
            "line": self.line,
            "outside": [to_builtins(each) for each in self.outside],
        }


@dataclass(frozen=True)
class Prepared:
    """The data of a run that checks a file."""

    exercise: Exercise
    program: Program
    run_options: RunOptions
    examiner: Examiner


def attempt(
    exercise: Exercise,
    file: Path,
    seed: int | None = None,
    timeout: float | None = None,
    *,
    iterations: int = 1,
    limits: Limits = Limits(),  # frozen
    warm: Warm | None = None,
    patience: float | None = None,
) -> Attempt:
    """Run a student's file and check it.

    Args:
        exercise: The exercise that the file answers.
        file: A script or a notebook; it runs in its own folder.
        seed: The seed of all random numbers, in the file and in the checks; None draws a new seed.
        timeout: Seconds for the file, and the same number for the checks; None uses the timeout of `limits`.
        iterations: The number of times that the checks run, each time with the next seed.
        limits: The limits for the file.
        warm: A process that is copied for the run; None starts a new Python.
        patience: Seconds after which the checks are not repeated with another seed; None for no limit.

    Returns:
        The result; `ok` if all checks pass.

    Raises:
        OSError: the file cannot be read.
        StorageError: the folder for temporary files is full.
    """
    limits = limits if timeout is None else replace(limits, timeout=timeout)
    began = time.monotonic()
    requested = prepared(exercise, file, seed, limits, iterations=iterations, patience=patience)
    if isinstance(requested, Attempt):
        return requested
    for _ in range(_STARTS):
        printed = io.StringIO()
        try:
            ran = _run(requested, printed, warm)
        except PythonError as error:  # on a busy machine, Python can be too slow to start
            said = error.what
        else:
            if ran.storage is not None:
                raise storage_error(ran.storage)
            return judged(requested, ran, printed.getvalue(), time.monotonic() - began)
    return Attempt(Status.CRASHED, seconds=time.monotonic() - began, message=said)


def attempt_here(exercise: Exercise, file: Path, seed: int | None = None) -> Attempt:
    """Run a file and check it in this process, for systems that cannot start other processes, such as a browser.

    There are no limits; the user must stop a file that does not end. Args, Returns: see `attempt`.
    """
    from minitape.debug.queries import record

    began = time.monotonic()
    requested = prepared(exercise, file, seed)
    if isinstance(requested, Attempt):
        return requested
    names: dict[str, Any] = {"__name__": "__main__", "__file__": str(file)}
    printed, error = io.StringIO(), ""
    with record("minitape") as recording, redirect_stdout(printed), redirect_stderr(printed):
        try:
            for part in requested.program.parts:
                exec(compile(part.text, part.file, "exec"), names)
        except (Exception, SystemExit):
            error = traceback.format_exc().strip()
    context = CheckContext(recording.trace, ())
    locations = tuple(dict.fromkeys(_locations(context, None, requested.program)))
    codes = tuple(dict.fromkeys(each.code for each in locations))
    comparison = requested.examiner.comparison
    known = Attempt(
        Status.ERROR if error else Status.PASSED,
        codes=codes,
        seed=requested.examiner.seeds[0],
        message=error,
        printed=printed.getvalue(),
        trace=recording.trace,
        locations=locations,
        outside=comparison.outside,
        is_untouched=comparison.is_untouched,
    )
    if not error:
        reported = requested.examiner.examined(names)
        verdicts = _verdicts(exercise, reported["verdicts"], replace(context, codes=codes))
        checks = tuple(_without_repeats(verdicts))
        status = Status.PASSED if all(each.ok for each in checks) else Status.FAILED
        known = replace(known, status=status, checks=checks)
    return replace(known, seconds=time.monotonic() - began)


def _run(requested: Prepared, printed: TextIO, warm: Warm | None) -> Run:
    """Run a file with an empty stdin; its output goes to `printed`.

    Raises:
        PythonError: Python did not start.
        StorageError: the folder for temporary files is full.
    """
    return run(
        requested.program,
        run_options=requested.run_options,
        stdout=printed,
        stderr=printed,
        reads_stdin=False,
        companion=requested.examiner,
        warm=warm,
    )


def prepared(
    exercise: Exercise,
    file: Path,
    seed: int | None = None,
    limits: Limits = Limits(),  # frozen
    *,
    iterations: int = 1,
    patience: float | None = None,
) -> Prepared | Attempt:
    """Return the data of the run, or the result if the file is not a Python program.

    Raises:
        OSError: the file cannot be read.
    """
    seed = secrets.randbelow(_MOST_SEED) if seed is None else seed
    try:
        program = of_file(file)
        texts = tuple(decode_source(part.text) for part in program.parts)
        for text in texts:
            ast.parse(text)
    except SyntaxError as error:
        said = messages.NOT_READABLE.format(line=error.lineno, error=error.msg)
        return Attempt(Status.NOT_PYTHON, seed=seed, message=said, line=error.lineno)
    except (ValueError, RecursionError, MemoryError) as error:
        said = messages.NOT_PYTHON.format(error=error)
        return Attempt(Status.NOT_PYTHON, seed=seed, message=said)
    checks = tuple(
        (index, each) for index, each in enumerate(exercise.checks) if isinstance(each, InProgram)
    )
    page = None if exercise.page is None else str(exercise.page.resolve())
    files = tuple(part.file for part in program.parts)
    examiner = Examiner(
        checks,
        page,
        files,
        texts,
        tuple(range(seed, seed + iterations)),
        secrets.token_hex(16),
        compared(_starter(exercise), "\n".join(texts)),
        patience,
    )
    run_options = RunOptions(
        on="minitape",
        timeout=limits.timeout,
        max_ops=limits.ops,
        max_memory=limits.memory,
        max_output=limits.output,
        seed=seed,
    )
    return Prepared(exercise, program, run_options, examiner)


def _starter(exercise: Exercise) -> str:
    """Return the text of the exercise's file; "" if it is missing."""
    try:
        return decoded(read_file(exercise.starter))
    except OSError:
        return ""


def judged(requested: Prepared, ran: Run, printed: str = "", seconds: float = 0.0) -> Attempt:
    """Return the result of a run."""
    context = CheckContext(ran.trace, ())
    locations = tuple(dict.fromkeys(_locations(context, ran.error, requested.program)))
    codes = tuple(dict.fromkeys(each.code for each in locations))
    seed, token = requested.examiner.seeds[0], requested.examiner.token
    comparison = requested.examiner.comparison
    known = Attempt(
        Status.PASSED,
        (),
        codes,
        seconds,
        seed,
        printed=printed,
        trace=ran.trace,
        locations=locations,
        outside=comparison.outside,
        is_untouched=comparison.is_untouched,
    )
    status, said, line = _ended(ran, requested.run_options)
    if status is not None:
        return replace(known, status=status, message=said, line=line)
    reported = ran.message if isinstance(ran.message, dict) else {}
    if reported.get("token") != token:
        return replace(known, status=Status.CRASHED, message=messages.ENDED_EARLY)
    verdicts = _verdicts(requested.exercise, reported["verdicts"], replace(context, codes=codes))
    checks = tuple(_without_repeats(verdicts))
    if not all(each.ok for each in checks):
        failing = [seed for _, seed, ok, *_ in reported["verdicts"] if not ok]
        known = replace(known, status=Status.FAILED, seed=failing[0] if failing else seed)
    return replace(known, checks=checks, seeds=reported["seeds"])


def _verdicts(
    exercise: Exercise, reported: Sequence[Sequence[Any]], context: CheckContext
) -> Iterator[CheckResult]:
    """Yield the verdict of each check, in the order of the exercise."""
    examined = {index: rest for index, _, *rest in reported}
    for index, check in enumerate(exercise.checks):
        if isinstance(check, OnRun):
            yield _judged(check, context)
        else:
            yield CheckResult(check.kind, *examined[index])


def _without_repeats(verdicts: Iterable[CheckResult]) -> Iterator[CheckResult]:
    """Yield the verdicts; a next step that an earlier verdict of the same kind already names is removed."""
    named: set[tuple[str, str]] = set()
    for each in verdicts:
        step = (each.kind, each.fix)
        yield structs.replace(each, fix="") if step in named else each
        named.add(step)


def _judged(check: OnRun, context: CheckContext) -> CheckResult:
    try:
        return CheckResult(check.kind, True, check.judge(context))
    except Failed as failed:
        return CheckResult(check.kind, False, failed.what, failed.fix)


def _locations(
    context: CheckContext, error: Crash | None, program: Program
) -> Iterator[CodeLocation]:
    """Yield the findings of the explainer, and the codes in an error message, each with its line."""
    # The trace names a file relative to its own folder.
    lines = {Path(part.file).name: lines_of(decoded(part.text)) for part in program.parts}

    def location(code: str, file: str | None, line: int | None) -> CodeLocation:
        there = lines.get(Path(file or "").name, ())
        known = line is not None and 0 < line <= len(there)
        return CodeLocation(code, line or 0, there[line - 1].strip() if line and known else "")

    for call in context.report.calls:
        for source in call.sources:
            for finding in source.findings:
                yield location(finding.code, finding.location.file, finding.location.line)
    if error is not None:
        for code in re.findall(r"minitape explain (MT\d{3})", f"{error.message}\n{error.text}"):
            yield location(code, error.file, error.line)


_LIMITS = {
    Limit.TIME: (messages.OUT_OF_TIME, Status.TIMEOUT),
    Limit.OPS: (messages.TOO_MUCH_RUN, Status.TIMEOUT),
    Limit.CALLS: (messages.TOO_MANY_CALLS, Status.TIMEOUT),
    Limit.MEMORY: (messages.OUT_OF_MEMORY, Status.MEMORY),
    Limit.OUTPUT: (messages.TOO_MUCH_OUTPUT, Status.OUTPUT_LIMIT),
    Limit.INTERRUPT: (messages.INTERRUPTED, Status.INTERRUPTED),
}


def _ended(ran: Run, run_options: RunOptions) -> tuple[Status | None, str, int | None]:
    """Return why a run has no verdicts: a status, a sentence and a line; the status is None if the program reached its end."""
    line = _last_line(ran)
    if ran.limit is not None:
        at = "" if line is None else messages.AT_LINE.format(line=line)
        text, status = _LIMITS[ran.limit]
        said = text.format(
            at=at,
            seconds=run_options.timeout,
            ops=run_options.max_ops,
            memory=run_options.max_memory,
        )
        return status, said, line
    if ran.error is not None:
        kind = Status.MEMORY if ran.error.type == "MemoryError" else Status.ERROR
        kind = kind if ran.error.compiles else Status.NOT_PYTHON
        return kind, ran.error.text.rstrip(), ran.error.line
    if ran.died is not None:
        return Status.CRASHED, messages.DIED.format(cause=ran.died), line
    if ran.exit_code:
        return Status.ERROR, messages.EXIT_CODE.format(code=ran.exit_code), None
    return None, "", None


def _last_line(ran: Run) -> int | None:
    """Return the last line of the program that occurs in the trace."""
    from minitape.trace import events

    for event in reversed(ran.trace.events):
        if isinstance(event, events.Placed) and event.stack:
            site = ran.trace.sites.get(event.stack[0])
            return None if site is None else site.at.line
    return None

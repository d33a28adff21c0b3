"""A student's file, tried: run in a process of its own, asked what the exercise asks.

    attempt    a file → an Attempt
    Attempt    what came of it
    Spot       where in the file a code was found
    Limits     what a file may take
    prepared   the first half: what has to be run (for who runs many)
    judged     the second half: an Attempt of a run

A verdict of the student's process counts if it brings the token that was given along. That keeps a file from passing by what it
prints or by its exit code; it does not keep out who reads this page and writes into its own process.
"""

from __future__ import annotations

import ast
import io
import re
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from importlib.util import decode_source
from pathlib import Path
from typing import Any, TextIO

from minitape.course.checks.check import InProgram, OnRun, Scene, Verdict
from minitape.course.course import Exercise
from minitape.course.examining import Examiner
from minitape.course.failing import Failed
from minitape.errors import PythonError
from minitape.run.child.copies import Warm
from minitape.run.ending import Crash, Limit
from minitape.run.outcome import Run
from minitape.run.process import run
from minitape.run.program import Program, of_file
from minitape.run.wishes import Wishes
from minitape.source_text import decoded, lines_of
from minitape.storage import storage_error
from minitape.trace.trace import Trace

_MOST_SEED = 1_000_000
_STARTS = 3  # of Python, before it is given up


class Status(StrEnum):
    """What became of a file, in one word."""

    PASSED = "passed"
    FAILED = "failed"  # it ran, and a check does not hold
    ERROR = "error"  # it raised, or left with another exit code than 0
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output_limit"
    NOT_PYTHON = "not_python"  # it does not compile, or is no text
    CRASHED = "crashed"  # its process ended in another way than Python's, or the answer is not ours
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Limits:
    """What a file may take: seconds, MB of memory, bytes of output, ops."""

    timeout: float = 30
    memory: int | None = None
    output: int = 10_000_000
    ops: int = 200_000


@dataclass(frozen=True)
class Spot:
    """A line of the student's file that a code was found at; in a notebook, a line of its cell."""

    code: str
    line: int
    text: str


@dataclass(frozen=True)
class Attempt:
    """What came of trying a file.

    `checks` are in the order of the exercise, and empty where the program did not come to its end. `codes` are those that the
    explainer found, each once, and `spots` the lines where. `said` is what is to be told beside the checks: why there are none.
    `line` is the line of the student's file where that happened. `printed` is what the file printed, errors among it. `trace` may
    be left out (`light`).
    """

    status: Status
    checks: tuple[Verdict, ...] = ()
    codes: tuple[str, ...] = ()
    seconds: float = 0.0
    seed: int = 0
    said: str = ""
    line: int | None = None
    printed: str = ""
    trace: Trace = field(default_factory=Trace)
    spots: tuple[Spot, ...] = ()

    @property
    def ok(self) -> bool:
        return self.status is Status.PASSED

    @property
    def failed(self) -> Verdict | None:
        """The first check that does not hold."""
        return next((each for each in self.checks if not each.ok), None)

    def fails_with(self, name: str) -> bool:
        """Whether it fails as `starts_with` in lesson.toml says: by a code, the first failed check's kind, or a status."""
        if self.ok:
            return False
        if re.fullmatch(r"MT\d{3}", name):
            return name in self.codes
        if self.failed is not None:
            return name == self.failed.kind
        return name == self.status.value

    def light(self) -> Attempt:
        """The same without the trace, to be kept or sent."""
        return replace(self, trace=Trace())

    def as_data(self) -> dict[str, Any]:
        """What `--json` has of it."""
        return {
            "status": self.status.value,
            "checks": [
                {"kind": each.kind, "ok": each.ok, "what": each.what, "fix": each.fix}
                for each in self.checks
            ],
            "codes": list(self.codes),
            "seconds": round(self.seconds, 3),
            "seed": self.seed,
            "said": self.said,
            "line": self.line,
        }


@dataclass(frozen=True)
class Prepared:
    """What has to be run to try a file."""

    exercise: Exercise
    program: Program
    wishes: Wishes
    examiner: Examiner


def attempt(
    exercise: Exercise,
    file: Path,
    seed: int | None = None,
    timeout: float | None = None,
    *,
    rounds: int = 1,
    limits: Limits = Limits(),  # frozen
    warm: Warm | None = None,
) -> Attempt:
    """Run a student's file, and ask of it what the exercise asks.

    Args:
        exercise: What it should be an answer to.
        file: A script or a notebook; it is run where it lies.
        seed: Of all random numbers: those of the file, and the points of the checks. None: another one each time.
        timeout: Seconds; the checks have as long again. None: as in `limits`.
        rounds: How often the checks are made, each time with the next seed.
        limits: What it may take beside that.
        warm: What is copied for its process; None: a Python is started.

    Raises:
        OSError: the file cannot be read.
        StorageError: the folder for temporary files has no room for what a run needs.
    """
    limits = limits if timeout is None else replace(limits, timeout=timeout)
    began = time.monotonic()
    asked = prepared(exercise, file, seed, limits, rounds=rounds)
    if isinstance(asked, Attempt):
        return asked
    for _ in range(_STARTS):
        printed = io.StringIO()
        try:
            ran = _run(asked, printed, warm)
        except (
            PythonError
        ) as error:  # this Python is one: it had no time to begin, on a machine that is busy
            said = error.what
        else:
            if ran.storage is not None:
                raise storage_error(ran.storage)
            return judged(asked, ran, printed.getvalue(), time.monotonic() - began)
    return Attempt(Status.CRASHED, seconds=time.monotonic() - began, said=said)


def _run(asked: Prepared, printed: TextIO, warm: Warm | None) -> Run:
    """Run a file; what it prints goes to `printed`, and it has nothing to read.

    Raises:
        PythonError: it did not begin.
        StorageError: the folder for temporary files has no room for it.
    """
    return run(
        asked.program,
        wishes=asked.wishes,
        stdout=printed,
        stderr=printed,
        reads_stdin=False,
        companion=asked.examiner,
        warm=warm,
    )


def prepared(
    exercise: Exercise,
    file: Path,
    seed: int | None = None,
    limits: Limits = Limits(),  # frozen
    *,
    rounds: int = 1,
) -> Prepared | Attempt:
    """What has to be run; or already what came of it, if the file cannot be run.

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
        said = f"line {error.lineno}: Python cannot read this: {error.msg}"
        return Attempt(Status.NOT_PYTHON, seed=seed, said=said, line=error.lineno)
    except (ValueError, RecursionError, MemoryError) as error:
        return Attempt(Status.NOT_PYTHON, seed=seed, said=f"this is no Python text: {error}")
    checks = tuple(
        (place, each) for place, each in enumerate(exercise.checks) if isinstance(each, InProgram)
    )
    page = None if exercise.page is None else str(exercise.page.resolve())
    files = tuple(part.file for part in program.parts)
    examiner = Examiner(
        checks, page, files, texts, tuple(range(seed, seed + rounds)), secrets.token_hex(16)
    )
    wishes = Wishes(
        on="minitape",
        timeout=limits.timeout,
        max_ops=limits.ops,
        max_memory=limits.memory,
        max_output=limits.output,
        seed=seed,
    )
    return Prepared(exercise, program, wishes, examiner)


def judged(asked: Prepared, ran: Run, printed: str = "", seconds: float = 0.0) -> Attempt:
    """What came of a run."""
    scene = Scene(ran.trace, ())
    spots = tuple(dict.fromkeys(_spots(scene, ran.error, asked.program)))
    codes = tuple(dict.fromkeys(each.code for each in spots))
    seed, token = asked.examiner.seeds[0], asked.examiner.token
    known = Attempt(
        Status.PASSED, (), codes, seconds, seed, printed=printed, trace=ran.trace, spots=spots
    )
    status, said, line = _ended(ran, asked.wishes)
    if status is not None:
        return replace(known, status=status, said=said, line=line)
    told = ran.message if isinstance(ran.message, dict) else {}
    if told.get("token") != token:
        said = "the program ended before its checks had been done."
        return replace(known, status=Status.CRASHED, said=said)
    checks = tuple(_verdicts(asked.exercise, told["verdicts"], replace(scene, codes=codes)))
    if not all(each.ok for each in checks):
        failing = [seed for _, seed, ok, *_ in told["verdicts"] if not ok]
        known = replace(known, status=Status.FAILED, seed=failing[0] if failing else seed)
    return replace(known, checks=checks)


def _verdicts(exercise: Exercise, told: Sequence[Sequence[Any]], scene: Scene) -> Iterator[Verdict]:
    """What became of each check, in the order of the exercise."""
    examined = {place: rest for place, _, *rest in told}
    for place, check in enumerate(exercise.checks):
        if isinstance(check, OnRun):
            yield _judged(check, scene)
        else:
            yield Verdict(check.kind, *examined[place])


def _judged(check: OnRun, scene: Scene) -> Verdict:
    try:
        return Verdict(check.kind, True, check.judge(scene))
    except Failed as failed:
        return Verdict(check.kind, False, failed.what, failed.fix)


def _spots(scene: Scene, error: Crash | None, program: Program) -> Iterator[Spot]:
    """What the explainer finds, and what an error names itself; each with its line."""
    # A trace calls a file as one does who works in its folder.
    lines = {Path(part.file).name: lines_of(decoded(part.text)) for part in program.parts}

    def spot(code: str, file: str | None, line: int | None) -> Spot:
        there = lines.get(Path(file or "").name, ())
        known = line is not None and 0 < line <= len(there)
        return Spot(code, line or 0, there[line - 1].strip() if line and known else "")

    for call in scene.report.calls:
        for source in call.sources:
            for finding in source.findings:
                yield spot(finding.code, finding.place.file, finding.place.line)
    if error is not None:
        for code in re.findall(r"minitape explain (MT\d{3})", f"{error.message}\n{error.text}"):
            yield spot(code, error.file, error.line)


def _ended(ran: Run, wishes: Wishes) -> tuple[Status | None, str, int | None]:
    """Why a run has no verdicts, in one word, in a sentence, and in which line; None if it came to its end."""
    line = _last_line(ran)
    if ran.limit is not None:
        at = "" if line is None else f" in line {line}"
        return {
            Limit.TIME: (Status.TIMEOUT, f"stopped after {wishes.timeout:g} s{at}.", line),
            Limit.OPS: (Status.TIMEOUT, f"stopped after {wishes.max_ops} ops{at}.", line),
            Limit.CALLS: (Status.TIMEOUT, f"stopped after many gradient calls{at}.", line),
            Limit.MEMORY: (Status.MEMORY, f"stopped at {wishes.max_memory} MB{at}.", line),
            Limit.OUTPUT: (Status.OUTPUT_LIMIT, f"stopped: it printed too much{at}.", line),
            Limit.INTERRUPT: (Status.INTERRUPTED, f"interrupted{at}.", line),
        }[ran.limit]
    if ran.error is not None:
        kind = Status.MEMORY if ran.error.type == "MemoryError" else Status.ERROR
        kind = kind if ran.error.compiles else Status.NOT_PYTHON
        return kind, ran.error.text.rstrip(), ran.error.line
    if ran.died is not None:
        return Status.CRASHED, f"its process ended by {ran.died}.", line
    if ran.exit_code:
        return Status.ERROR, f"it left with exit code {ran.exit_code}.", None
    return None, "", None


def _last_line(ran: Run) -> int | None:
    """The last line of the program that was heard of."""
    from minitape.trace import events

    for event in reversed(ran.trace.events):
        if isinstance(event, events.Placed) and event.stack:
            site = ran.trace.sites.get(event.stack[0])
            return None if site is None else site.at.line
    return None

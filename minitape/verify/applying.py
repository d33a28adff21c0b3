"""Fixes the files of a program: applies the proved fixes in succession, each to the result of the previous fixes.

fixed_program  the new text of the files, and the changes in words; this module writes nothing to disk
Fixed          the result
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from minitape.explain.explain import explain
from minitape.explain.mistakes import mistakes_of
from minitape.explain.report import FixedFile, Report
from minitape.run.options import RunOptions
from minitape.run.program import Program, ProgramPart
from minitape.source_text import decoded, encoded
from minitape.trace.trace import Trace
from minitape.verify.proof import first_proved
from minitape.verify.rerun import Rerun, modules_of

_MOST = 8  # the maximum number of fixes of a program


@dataclass(frozen=True)
class Fixed:
    """The changed files, with their old and new text; the changes in order; the report on the rest; the engine of each change."""

    files: tuple[FixedFile, ...]
    done: tuple[str, ...]
    left: Report
    engine: str = ""


def fixed_program(
    program: Program, argv: Sequence[str], run_options: RunOptions, report: Report, trace: Trace
) -> Fixed:
    """Apply the fixes that can be proved, as long as each fix reduces the number of lost gradients.

    Args:
        program: The program as it was run.
        argv: Its arguments.
        run_options: The options with which it was run.
        report: The report of `explain`.
        trace: The trace of that run.
    """
    modules = modules_of(program, trace)
    before = (*program.parts, *modules)
    done: list[str] = []
    for _ in range(_MOST):
        with Rerun(program, argv, run_options, modules=modules) as again:
            found = None if report.ok else first_proved(report, trace, again)
        if found is None or found.proof is None:
            break
        texts = {each.file: each.after for each in found.fixed}
        changed = replace(program, parts=_with(program.parts, texts), is_changed=True)
        with Rerun(changed, argv, run_options, modules=_with(modules, texts)) as again:
            fixed = again.run(seed=0)
        if fixed is None or _lost(explain(fixed)) >= _lost(report):
            break
        program, modules = changed, _with(modules, texts)
        trace, report = fixed, explain(fixed)
        done.append(f"{found.location}: {found.proof.tried}")
    after = (*program.parts, *modules)
    pairs = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    files = tuple(FixedFile(old.file, decoded(old.text), decoded(new.text)) for old, new in pairs)
    return Fixed(files, tuple(done), report, trace.ran_on.in_words)


def run_with(
    program: Program,
    argv: Sequence[str],
    run_options: RunOptions,
    files: Sequence[FixedFile],
    trace: Trace,
) -> Trace | None:
    """Return the trace of the program with changed files; None if that run ended its process.

    Args:
        program: The program as it was run.
        argv: Its arguments.
        run_options: The options with which it was run.
        files: The changed files, with their text after the change.
        trace: The trace of the first run, which names the modules of the program.
    """
    texts = {each.file: each.after for each in files}
    modules = _with(modules_of(program, trace), texts)
    changed = replace(program, parts=_with(program.parts, texts), is_changed=True)
    with Rerun(changed, argv, run_options, modules=modules) as again:
        return again.run(seed=0)


def _with(parts: Sequence[ProgramPart], texts: dict[str, str]) -> tuple[ProgramPart, ...]:
    return tuple(
        replace(part, text=encoded(texts[part.file], part.text)) if part.file in texts else part
        for part in parts
    )


def _lost(report: Report) -> int:
    return sum(len(mistake.names) for mistake in mistakes_of(report))

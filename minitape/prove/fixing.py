"""Fix a program in its files: one proved fix after the other, each tried on the result of the ones before.

fixed    the new text of the files, and the changes in words; nothing is written to disk here
Fixed    the result
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from minitape.explain.explain import explain
from minitape.explain.mistakes import mistakes_of
from minitape.explain.report import Mended, Report
from minitape.prove.proof import first_proved
from minitape.prove.rerun import Again, modules_of
from minitape.run.program import Part, Program
from minitape.run.wishes import Wishes
from minitape.source_text import decoded, encoded
from minitape.trace.trace import Trace

_MOST = 8  # fixes of one program


@dataclass(frozen=True)
class Fixed:
    """The files that change, with their text before and after; the changes in order; the report of what is left."""

    files: tuple[Mended, ...]
    done: tuple[str, ...]
    left: Report


def fixed(
    program: Program, argv: Sequence[str], wishes: Wishes, report: Report, trace: Trace
) -> Fixed:
    """Apply the fixes that can be proved, as long as each one leaves fewer lost gradients.

    Args:
        program: The program as it was run.
        argv: Its arguments.
        wishes: How it was run.
        report: The report of `explain`.
        trace: The trace of that run.
    """
    modules = modules_of(program, trace)
    before = (*program.parts, *modules)
    done: list[str] = []
    for _ in range(_MOST):
        with Again(program, argv, wishes, modules=modules) as again:
            found = None if report.ok else first_proved(report, trace, again)
        if found is None or found.proof is None:
            break
        texts = {each.file: each.after for each in found.mended}
        changed = replace(program, parts=_with(program.parts, texts), is_changed=True)
        with Again(changed, argv, wishes, modules=_with(modules, texts)) as again:
            mended = again.run(seed=0)
        if mended is None or _lost(explain(mended)) >= _lost(report):
            break
        program, modules = changed, _with(modules, texts)
        trace, report = mended, explain(mended)
        done.append(f"{found.place}: {found.proof.tried}")
    after = (*program.parts, *modules)
    pairs = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    files = tuple(Mended(old.file, decoded(old.text), decoded(new.text)) for old, new in pairs)
    return Fixed(files, tuple(done), report)


def _with(parts: Sequence[Part], texts: dict[str, str]) -> tuple[Part, ...]:
    return tuple(
        replace(part, text=encoded(texts[part.file], part.text)) if part.file in texts else part
        for part in parts
    )


def _lost(report: Report) -> int:
    return sum(len(mistake.names) for mistake in mistakes_of(report))

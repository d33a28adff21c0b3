"""Types each printed fix of the collections: python tests/fixes/survey.py [folder or folder/program ...]

For each finding, `typist.py` applies the fix as a person would type it, and the program runs again. The survey prints one line
for each finding: whether the gradients then arrive and agree with finite differences, and the texts of the catalog in the fix.
"""

import ast
import io
import re
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from fixes.typist import Kinds, typed
from proving import again
from traced import run

from minitape import keras
from minitape.explain.causes import CAUSES
from minitape.explain.explain import explain
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.report import CallReport, Finding, Outcome, Report, SourceReport
from minitape.fixes.repair.rules import FIXES
from minitape.fixes.suggestions import suggested
from minitape.fixes.text.syntax import Joined, spot_of
from minitape.run.program import ProgramPart
from minitape.trace.events import GradientEvent
from minitape.trace.trace import Trace
from minitape.verify.proof import proved

PROGRAMS = Path(__file__).parents[1] / "explain" / "cases"
OWN = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Typed:
    """A finding, and the program with its fix typed; the text is None if the fix cannot be typed."""

    call: CallReport
    source: SourceReport
    finding: Finding
    kinds: frozenset[str]
    text: str | None


def explained(script: Path, kinds: Kinds) -> tuple[Report, Trace]:
    """Run and explain a script, noting the texts of its findings."""
    keras.backend.clear_session()
    with warnings.catch_warnings(), kinds.noted():
        warnings.simplefilter("ignore")
        trace = run(script, on="minitape", stdout=io.StringIO()).trace
        return suggested(explain(trace), trace), trace


def typed_fixes(script: Path) -> Iterator[Typed]:
    """Yield each different finding of a script with its fix typed."""
    kinds = Kinds()
    report, trace = explained(script, kinds)
    flow, seen = FlowGraph(trace), set[tuple[str, int]]()
    program = script.read_text(encoding="utf-8")
    for call in report.calls:
        event = flow.event(call.event)
        assert isinstance(event, GradientEvent)
        entered = flow.tapes[event.tapes[0]].entered if event.tapes else ()
        at = flow.placed(entered[0]).at if entered else None
        for source in call.sources:
            for finding in source.findings:
                key = finding.fix, finding.location.line
                if key in seen:
                    continue
                seen.add(key)
                is_here = Path(finding.location.file).name == script.name
                opened = 0 if at is None else at.line
                text = typed(program, finding, opened, call.location.line) if is_here else None
                yield Typed(call, source, finding, frozenset(kinds.of(finding.fix)), text)


def fixes_by_rule(script: Path) -> Iterator[tuple[str, Typed]]:
    """Yield the program that each rule produces for each finding of a script, with the name of the rule."""
    report, trace = explained(script, Kinds())
    flow, seen = FlowGraph(trace), set[tuple[str, str, int]]()
    part = ProgramPart(script.name, script.read_bytes())
    for call in report.calls:
        for source in call.sources:
            for finding in source.findings:
                joined = Joined([part])
                spot = spot_of(joined, flow, call, source, finding)
                for rule in FIXES.get(CAUSES[finding.slug], ()) if spot is not None else ():
                    key = rule.__name__, finding.fix, finding.location.line
                    tree = joined.tree
                    if key in seen or spot is None or rule(tree, spot) is None:
                        continue
                    seen.add(key)
                    changed = joined.fixed(ast.fix_missing_locations(tree))
                    text = changed[0].after if len(changed) == 1 else None
                    yield rule_name(rule), Typed(call, source, finding, frozenset(), text)


def rule_name(rule: Callable[..., object]) -> str:
    """Return the name of a rule, with its module: `rules.watch`."""
    return f"{rule.__module__.rpartition('.')[2]}.{rule.__name__.lstrip('_')}"


def complaint(script: Path, fix: Typed, folder: Path) -> str:
    """Return why a typed fix does not repair its gradient; empty if the gradient arrives and agrees with finite differences."""
    assert fix.text is not None
    for beside in (each for each in script.parent.iterdir() if each.is_dir()):
        if (folder / beside.name).exists() or beside.name == "__pycache__":
            continue
        shutil.copytree(beside, folder / beside.name)
    after = folder / script.name
    after.write_text(fix.text, encoding="utf-8")
    keras.backend.clear_session()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ran = run(after, on="minitape", stdout=io.StringIO())
        with again(after, on="minitape") as runs:
            report = proved(explain(ran.trace), ran.trace, runs)
    moved = len(fix.text.splitlines()) - len(script.read_text(encoding="utf-8").splitlines())
    lines = {fix.call.location.line + shift for shift in {0, moved, *range(-3, 4)}}
    calls = [each for each in report.calls if each.location.line in lines]
    if not calls:
        error = (
            ""
            if ran.error is None
            else f": {ran.error.type} on line {ran.error.line}, {ran.error.message}"
        )
        return f"the gradient call is not reached{error}".replace("\n", " ")
    near = min(
        calls,
        key=lambda each: (
            abs(each.location.line - fix.call.location.line),
            -(each.visit == fix.call.visit),
        ),
    )
    if fix.source.index >= len(near.sources):
        is_whole = all(each.outcome is Outcome.OK for each in near.sources)
        return "" if near.sources and is_whole else "the gradient call has fewer sources"
    source = near.sources[fix.source.index]
    if source.outcome not in (
        Outcome.OK,
        Outcome.ZERO
        if re.search(r"request zeros|for zeros|to get zeros", fix.finding.fix)
        else Outcome.OK,
    ):
        left = {each.slug for each in source.findings} - {fix.finding.slug}
        if left and left <= {each.slug for each in fix.source.findings}:
            return ""  # this is another mistake, which has its own fix
        slugs = ", ".join(f"{each.slug} on {each.location.line}" for each in source.findings)
        return f"{source.outcome}: {slugs}"
    # A straight-through estimator differs from finite differences on purpose.
    is_estimate = "straight-through" in fix.finding.fix
    if source.nudge is not None and source.nudge.differs and not is_estimate:
        return source.nudge.text
    return ""


def main(folders: list[str]) -> None:
    import tempfile

    scripts = sorted([*PROGRAMS.glob("*/*.py"), *OWN.glob("*.py")])
    names = [{each.parent.name, f"{each.parent.name}/{each.stem}"} for each in scripts]
    chosen = [
        each
        for each, known in zip(scripts, names, strict=True)
        if not folders or known & set(folders)
    ]
    for script in chosen:
        if script.stem.startswith("healthy"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                for fix in typed_fixes(script):
                    result = "advice"
                    if fix.text is not None:
                        result = complaint(script, fix, Path(folder)) or "repaired"
                    names = ",".join(sorted(fix.kinds))
                    print(
                        "\t".join(
                            [result, names, script.parent.name + "/" + script.stem, fix.finding.fix]
                        ),
                        flush=True,
                    )
            except Exception as error:
                print(
                    "\t".join(
                        [
                            f"failed {type(error).__name__} {error}"[:300].replace("\n", " "),
                            "",
                            str(script),
                            "",
                        ]
                    ),
                    flush=True,
                )


if __name__ == "__main__":
    main(sys.argv[1:])

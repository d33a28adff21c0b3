"""Suggests the line that a rule would write, without running anything.

suggested    a report, with the new line for each mistake that a change of one line fixes
"""

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from minitape.explain.causes import CAUSES, cuts, sources
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.numpy_names import numpy_names
from minitape.explain.flow.program.scopes import is_known_at
from minitape.explain.mistakes import Mistake, mistakes_of
from minitape.explain.report import CallReport, Finding, FixedFile, Report, SourceReport
from minitape.fixes.repair.rules import FIXES, fixes
from minitape.fixes.text.syntax import FixContext, Joined, spot_of
from minitape.source_text import deep_trees, lines_of, parsed, walk
from minitape.trace.events import SourceEvent
from minitape.trace.trace import Trace


@dataclass(frozen=True)
class _Text:
    """The text of a file when it was read."""

    file: str
    text: bytes


_MOST = 12  # the maximum number of mistakes of a report
_MOST_NODES = 20_000  # the maximum number of nodes in the tree of a program
_TOO_LARGE = "(the program is too large for the new line to be written out)"
# If the new line still contains one of these, another fix is needed.
_LEFT = {
    cuts.numpy_roundtrip: r"(?<![\w.])({numpy})\b *[.(]",
    cuts.python_scalar: r"\b(float|int|round|math\.\w+)\(|\.(item|numpy)\(|f['\"]",
}


def suggested(report: Report, trace: Trace) -> Report:
    """Return the report with the change that the first rule makes for each mistake, if that changes a single line in one file.

    This only writes out the fix of the finding, and does not prove it.
    """
    if report.ok:
        return report
    texts = {source.file: source.text for source in trace.of(SourceEvent)}
    flow = FlowGraph(trace)
    found: dict[int, Finding] = {}
    for mistake in mistakes_of(report)[:_MOST]:
        if len(mistake.stretches) == len(mistake.fixes) == 1 and not mistake.likewise:
            found[id(mistake.finding)] = _with_new_line(texts, flow, mistake)

    def of_source(source: SourceReport) -> SourceReport:
        if all(id(each) not in found for each in source.findings):
            return source
        return replace(source, findings=tuple(map(of_finding, source.findings)))

    def of_finding(finding: Finding) -> Finding:
        return found.get(id(finding), finding)

    def of_call(call: CallReport) -> CallReport:
        return replace(call, sources=tuple(map(of_source, call.sources)))

    return replace(report, calls=tuple(map(of_call, report.calls)))


def _with_new_line(texts: dict[str, str], flow: FlowGraph, mistake: Mistake) -> Finding:
    """Return the finding of a mistake, with the line that fixes it, or with the reason why that line is not written out."""
    finding = mistake.finding
    files = dict.fromkeys([finding.location.file, mistake.call.location.file])
    if CAUSES[finding.slug] not in FIXES or any(file not in texts for file in files):
        return finding
    if any(_is_large(texts[file]) for file in files):
        return replace(finding, unwritten=_TOO_LARGE)
    try:
        with deep_trees():
            fixed = _fixed_in_a_line(texts, files, flow, mistake)
            return replace(finding, fixed=fixed)
    except SyntaxError:  # a cell magic, a truncated text
        return finding
    except RecursionError:
        return replace(finding, unwritten=_TOO_LARGE)


def _is_large(text: str) -> bool:
    """Whether a program is so large that copying and comparing its trees would take longer than everything else."""
    try:
        sizes = (1 + len(getattr(node, "elts", ())) for node in walk(parsed(text)))
        return any(size > _MOST_NODES for size in accumulate(sizes))
    except SyntaxError:
        return False


def _fixed_in_a_line(
    texts: dict[str, str], files: Iterable[str], flow: FlowGraph, mistake: Mistake
) -> tuple[FixedFile, ...]:
    joined = Joined([_Text(file, texts[file].encode()) for file in files])
    spot = spot_of(joined, flow, mistake.call, mistake.source, mistake.finding)
    tree = joined.tree
    if spot is None or not _is_advised(spot):
        return ()
    for changed, said in fixes(tree, spot):
        fixed = joined.fixed(changed)
        is_for_one = len(mistake.names) > 1 and f".watch({spot.source})" in said
        return fixed if _is_enough(spot, fixed) and not is_for_one else ()
    return ()


def _is_advised(spot: FixContext) -> bool:
    """Whether the rule does what the finding advises, instead of one of several possible fixes."""
    if spot.cause is cuts.stop_gradient:  # an intended conversion must stay
        return spot.fix.startswith(("remove `stop_gradient`", "use ", "write "))
    return spot.cause is not sources.not_trainable


def _is_enough(spot: FixContext, fixed: Sequence[FixedFile]) -> bool:
    """Whether a single line is changed in place, and nothing else of the same kind remains in it."""
    lines = [line for each in fixed for _, line in each.lines]
    if len(lines) != 1 or len(fixed[0].changes) != 1 or spot.fix.count(" instead of ") > 1:
        return False
    if not _is_sound(fixed[0]):
        return False
    if spot.cause is sources.source_is_copy:
        return spot.advised_code in lines[0]
    left = _LEFT.get(spot.cause)
    if left is None:
        return True
    names = numpy_names(fixed[0].after)
    numpys = "|".join(re.escape(local) for local, known in names if known.startswith("np"))
    return re.search(left.replace("{numpy}", numpys), lines[0]) is None


def _is_sound(fixed: FixedFile) -> bool:
    """Whether the new program compiles, and the new line differs, uses only known names, and assigns no name to itself."""
    (number, line), *_ = fixed.lines
    try:
        compile(fixed.after, fixed.file, "exec", dont_inherit=True)
        tree = parsed(fixed.after)
    except (SyntaxError, ValueError):
        return False
    new, old = _innermost(tree, number), _innermost(parsed(fixed.before), number)
    match new:
        case ast.Assign(targets=[target], value=value) if ast.unparse(target) == ast.unparse(value):
            return False
    if new is None or line in lines_of(fixed.before)[number - 1 : number]:
        return False
    return all(is_known_at(fixed.after, number, name) for name in _names(new) - _names(old))


def _innermost(tree: ast.AST, line: int) -> ast.stmt | None:
    """Return the smallest statement of a tree that is on a line."""
    around = (
        node
        for node in walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    )
    return min(around, key=lambda node: (node.end_lineno or 0) - node.lineno, default=None)


def _names(node: ast.AST | None) -> set[str]:
    return set() if node is None else {each.id for each in walk(node) if isinstance(each, ast.Name)}

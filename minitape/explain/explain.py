"""Explain a run: for each gradient call, what it returned and why.

The cause of a None is on the path from the source to the target that breaks the fewest connections (`breaks`), together with
everything else that cuts off a contribution (`cut_sets`). If no path exists, the finding is about what the user probably meant
(`unconnected`). The cause of zeros and NaNs is the first op that produced one, and the other iterations show which zeros are
correct (`numbers`).
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from minitape.explain import filled_in
from minitape.explain.at_source import at_source
from minitape.explain.breaks import Path, shortest
from minitape.explain.causes import cuts, nans, refusals, sources
from minitape.explain.causes.cause import BrokenEdge, Facts, FindingContext
from minitape.explain.cut_sets import CutSets, Losses, LostPath
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.magnitudes import is_broken, is_zero, largest
from minitape.explain.flow.program.sources import typed_source
from minitape.explain.flow.program.text import line_of_assignment, name_of_sources
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.explain.flow.updates import is_by_optimizer
from minitape.explain.never_ran import nothing_requested
from minitape.explain.no_path.twins import (
    called_again,
    called_instead,
    copied,
    recreated,
    weights_of_copy,
)
from minitape.explain.no_path.unconnected import no_path
from minitape.explain.no_path.weighing import best_supported
from minitape.explain.notes import noticed
from minitape.explain.numbers.cancellation import cancelled
from minitape.explain.numbers.discarded import why_discarded
from minitape.explain.numbers.harmless_zeros import harmless_zeros, without_harmless_zeros
from minitape.explain.numbers.nans import why_nan, why_target_broken
from minitape.explain.numbers.partial import why_partial
from minitape.explain.numbers.right_zeros import without_right_zeros
from minitape.explain.numbers.stopped_terms import stopped_term
from minitape.explain.numbers.straight_through import unstopped
from minitape.explain.numbers.zeros import why_zero
from minitape.explain.pointing import pointed
from minitape.explain.report import (
    CallReport,
    Finding,
    Hop,
    Location,
    Outcome,
    Report,
    RunnerUp,
    SourceReport,
)
from minitape.explain.same_fix import reported_once
from minitape.explain.texts import report as report_texts
from minitape.source_text import deep_trees, walk
from minitape.trace import events
from minitape.trace.trace import Trace
from minitape.trace.writing import seldom_searched


@deep_trees()
@seldom_searched()
def explain(trace: Trace) -> Report:
    """Return why each gradient of a run is what it is. A correct gradient has no findings."""
    flow = trace.once(FlowGraph)
    requested = [
        call for call in flow.calls.values() if call.event.inside is None and call.has_ended
    ]
    calls = list(_without_consequences([_explained(flow, call) for call in requested]))
    judged = tuple(without_right_zeros(flow, requested, calls))
    reported = tuple(without_harmless_zeros(requested, judged))
    return Report(
        trace.script, reported, (*harmless_zeros(judged, reported), *noticed(flow, reported))
    )


def _without_consequences(reports: Sequence[CallReport]) -> Iterator[CallReport]:
    """Yield the reports, without findings about a target that is None because of a finding about an earlier call."""
    lost: set[tuple[str, int]] = set()
    for report in reports:
        kept = [
            tuple(
                each
                for each in source.findings
                if each.slug != refusals.bad_target_type.slug
                or (each.location.file, each.location.line) not in lost
            )
            for source in report.sources
        ]
        if any(source.outcome is Outcome.NONE and source.findings for source in report.sources):
            lost.add((report.location.file, report.location.line))
        yield replace(
            report,
            sources=tuple(
                source
                if source.findings == findings
                else replace(source, findings=findings, fix_sets=())
                for source, findings in zip(report.sources, kept, strict=True)
            ),
        )


def _explained(flow: FlowGraph, call: GradientCall) -> CallReport:
    event = call.event
    cut_sets = CutSets(flow, call)
    sources = tuple(_of_source(flow, call, cut_sets, i) for i in range(len(event.sources)))
    return CallReport(
        event=event.i,
        location=_location(event.at),
        visit=event.visit,
        api=event.api,
        text=event.text,
        target_name=event.target_name or report_texts.THE_TARGET,
        sources=sources or tuple(_of_none(flow, call)),
    )


def _of_none(flow: FlowGraph, call: GradientCall) -> Iterator[SourceReport]:
    """Yield the report of a call whose list of sources is empty."""
    found = None if call.error is not None else nothing_requested(flow, call)
    if found is not None:
        source = events.GradientSource(None, found.facts.given)
        finding = _finding(flow, call, source, LostPath(found, None))
        yield SourceReport(0, source.name, 0, Outcome.EMPTY, (finding,), ((0,),))


def _of_source(flow: FlowGraph, call: GradientCall, cut_sets: CutSets, index: int) -> SourceReport:
    source = _named(call, index)
    value = source.value or 0  # 0 for a source that is not a tensor
    result = next((each for each in call.results if each.source == index), None)
    if call.error is not None:
        outcome, lost = Outcome.ERROR, _alone(_of_error(flow, call, source, call.error))
    else:
        outcome, lost = _of_result(flow, call, cut_sets, value, result)
    findings = tuple(_finding(flow, call, source, each) for each in lost.losses)
    if result is not None:
        findings = tuple(filled_in.reported(flow, call, result, each) for each in findings)
    gradient = None if result is None else result.numbers
    is_tiny = outcome is Outcome.ZERO and largest(gradient) > 0
    known = reported_once(findings, lost.cut_sets)
    return SourceReport(index, source.name, value, outcome, *known, is_tiny=is_tiny)


def _named(call: GradientCall, index: int) -> events.GradientSource:
    """Return a source of a call; if it has no name, it gets the expression that the program could write for it."""
    source, count = call.event.sources[index], len(call.event.sources)
    if source.name != "Variable" and "sources[" not in source.name:
        return source
    written = typed_source(call.event.text, index, count) or source.name
    return events.GradientSource(source.value, written)


def _alone(breaks: Iterable[BrokenEdge[Facts] | None]) -> Losses:
    """Return the causes that are on no path. Each of them is fixed separately."""
    found = [each for each in breaks if each is not None]
    return Losses(
        tuple(LostPath(each, None) for each in found), tuple((i,) for i in range(len(found)))
    )


def _of_result(
    flow: FlowGraph,
    call: GradientCall,
    cut_sets: CutSets,
    source: int,
    result: events.ResultEvent | None,
) -> tuple[Outcome, Losses]:
    if result is None:
        return Outcome.OK, _alone([])
    gradient = result.numbers
    if gradient is None:
        return Outcome.NONE, why_none(flow, call, cut_sets, source)
    if filled_in.is_filled_in(call, result):
        lost = why_none(flow, call, cut_sets, source)
        return Outcome.ZERO, _alone([]) if filled_in.are_meant(call, lost) else lost
    if is_broken(gradient):
        return Outcome.NAN, _alone([why_nan(flow, call, source)])
    if is_zero(gradient) and source in call.reached:
        found = (
            unstopped(flow, call, source)
            or cancelled(flow, call, source)
            or why_zero(flow, call, source)
        )
        # The gradient is tiny, but every op passed it on correctly, so it is not lost.
        is_small = found is None and largest(gradient)
        return Outcome.OK if is_small else Outcome.ZERO, _alone([found])
    found = (
        why_partial(flow, call, source, set(call.event.targets))
        or why_discarded(flow, call, source)
        or unstopped(flow, call, source, partial=True)
        or stopped_term(flow, call, source)
    )
    if found is None and source in call.reached:
        return Outcome.OK, _alone([flow.once(_broken_target, call)])
    return Outcome.OK if found is None else Outcome.PARTIAL, _alone([found])


def _broken_target(flow: FlowGraph, call: GradientCall) -> BrokenEdge[Facts] | None:
    """Return why a target is not finite although all gradients are.

    Infinities that the program itself writes into an array, as in a mask, are not a mistake. If the updates of a loop grow too
    large, the notes report that as long as the gradients are finite.
    """
    if any(is_broken(result.numbers) for result in call.results):
        return None
    found = why_target_broken(flow, call)
    if found is None or found.cause is nans.diverged:
        return None
    targets = [flow.numbers.get(each) for each in call.event.targets]
    is_array = all(each is None or (each.shape and not each.nan) for each in targets)
    return None if found.cause is nans.nan_input and is_array else found


def why_none(flow: FlowGraph, call: GradientCall, cut_sets: CutSets, source: int) -> Losses:
    """Return the causes that cut off all paths, beginning with the causes on the path with the fewest breaks."""
    targets = call.ends
    origin = at_source(flow, call, source)
    path = shortest(flow, call, source, targets)
    if path is None:
        if origin is not None and (origin.cause is sources.integer_dtype or source in targets):
            return _alone([origin])
        return _alone([no_path(flow, call, source, targets)])
    if _is_of_earlier_training(flow, call, path):
        return _alone([no_path(flow, call, source, targets)])
    again = recreated(flow, call, source, path)
    other = _other_model(flow, call, source, path)
    if other is None and again is None:
        other = called_again(flow, call, source, path)
    others = (other, again, weights_of_copy(flow, call, source, path))
    instead = best_supported(flow, call, source, others)
    if instead is not None:
        return _alone([instead])
    is_late = any(each.cause is sources.watched_too_late for each in path.breaks)
    if is_late and origin is not None and origin.cause is sources.not_watched:
        origin = None
    return cut_sets.losses(source, path, origin)


def _is_of_earlier_training(flow: FlowGraph, call: GradientCall, path: Path) -> bool:
    """Whether a path passes an update by an optimizer that ran before the tape opened.

    Data that an actor chose trains a critic, so the weights of the critic depend on those of the actor. No one expects a gradient
    along that path.
    """
    opened = flow.tapes[call.tape].entered
    return any(
        isinstance(assign := flow.event(each.event), events.AssignEvent)
        and assign.i < opened[0]
        and is_by_optimizer(flow, assign)
        for each in path.breaks
        if opened and each.cause is cuts.state_assign
    )


def _other_model(
    flow: FlowGraph, call: GradientCall, source: int, path: Path
) -> BrokenEdge[Facts] | None:
    """Return a copy or another model that was called instead, if only assignments before the tape opened connect it to the
    source.
    """
    made, opened = flow.variables.get(source), flow.tapes[call.tape].entered
    stored = [each.event for each in path.breaks if each.cause is cuts.state_assign]
    if made is None or not opened or not stored or max(stored) > opened[0]:
        return None
    return copied(flow, call, made) or called_instead(flow, call, made)


def _of_error(
    flow: FlowGraph, call: GradientCall, source: events.GradientSource, error: events.ErrorEvent
) -> list[BrokenEdge[Facts]]:
    entered = flow.tapes[call.tape].entered
    why = error.refused or _refusal(error)
    if why == "used_up":
        return [BrokenEdge(refusals.tape_consumed, entered[0] if entered else call.event.i)]
    if why == "no_gradient":
        return [
            BrokenEdge(cuts.no_gradient_registered, op.i) for op in _without_rule(flow, call)[-1:]
        ]
    refused = _refused(flow, call, source, error.message, why)
    is_tensor = source.value is not None
    return [] if refused.cause is refusals.bad_source_type and is_tensor else [refused]


def _without_rule(flow: FlowGraph, call: GradientCall) -> list[events.OpEvent]:
    """Return the ops on the path to the target that the tape recorded and that have no gradient rule."""
    ops = {op.i: op for each in flow.upstream(call.event.targets) if (op := flow.op_behind(each))}
    return [
        op
        for _, op in sorted(ops.items())
        if flow.primitives[op.name].gradient == "missing" and call.tape in op.recorded
    ]


def _refusal(error: events.ErrorEvent) -> str | None:
    """Return why a call raised, from the message of minitape's own error, if the trace itself does not record the reason."""
    if error.type.endswith("RuntimeError") and "non-persistent" in error.message:
        return "used_up"
    if error.type == "NoGradientError":
        return "no_gradient"
    if error.message.startswith("A target") or "`target`" in error.message:
        return "target"
    return "source" if error.message.startswith("A source") else None


def _refused(
    flow: FlowGraph,
    call: GradientCall,
    source: events.GradientSource,
    message: str,
    why: str | None,
) -> BrokenEdge[Facts]:
    """Return the break of a call with an invalid argument, pointing at the line where that argument came from."""
    facts = refusals.Refused(message=message)
    event = call.event
    if why == "target":
        cause, name = refusals.bad_target_type, event.target_name
    elif why == "source":
        cause, name = refusals.bad_source_type, source.name
    else:
        return BrokenEdge(refusals.refused_call, event.i, facts=facts)
    if event.left:
        return BrokenEdge(cause, flow.exits[event.left[-1]].event.i, (event.i,), facts)
    name = name if name and name.isidentifier() else name_of_sources(event.text)
    at = event.at and _line_of_name(flow, event.at, name or "")
    return BrokenEdge(cause, event.i, (event.i,), facts, at=at)


def _line_of_name(flow: FlowGraph, at: events.SourceRange, name: str) -> tuple[str, int] | None:
    """Return the last line up to a location that assigns `name`."""
    line = line_of_assignment(flow.texts.get(at.file, ""), name, at.line)
    return (at.file, line) if line else None


def finding_of(
    flow: FlowGraph, call: GradientCall, index: int, found: BrokenEdge[Facts]
) -> Finding:
    """Return a finding about a source of a call, for a case that is on no path."""
    return _finding(flow, call, _named(call, index), LostPath(found, None))


def _finding(
    flow: FlowGraph, call: GradientCall, source: events.GradientSource, loss: LostPath
) -> Finding:
    found = pointed(flow, call, loss.found)
    context = FindingContext(flow, call, source, found)
    words = found.cause.says(context)
    message = words.message + nans.on_element(context)
    message += _on_target(flow, call, source, context.the_target)
    if found.facts.regularized:
        message += report_texts.ONLY_REGULARIZATION(
            source=context.the_source, target=context.the_target
        )
    location = _location(context.place)
    if found.cause.usual is not None:
        message += found.cause.usual(context)
    decisive = (found.event, *found.also)
    lines = _lines(flow, location, decisive, found.beside)
    return Finding(
        code=_code_in(found) or found.cause.code,
        slug=found.cause.slug,
        confidence=found.confidence,
        location=location,
        lines=tuple(lines),
        label=words.label,
        message=message,
        fix=_with_import(flow, context.place, words.fix),
        parts=tuple(lines.values()),
        evidence=found.evidence,
        events=decisive,
        path=_hops(flow, call, loss.path),
        runner_up=_runner_up(flow, call, source, found),
        is_harmless=found.facts.harmless,
        is_harmless_alone=found.facts.harmless_alone,
    )


def _with_import(flow: FlowGraph, place: events.SourceRange | None, fix: str) -> str:
    """Return a fix with the import that it needs, if it uses TensorFlow in a file that has not imported it."""
    program = "" if place is None else flow.texts.get(place.file, "")
    if place is None or not program or re.search(r"`[^`]*\btf\.\w", fix) is None:
        return fix
    if not place.file.endswith(".py"):  # the cells of a notebook share their imports
        return fix
    for node in walk(tree_or_empty(program)):
        match node:
            case ast.Name(id="tf") | ast.alias(name="tf" | "*") | ast.alias(asname="tf"):
                return fix
    return report_texts.NEEDS_IMPORT(fix=fix, file=place.file)


def _runner_up(
    flow: FlowGraph,
    call: GradientCall,
    source: events.GradientSource,
    found: BrokenEdge[Facts],
) -> RunnerUp | None:
    """Return the best supported case of another cause, where it would point."""
    other = found.runner_up
    if other is None:
        return None
    location = FindingContext(flow, call, source, pointed(flow, call, other)).place
    return RunnerUp(other.cause.code, other.cause.slug, _location(location))


def _on_target(
    flow: FlowGraph, call: GradientCall, source: events.GradientSource, target: str
) -> str:
    """Return the sentence about a target that is not finite although the gradient of the source is."""
    result = next(
        (each for each in call.results if call.event.sources[each.source].value == source.value),
        None,
    )
    if result is None or result.numbers is None or is_broken(result.numbers):
        return ""
    broken = [flow.numbers[each] for each in call.event.targets if each in flow.numbers]
    if not any(map(is_broken, broken)):
        return ""
    is_nan = any(each.nan for each in broken)
    return (report_texts.TARGET_IS_NAN if is_nan else report_texts.TARGET_IS_INFINITE)(
        target=target
    )


def _code_in(found: BrokenEdge[Facts]) -> str | None:
    """Return the code that the message of an error names."""
    if not isinstance(found.facts, refusals.Refused):
        return None
    named = re.search(r"minitape explain (MT\d{3})", found.facts.message)
    return named[1] if named else None


def _location(at: events.SourceRange | None) -> Location:
    return Location("", 0) if at is None else Location(*at)


def _lines(
    flow: FlowGraph, location: Location, decisive: tuple[int, ...], beside: dict[int, str]
) -> dict[int, str]:
    """Return the lines of a cause, each with a note on what happened there; the line to change comes first."""
    lines = {location.line: report_texts.CHANGE_THIS} | beside
    for number in decisive:
        event = flow.event(number)
        at = event.at if isinstance(event, events.Placed) else None
        if at is not None and at.file == location.file:
            lines.setdefault(at.line, _part(event))
    return lines


_PARTS: dict[type[events.Event], str] = {
    events.AssignEvent: report_texts.ASSIGNED,
    events.ConstantEvent: report_texts.CREATED,
    events.ExportEvent: report_texts.LEAVES,
    events.GradientEvent: report_texts.REQUESTED,
    events.OpEvent: report_texts.COMPUTED,
    events.ReadEvent: report_texts.READ,
    events.ReentryEvent: report_texts.COMES_BACK,
    events.ResetEvent: report_texts.RESET,
    events.StopRecordingEvent: report_texts.PAUSED,
    events.TapeEnterEvent: report_texts.OPENED,
    events.VariableEvent: report_texts.CREATED,
    events.WatchEvent: report_texts.WATCHED,
}


def _part(event: events.Event) -> str:
    """Return the note on how an event is related to the cause."""
    return _PARTS.get(type(event), "")


def _hops(flow: FlowGraph, call: GradientCall, path: Path | None) -> tuple[Hop, ...]:
    """Return a path for the report. Paths of several sources share the objects of their common steps."""
    if path is None:
        return ()
    known, hops = flow.once(_hops_of_call, call), []
    for edge, lost in zip(path.edges, path.lost, strict=True):
        if edge.kind == "kept":
            continue  # the value only stays in the variable
        step = edge.end, edge.event, None if lost is None else lost.cause.slug
        hop = known.get(step)
        if hop is None:
            hop = known[step] = Hop(*step)
        hops.append(hop)
    return tuple(hops)


def _hops_of_call(_: FlowGraph, __: GradientCall) -> dict[tuple[int, int, str | None], Hop]:
    """Return the cache of paths that were already converted for this call."""
    return {}

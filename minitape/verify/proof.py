"""Prove an explanation: fix the named mistake, run the script again, and read the returned gradient.

    proved         a report with the gradient that was returned after each fix, and how the target changes with a source
    first_proved   the first mistake of a report for which there is a proof

If the gradient is then lost for another reason that a rule can also fix, the next fix is applied. The proof lists all fixes. A
gradient is reported only if a run returned it, complete and finite, in the gradient call in question.
"""

import ast
import copy
import re
import time
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from minitape.core.values import Array
from minitape.explain.breaks import updates
from minitape.explain.causes import CAUSES, sources
from minitape.explain.explain import explain
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.mistakes import mistakes_of
from minitape.explain.report import (
    CallReport,
    Finding,
    Location,
    Outcome,
    PerturbationResult,
    Proof,
    Report,
    SourceReport,
)
from minitape.fixes.repair.rules import fixes, hopeless
from minitape.fixes.text.syntax import FixContext, Joined, spot_of
from minitape.source_text import deep_trees
from minitape.trace import events
from minitape.trace.trace import Trace
from minitape.verify.answers import Returned, has_same_target, requested, returned, same_call
from minitape.verify.perturbation import compared, nudged
from minitape.verify.rerun import Rerun
from minitape.verify.texts import proof as texts

__all__ = ["first_proved", "proved"]

_REPAIRS = 4  # the maximum number of mistakes on one path
_TRIES = 8  # the maximum number of different findings of a report that are tried
_NUDGED = (Outcome.NONE, Outcome.ZERO, Outcome.PARTIAL)


def proved(report: Report, trace: Trace, again: Rerun) -> Report:
    """Return the report with proofs. Each distinct finding is tried once, at its first occurrence.

    Args:
        report: The report of `explain` on `trace`.
        trace: The first run.
        again: Runs the script again, including its side effects. All runs must begin within its `timeout`.
    """
    prover = _Prover(trace, again)
    calls = [
        prover.call(call) for call in report.calls
    ]  # findings come first, in case the time runs out
    return replace(report, calls=tuple(map(prover.compared, calls)))


def first_proved(report: Report, trace: Trace, again: Rerun) -> Finding | None:
    """Return the first mistake, in the order of fixing, whose fix is proved and can be written to files, if any."""
    prover = _Prover(trace, again)
    for mistake in mistakes_of(report):
        finding = prover.finding(mistake.call, mistake.source, mistake.finding)
        if finding.proof is not None and finding.fixed:
            return finding
    return None


class _Prover:
    def __init__(self, trace: Trace, again: Rerun) -> None:
        self._trace = trace
        self._again = again
        self._joined = Joined(again.parts)
        self._tried: set[tuple[Location, int, Location, str]] = set()
        self._perturbed: set[tuple[Location, int]] = set()
        self._compared_once: set[tuple[Location, int]] = set()
        self._until = time.monotonic() + (again.timeout or float("inf"))

    @property
    def _has_time(self) -> bool:
        return time.monotonic() < self._until

    def call(self, call: CallReport) -> CallReport:
        return replace(call, sources=tuple(self._source(call, each) for each in call.sources))

    def compared(self, call: CallReport) -> CallReport:
        """Return the call, with its healthy gradients compared with numerical derivatives."""
        return replace(call, sources=tuple(self._compared(call, each) for each in call.sources))

    def _compared(self, call: CallReport, source: SourceReport) -> SourceReport:
        key = call.location, source.index
        event = requested(self._trace, call)
        if source.findings or source.outcome is not Outcome.OK or key in self._compared_once:
            return source
        if (
            call.api != "gradient"
            or event.output_gradients
            or self._has_been_assigned(event, source)
        ):
            return source
        self._compared_once.add(key)
        if len(self._compared_once) > _TRIES or not self._has_time:
            return source
        gradient = self._gradient_as_it_is(call, source)
        if gradient is None:
            return source
        nudge = nudged(self._again, self._trace, event, source.value)
        return replace(source, nudge=compared(nudge, gradient))

    def _has_been_assigned(self, call: events.GradientEvent, source: SourceReport) -> bool:
        """Whether an assignment replaced the first value of a source before the call."""
        return any(
            each.variable == source.value and each.i < call.i
            for each in self._trace.of(events.AssignEvent)
        )

    def _gradient_as_it_is(self, call: CallReport, source: SourceReport) -> Array | None:
        """Return all elements of a gradient, with the random numbers of the numerical derivatives; None for a large gradient."""
        if self._as_it_is is None:
            return None
        trace, report = self._as_it_is
        same = same_call(report, call)
        if same is None or source.index >= len(same.sources):
            return None
        found = returned(trace, same, same.sources[source.index], picked=None)
        return None if found is None else found.elements

    def finding(self, call: CallReport, source: SourceReport, finding: Finding) -> Finding:
        """Return a finding with its proof, unless the finding was tried before or the time is over."""
        key = call.location, source.index, finding.location, finding.slug
        if key in self._tried or len(self._tried) >= _TRIES or not self._has_time:
            return finding
        self._tried.add(key)
        try:
            with deep_trees():
                return self._proved(call, source, finding)
        except RecursionError:
            return replace(finding, unproved=texts.TOO_DEEP)

    def _source(self, call: CallReport, source: SourceReport) -> SourceReport:
        findings = [self.finding(call, source, each) for each in source.findings]
        nudge = self._nudge(call, source)
        if not self._has_learnt(call):
            findings = [_weighed(each, nudge) for each in findings]
        return replace(source, findings=tuple(findings), nudge=nudge)

    def _has_learnt(self, call: CallReport) -> bool:
        """Whether variables were updated before a call. A perturbation changes these updates too, but no tape records them."""
        return any(each < call.event for each in self._updates)

    @cached_property
    def _updates(self) -> set[int]:
        return updates(FlowGraph(self._trace))

    def _nudge(self, call: CallReport, source: SourceReport) -> PerturbationResult | None:
        key = call.location, source.index
        is_requested = source.findings and source.outcome in _NUDGED
        if (
            not is_requested
            or key in self._perturbed
            or len(self._perturbed) >= _TRIES
            or not self._has_time
        ):
            return None
        self._perturbed.add(key)
        return nudged(self._again, self._trace, requested(self._trace, call), source.value)

    def _proved(self, call: CallReport, source: SourceReport, finding: Finding) -> Finding:
        """Return the finding with a proof, or with the reason why it has no proof."""
        state = _State(self._joined.tree, self._trace, call, source, finding)
        done = list[str]()
        for _ in range(_REPAIRS):
            spot = spot_of(
                self._joined, FlowGraph(state.trace), state.call, state.source, state.finding
            )
            if spot is None:
                return replace(
                    finding,
                    unproved=texts.OTHER_FILE(file=state.finding.location.file),
                )
            step = self._step(state, spot)
            if isinstance(step, str):
                reason = step
                break
            state, said = step
            done.append(said)
            if state.source.outcome is Outcome.OK:
                assert state.gradient is not None
                engine = state.trace.ran_on.in_words
                proof = Proof("; ".join(done), state.gradient.as_data(), engine)
                return replace(finding, proof=proof, fixed=self._joined.fixed(state.tree))
        else:
            reason = hopeless(CAUSES[state.finding.slug])
        if done:
            line = state.finding.location.line
            reason = texts.NOT_ENOUGH(changes="; ".join(done), line=line, reason=reason)
        return replace(finding, unproved=reason)

    def _step(self, state: "_State", spot: FixContext) -> "tuple[_State, str] | str":
        """Return the first fix after which the source no longer has this finding, or else the first fix with which the script
        runs.

        Without such a fix, return the reason as a sentence.
        """
        second_best = None
        reason = hopeless(spot.cause)
        for tree, said in fixes(state.tree, spot):
            trace = self._repaired(tree) if self._has_time else None
            if not self._has_time:
                reason = texts.LATE
            elif trace is None or self._as_it_is is None:
                reason = texts.GONE
            if trace is None or self._as_it_is is None:
                continue
            after = same_call(explain(trace), state.call)
            is_picked = spot.cause is sources.source_is_copy and said == spot.advised_code
            index = 0 if is_picked else state.source.index
            if after is None or index >= len(after.sources):
                continue
            target = state.target
            if spot.cause.is_other_target:
                target = trace, explain(trace)
                said = texts.FOR_INTENDED_TARGET(change=said)
            if not has_same_target(target or self._as_it_is, trace, after):
                continue
            source = after.sources[index]
            picked = _entry(said, state.source.index) if is_picked else None
            gradient = returned(trace, after, source, picked=picked)
            if source.outcome is Outcome.OK and gradient is not None:
                return _State(tree, trace, after, source, state.finding, gradient), said
            if source.findings:
                repaired = (
                    _State(tree, trace, after, source, source.findings[0], None, target),
                    said,
                )
                if not any(_is_same(each, state.finding) for each in source.findings):
                    return repaired
                second_best = second_best or repaired
        return second_best or reason

    def _repaired(self, tree: ast.Module) -> Trace | None:
        trace = self._again.run(self._joined.apart(copy.deepcopy(tree)), seed=0)
        is_same = trace is not None and trace.ran_on.engine == self._trace.ran_on.engine
        return trace if is_same else None

    @cached_property
    def _as_it_is(self) -> tuple[Trace, Report] | None:
        """A run of the unchanged script, with the random numbers that fixed scripts get."""
        trace = self._again.run(seed=0)
        return None if trace is None else (trace, explain(trace))


def _weighed(finding: Finding, nudge: PerturbationResult | None) -> Finding:
    """Return the finding, with its proof compared with the numerical derivative."""
    proof = finding.proof
    if proof is None or nudge is None or nudge.derivative is None:
        return finding
    cause = CAUSES[finding.slug]
    if cause.is_other_target or cause is sources.source_is_copy:
        return finding  # the numerical derivative belongs to another target, or to a copy
    if "data" not in proof.gradient or "rows" in proof.gradient:
        return finding
    if not compared(nudge, np.asarray(proof.gradient["data"], np.float64)).differs:
        return finding
    return replace(finding, proof=replace(proof, tried=texts.STILL_INCOMPLETE(change=proof.tried)))


@dataclass(frozen=True)
class _State:
    """A script with some fixes, its run, and what is still wrong with the source.

    `target` is the first run with the intended target, if a fix has replaced the original target.
    """

    tree: ast.Module
    trace: Trace
    call: CallReport
    source: SourceReport
    finding: Finding
    gradient: Returned | None = None
    target: tuple[Trace, Report] | None = None


def _entry(said: str, index: int) -> int:
    """Return the index of a source among the parts into which a gradient is split."""
    written = re.search(r"\[(\d+)\]$", said)
    return int(written[1]) if written else index


def _is_same(one: Finding, other: Finding) -> bool:
    return (one.slug, one.location) == (other.slug, other.location)

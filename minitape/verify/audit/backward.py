"""Recomputes the backward passes of a trace.

A trace has each backward step with its op, the cotangent that arrived, and the contribution to each input. This module
recomputes them as an account: it adds the contributions to a value to the value's total, the total arrives at the op that
computed the value, and the gradient rule of the op, run again, computes the contributions to the op's inputs. A difference
between the trace and the account is a fault. The account then continues with the correct value, so that one wrong number causes
only one fault.

The account visits the ops from the last to the first, whatever order an engine uses. In this order, all contributions to a
value arrive before its op passes them on.

    Account       one backward pass of a call
    RunningTotal  the contributions to a value so far
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from minitape.autodiff.accumulate import added, dense
from minitape.core.batched import Batched
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.values import Array, Value
from minitape.replay.numbers import array_of, plain
from minitape.replay.reason import Reason
from minitape.trace import events
from minitape.verify.audit.calls import AuditedCall, TracedBackward
from minitape.verify.audit.numbers import difference, same, size_of
from minitape.verify.audit.recomputed import RecomputedValues
from minitape.verify.audit.report import AuditFault, FaultKind, Findings, What
from minitape.verify.texts import audit as texts


@dataclass
class RunningTotal:
    """The sum of the contributions to a value so far: None without contributions, a Reason if they are not known.

    `scale` is the magnitude of the individual contributions, which may cancel in the sum.
    """

    value: Value | Reason | None = None
    scale: float = 0.0

    def add(self, amount: Value | Reason) -> None:
        if isinstance(self.value, Reason):
            return
        if isinstance(amount, Reason):
            self.value = amount
            return
        self.scale += size_of(amount)
        self.value = amount if self.value is None else added(self.value, amount)


class Account:
    """The recomputation of one backward pass.

    Args:
        call: The call that it belongs to.
        `reported`: The events of the trace about it.
        beginning: The values at which the backward pass begins, and the first cotangent of each.
        known: The values and ops of the run.
        findings: Collects counts and faults.
    """

    def __init__(
        self,
        call: AuditedCall,
        reported: TracedBackward,
        beginning: Sequence[tuple[int, Array | Reason]],
        known: RecomputedValues,
        findings: Findings,
    ) -> None:
        self._call = call
        self._reported = reported
        self._beginning = beginning
        self._known = known
        self._findings = findings
        self._numbers = {op.number for op in call.recorded}
        self._reached = _downstream(call, known)
        self._has_lost_steps: set[int] = set()  # the values with a contribution from a missing step
        self._contributions: dict[int, list[Value | Reason]] = {}  # by the event of the step
        self.totals: defaultdict[int, RunningTotal] = defaultdict(RunningTotal)
        targets = call.requested.targets
        is_jacobian = call.requested.api != "gradient"
        self.rows = reported.rows(known.shape(targets[0])) if is_jacobian else None

    def settle(self) -> None:
        """Compare everything in the trace about this backward pass with the account."""
        for value, cotangent in self._beginning:
            self._total(value).add(self._as_carried(cotangent, value))
        for op, step in self._from_last_to_first():
            if step is None:
                self._look_for_lost_step(op)
            else:
                self._audit_step(op, step)
        self._audit_sums()
        self._audit_numbering()

    def _total(self, value: int) -> RunningTotal:
        return self.totals[self._known.named(value)]

    def _fault(
        self,
        kind: FaultKind,
        event: events.Event,
        op: int | None,
        what: str,
        says: str,
        should: str,
    ) -> None:
        call = self._call
        self._findings.faults.append(
            AuditFault(kind, event.i, op, call.requested.call, call.line, what, says, should)
        )

    def _as_reported(self, numbers: events.Numbers, value: int) -> Value | Reason:
        return self._as_carried(array_of(numbers), value)

    def _as_carried(self, array: Array | Reason, value: int) -> Value | Reason:
        """Return a cotangent of `value` in the form that the backward pass uses."""
        if isinstance(array, Reason):
            return array
        shape, reported = self._known.shape(value), np.shape(array)
        if reported == shape:
            return array
        return Batched(array) if reported == (self.rows, *shape) else Reason.SLICES

    # --- steps ---

    def _from_last_to_first(self) -> Iterator[tuple[events.OpEvent, events.BackEvent | None]]:
        """Yield each op that the tape recorded or that has a step; ops from before the recording are unknown."""
        step_of: dict[int, events.BackEvent] = {}
        for step in self._reported.steps:
            if step.op is None:
                self._findings.passed_over(What.STEPS, Reason.EARLIER)
                self._take_as_reported(step)
            elif step.op in step_of:
                name = self._known.ops[step.op].name
                says = texts.ANOTHER_STEP(op=step.op)
                self._fault(
                    FaultKind.STEP, step, step.op, texts.STEP(op=name), says, texts.ONE_STEP
                )
                self._take_as_reported(step)
            else:
                step_of[step.op] = step
        for number in sorted(self._numbers | step_of.keys(), reverse=True):
            yield self._known.ops[number], step_of.get(number)

    def _arrived(self, op: events.OpEvent) -> list[Value | Reason | None]:
        return [_densely(self._total(out.id).value) for out in op.outputs]

    def _look_for_lost_step(self, op: events.OpEvent) -> None:
        """Check that each op with a contribution and a gradient rule, downstream of a source, has a step."""
        arrived = self._arrived(op)
        goes_on = any(self._known.named(each.value) in self._reached for each in op.inputs)
        is_over = bool(self._call.results)
        if all(each is None for each in arrived) or not goes_on or not is_over:
            return
        sent = self._known.sent_back(op, arrived)
        if isinstance(sent, Reason):
            if self._known.gradient_of(op) not in ("rule", "zero"):
                return
            sent = [Reason.UNSURE] * len(op.inputs)
        owed = [
            (self._known.named(each.value), amount)
            for each, amount in zip(op.inputs, sent, strict=True)
            if amount is not None and self._known.named(each.value) in self._reached
        ]
        if not owed:
            return
        what = texts.STEP(op=op.name)
        at = self._call.results[0]
        self._fault(FaultKind.MISSING_STEP, at, op.number, what, texts.NOTHING, texts.A_STEP)
        for value, amount in owed:
            self._has_lost_steps.add(value)
            self._total(value).add(amount)

    def _audit_step(self, op: events.OpEvent, step: events.BackEvent) -> None:
        if op.number not in self._numbers:
            tape = self._call.requested.tapes[0]
            what = texts.STEP(op=op.name)
            self._fault(
                FaultKind.STEP, step, op.number, what, texts.A_STEP, texts.NOT_RECORDED(tape=tape)
            )
        self._audit_arrival(op, step)
        sent = self._known.sent_back(op, self._arrived(op))
        if isinstance(sent, Reason):
            self._findings.passed_over(What.STEPS, sent)
            self._take_as_reported(step)
            return
        reasons = self._audit_contributions(op, step, sent)
        self._audit_skipped(op, step, sent)
        if reasons:
            self._findings.passed_over(What.STEPS, reasons[0])
        else:
            self._findings.audited[What.STEPS] += 1

    def _audit_arrival(self, op: events.OpEvent, step: events.BackEvent) -> None:
        """Check that the cotangent that arrives at a step is the sum of the contributions to its output."""
        total = self._total(step.arrived.id)
        reported = self._as_reported(step.arrived, step.arrived.id)
        if isinstance(reported, Reason):
            self._findings.passed_over(What.SUMS, reported)
            return
        if isinstance(total.value, Reason):
            self._findings.passed_over(What.SUMS, total.value)
            total.value = reported
            return
        self._findings.audited[What.SUMS] += 1
        what = texts.ARRIVED(op=op.name)
        if total.value is None:
            self._fault(
                FaultKind.ARRIVED, step, op.number, what, str(plain(reported)), texts.NOTHING
            )
            return
        should = plain(dense(total.value))
        if same(plain(reported), should, total.scale):
            total.value = reported
        else:
            words = difference(plain(reported), should, total.scale)
            self._fault(FaultKind.ARRIVED, step, op.number, what, *words)

    def _take_as_reported(self, step: events.BackEvent) -> None:
        """Take the contributions from the trace if the gradient rule cannot run."""
        amounts = [
            self._as_reported(contribution.numbers, contribution.value)
            for contribution in step.sent
        ]
        self._contributions[step.i] = amounts
        for contribution, amount in zip(step.sent, amounts, strict=True):
            self._total(contribution.value).add(amount)

    def _audit_contributions(
        self, op: events.OpEvent, step: events.BackEvent, sent: Sequence[Value | None]
    ) -> list[Reason]:
        """Check that the rule computes each contribution; return the reasons for the contributions that could not be compared."""
        owed: defaultdict[int, list[int]] = defaultdict(list)  # positions, by the input
        for position, (each, amount) in enumerate(zip(op.inputs, sent, strict=True)):
            if amount is not None and self._may_get(each.value):
                owed[self._known.named(each.value)].append(position)
        reasons = []
        amounts: list[Value | Reason] = []
        for contribution in step.sent:
            value = self._known.named(contribution.value)
            reported = array_of(contribution.numbers)
            if not self._is_requested_for(value):
                amounts.append(Reason.UNSURE)
                continue
            if not owed[value]:
                what = texts.CONTRIBUTION(op=op.name, value=self._known.called(value))
                self._fault(
                    FaultKind.CONTRIBUTION, step, op.number, what, str(reported), texts.NOTHING
                )
                amounts.append(Reason.UNSURE)
                continue
            position = owed[value].pop(0)
            amount = sent[position]
            if isinstance(reported, Reason):
                reasons.append(reported)
            elif self._is_owed(op, step, position, reported, amount):
                amount = _with_numbers(amount, reported)
            amounts.append(amount)
            if self._known.is_minitape or value in self._call.watched:
                self.totals[value].add(amount)
        for value, left in owed.items():
            for position in left if value in self._reached else ():
                what = texts.CONTRIBUTION(op=op.name, value=self._known.called(value))
                should = str(plain(sent[position]))
                self._fault(FaultKind.CONTRIBUTION, step, op.number, what, texts.NOTHING, should)
                self._has_lost_steps.add(value)
                self.totals[value].add(sent[position])
        self._contributions[step.i] = amounts
        return reasons

    def _is_requested_for(self, value: int) -> bool:
        """Whether a contribution to this input can matter. TensorFlow also contributes to plain numbers and integers."""
        return self._known.is_minitape or (value > 0 and self._known.is_smooth(value))

    def _may_get(self, value: int) -> bool:
        """Whether a value may get a contribution. TensorFlow also contributes to values that do not depend on a source."""
        return not self._known.is_minitape or self._known.named(value) in self._reached

    def _is_owed(
        self,
        op: events.OpEvent,
        step: events.BackEvent,
        position: int,
        reported: Array,
        amount: Value,
    ) -> bool:
        """Return whether the rule computes this contribution; if it does not, report a fault."""
        should = plain(amount)
        if same(reported, should):
            return True
        scale = self._known.scale_of_contribution(op, self._arrived(op), position)
        if same(reported, should, scale):
            return True
        what = texts.CONTRIBUTION(op=op.name, value=self._known.called(op.inputs[position].value))
        self._fault(
            FaultKind.CONTRIBUTION, step, op.number, what, *difference(reported, should, scale)
        )
        return False

    def _audit_skipped(
        self, op: events.OpEvent, step: events.BackEvent, sent: Sequence[Value | None]
    ) -> None:
        """Check that an input without a contribution has none for the reason given in the trace."""
        for each in step.skipped:
            value = self._known.named(each.value)
            is_reached = value in self._reached
            amounts = [
                amount
                for given, amount in zip(op.inputs, sent, strict=True)
                if self._known.named(given.value) == value
            ]
            holds = {
                "not_needed": not is_reached,
                "no_gradient": any(amount is None for amount in amounts),
                "not_floating": not self._known.is_smooth(value),
                "constant": value not in self._call.watched,
            }[each.why]
            if not holds:
                what = texts.WHY_SKIPPED(op=op.name, value=self._known.called(value))
                should = "something is sent" if is_reached else "not_needed"
                self._fault(FaultKind.SKIPPED, step, op.number, what, each.why, should)

    # --- sums ---

    def _audit_sums(self) -> None:
        """Check that each running total is the sum of the contributions so far, in their order."""
        sums: defaultdict[int, RunningTotal] = defaultdict(RunningTotal)
        uses: Counter[int] = Counter()
        for step in self._reported.steps:
            for contribution, amount in zip(step.sent, self._contributions[step.i], strict=True):
                value = self._known.named(contribution.value)
                if not value or not self._is_requested_for(value):
                    continue
                if value in self._has_lost_steps:
                    self._findings.passed_over(What.SUMS, Reason.UNSURE)
                    continue
                sums[value].add(amount)
                uses[value] += 1
                self._audit_sum(step, contribution, sums[value], uses[value])
        for value, total in sums.items():
            # Rows are concatenated in the order in which the engine visits the ops, which is not always the last first.
            are_rows = type(total.value) is type(self.totals[value].value) is IndexedSlices
            if are_rows and value not in self._has_lost_steps:
                self.totals[value] = total

    def _audit_sum(
        self,
        step: events.BackEvent,
        contribution: events.Contribution,
        total: RunningTotal,
        use: int,
    ) -> None:
        reported = array_of(contribution.total)
        if isinstance(total.value, Reason) or isinstance(reported, Reason):
            self._findings.passed_over(
                What.SUMS, reported if isinstance(reported, Reason) else Reason.UNSURE
            )
            return
        self._findings.audited[What.SUMS] += 1
        what = texts.SUM(value=self._known.called(contribution.value))
        should = plain(total.value)
        if not same(reported, should, total.scale):
            self._fault(
                FaultKind.SUM, step, step.op, what, *difference(reported, should, total.scale)
            )
        if contribution.use != use:
            self._fault(
                FaultKind.SUM,
                step,
                step.op,
                what,
                texts.USE(number=contribution.use),
                texts.USE(number=use),
            )

    def _audit_numbering(self) -> None:
        """Check that steps are numbered from 1. There may be fewer steps than planned, because some rules contribute nothing."""
        if self._has_lost_steps:
            return
        for number, step in enumerate(self._reported.steps, 1):
            if step.step != number or number > step.steps:
                says = texts.STEP_OF_STEPS(step=step.step, steps=step.steps)
                self._fault(FaultKind.STEP, step, step.op, texts.STEP_NUMBER, says, str(number))


def _downstream(call: AuditedCall, known: RecomputedValues) -> set[int]:
    """Return the sources, and all values that the tape recorded as computed from them."""
    wanted = {known.named(each.value) for each in call.requested.sources if each.value is not None}
    reached = wanted & call.watched
    for op in call.recorded:
        if not reached.isdisjoint(known.named(each.value) for each in op.inputs):
            reached.update(out.id for out in op.outputs)
    return reached & call.watched


def _densely(value: Value | Reason | None) -> Value | Reason | None:
    return value if isinstance(value, Reason) else dense(value)


def _with_numbers(value: Value, array: Array) -> Value:
    """Return a cotangent of this kind with the values of the trace, so that rounding errors do not add up."""
    if type(value) is Batched:
        return Batched(array)
    if type(value) is IndexedSlices:
        return IndexedSlices(array, value.indices, value.dense_shape)
    return array

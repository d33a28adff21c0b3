"""The two ends of a gradient call: the seeds of its backward pass, and the result for each source."""

from collections import defaultdict
from typing import Any

import numpy as np

from minitape.autodiff.accumulate import dense
from minitape.core.batched import Batched
from minitape.core.values import Array, Value
from minitape.replay.numbers import array_of, conjugate, plain
from minitape.replay.reason import Reason
from minitape.trace import events
from minitape.verify.audit.backward import Account
from minitape.verify.audit.calls import AuditedCall
from minitape.verify.audit.numbers import difference, same
from minitape.verify.audit.recomputed import RecomputedValues
from minitape.verify.audit.report import AuditFault, FaultKind, Findings, What
from minitape.verify.texts import audit as texts

# The start of a backward pass: values, each with its first cotangent.
Beginning = list[tuple[int, Array | Reason]]


def audit_seeds(call: AuditedCall, known: RecomputedValues, findings: Findings) -> list[Beginning]:
    """Check that each backward pass begins with ones, with the output gradients of the call, or with rows of the identity.

    Returns:
        The start that each backward pass should have had.
    """
    if not call.backward_passes:
        return []
    if call.requested.api != "gradient":
        return _audit_rows(call, known, findings)
    beginning = _first_cotangents(call, known)
    owed: defaultdict[int, list[Array | Reason]] = defaultdict(list)
    for value, cotangent in beginning:
        owed[value].append(cotangent)
    for seed in call.backward_passes[0].seeds:
        value = known.named(seed.value)
        should = owed[value].pop(0) if owed[value] else None
        _compare_seed(call, seed, should, known, findings)
    for value, left in owed.items():
        if left and value in call.watched and call.results:
            what = texts.SEED(value=known.called(value))
            _fault(
                FaultKind.SEED, call.results[0], call, findings, what, texts.NOTHING, str(left[0])
            )
    return [beginning]


def _first_cotangents(call: AuditedCall, known: RecomputedValues) -> Beginning:
    given = call.requested.output_gradients or [None] * len(call.requested.targets)
    sources = {known.named(each.value) for each in call.requested.sources if each.value is not None}
    return [
        (known.named(target), _first_cotangent(target, first, known))
        for target, first in zip(call.requested.targets, given, strict=True)
        if known.is_smooth(target) or known.named(target) in sources
    ]


def _first_cotangent(target: int, given: int | None, known: RecomputedValues) -> Array | Reason:
    if given is None:
        dtype = known.numpy_dtype(target)
        return dtype if isinstance(dtype, Reason) else np.ones(known.shape(target), dtype)
    array = known.arrays.get(given, Reason.EARLIER)
    if isinstance(array, Reason):
        return array
    return conjugate(array) if known.is_minitape else array


def _compare_seed(
    call: AuditedCall,
    seed: events.SeedEvent,
    should: Array | Reason | None,
    known: RecomputedValues,
    findings: Findings,
) -> None:
    reported = array_of(seed.numbers)
    what = texts.SEED(value=known.called(seed.value))
    if isinstance(reported, Reason) or isinstance(should, Reason):
        reason = reported if isinstance(reported, Reason) else should
        assert isinstance(reason, Reason)
        findings.passed_over(What.SEEDS, reason)
        return
    findings.audited[What.SEEDS] += 1
    if should is None:
        _fault(FaultKind.SEED, seed, call, findings, what, str(reported), texts.NOTHING)
    elif not same(reported, should):
        _fault(FaultKind.SEED, seed, call, findings, what, *difference(reported, should))


def _audit_rows(call: AuditedCall, known: RecomputedValues, findings: Findings) -> list[Beginning]:
    """Check the rows of a Jacobian, all at once or one at a time."""
    target = known.named(call.requested.targets[0])
    shape = known.shape(target)
    dtype = known.numpy_dtype(target)
    if isinstance(dtype, Reason):
        findings.passed_over(What.SEEDS, dtype)
        return []
    rows = _unit_rows(call, shape, dtype)
    begun = 0
    beginnings: list[Beginning] = []
    for backward_pass in call.backward_passes:
        is_one = backward_pass.rows(shape) is None
        count = backward_pass.rows(shape) or 1
        should = rows[begun] if is_one else rows[begun : begun + count]
        begun += count
        for seed in backward_pass.seeds:
            _compare_seed(call, seed, should, known, findings)
        beginnings.append([(target, should)])
    return beginnings


def _unit_rows(call: AuditedCall, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Return the seeds of all rows: 1 at one element and 0 elsewhere; for a batch Jacobian, 1 at that element of each example."""
    if call.requested.api == "jacobian":
        size = int(np.prod(shape, dtype=np.int64))
        return np.eye(size, dtype=dtype).reshape(size, *shape)
    batch, *inner = shape
    size = int(np.prod(inner, dtype=np.int64))
    unit = np.eye(size, dtype=dtype).reshape(size, 1, *inner)
    return np.broadcast_to(unit, (size, batch, *inner))


# --- results ---


def audit_results(
    call: AuditedCall, accounts: list[Account], known: RecomputedValues, findings: Findings
) -> None:
    """Check that each result is the sum of the contributions to its source; without contributions, None (or zeros on request)."""
    for result in call.results:
        source = call.requested.sources[result.source]
        if source.value is None:
            continue
        should = _answer(call, accounts, source.value, known)
        reported = None if result.numbers is None else array_of(result.numbers)
        what = texts.RESULT(source=source.name)
        if isinstance(reported, Reason) or isinstance(should, Reason):
            reason = reported if isinstance(reported, Reason) else should
            assert isinstance(reason, Reason)
            findings.passed_over(What.RESULTS, reason)
            continue
        findings.audited[What.RESULTS] += 1
        if reported is None or should is None:
            if reported is not should:
                _fault(FaultKind.RESULT, result, call, findings, what, str(reported), str(should))
            continue
        scale = max(
            (account.totals[known.named(source.value)].scale for account in accounts), default=0.0
        )
        if not same(reported, should, scale):
            words = difference(reported, should, scale)
            _fault(FaultKind.RESULT, result, call, findings, what, *words)


def _answer(
    call: AuditedCall, accounts: list[Account], source: int, known: RecomputedValues
) -> Array | Reason | None:
    """Return what a call should return for a source."""
    if call.requested.api != "gradient" and not call.backward_passes and not known.is_minitape:
        # TensorFlow runs the backward pass of all rows in a graph, which the tracer does not record.
        return Reason.UNSURE
    totals = [account.totals[known.named(source)].value for account in accounts]
    for total in totals:
        if isinstance(total, Reason):
            return total
    if not totals or any(total is None for total in totals):
        return _if_unconnected(call, source, known)
    if call.requested.api == "gradient":
        return plain(_outward(totals[0], known))
    dtype = known.numpy_dtype(call.requested.targets[0])
    if isinstance(dtype, Reason):
        return dtype
    rows = np.concatenate(
        [_as_rows(total, account) for total, account in zip(totals, accounts, strict=True)]
    )
    shape = known.shape(call.requested.targets[0])
    of_source = rows.shape[1:]
    batches = 0 if call.requested.api == "jacobian" else 1
    if len(rows) != np.prod(shape[batches:], dtype=np.int64):
        return Reason.UNSURE  # the trace lacks the seeds of some rows
    if call.requested.api == "jacobian":
        return plain(_outward(rows.reshape(shape + of_source), known))
    batch, *inner = shape
    by_example = np.moveaxis(rows, 1, 0)
    return plain(_outward(by_example.reshape(batch, *inner, *of_source[1:]), known))


def _outward(value: Value, known: RecomputedValues) -> Value:
    """Return a cotangent in the form that the call returns."""
    return conjugate(value) if known.is_minitape else value


def _as_rows(total: Value, account: Account) -> Array:
    """Return the rows of a backward pass; a value that is the same for each row is repeated."""
    if type(total) is Batched:
        return plain(total)
    one = plain(dense(total))
    return np.broadcast_to(one, (account.rows or 1, *one.shape))


def _if_unconnected(
    call: AuditedCall, source: int, known: RecomputedValues
) -> Array | Reason | None:
    api = call.requested.api
    if api != "batch_jacobian" and call.requested.unconnected == "none":
        return None
    shape, dtype = known.shape(source), known.numpy_dtype(source)
    if isinstance(dtype, Reason):
        return dtype
    target = known.shape(call.requested.targets[0])
    if api == "batch_jacobian":
        return np.zeros(target + shape[1:], dtype)
    return np.zeros(target + shape if api == "jacobian" else shape, dtype)


def _fault(
    kind: FaultKind,
    event: events.Event,
    call: AuditedCall,
    findings: Findings,
    what: str,
    says: str,
    should: str,
) -> None:
    findings.faults.append(
        AuditFault(kind, event.i, None, call.requested.call, call.line, what, says, should)
    )

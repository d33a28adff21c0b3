"""Compare each gradient that a run returned, and the rule of each op that its tapes recorded, with finite differences.

    ComparedCall  one gradient call: its arguments, and its results
    compared      the gradient calls of a run → CheckReport

A gradient call returns the derivative of what its tape recorded, so exactly the recorded ops run again, in float64, from
perturbed sources (`replay.ReplayedTape`). Values that the tape did not record do not change. So a lost path does not count as a
wrong gradient; `explain` reports it.

This module also runs in the Python interpreter that the user chooses, so it imports only the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from minitape.autodiff.finite_differences import GradientVerdict
from minitape.autodiff.gradcheck import TOLERANCE, GradientComparison, compare
from minitape.autodiff.gradient_tape import GradientTape
from minitape.autodiff.rulecheck import RuleCheck, check_rule, numbers
from minitape.core.dtypes import kind_of
from minitape.core.tensor import Tensor
from minitape.core.values import Array
from minitape.errors import Teaching
from minitape.templates import code, joined
from minitape.verify.check_report import CheckedCall, CheckedOp, CheckReport
from minitape.verify.replay import ReplayedTape, ReplayStep
from minitape.verify.texts import check as texts

_KINDS_OF_AN_OP = 3  # the maximum number of combinations of shapes for which one op is checked


@dataclass
class ComparedCall:
    """One gradient call: its arguments and its results. `number` counts the calls of a run from 1."""

    number: int
    api: str
    targets: list[tuple[int, Array]]
    seeds: list[Array | None]
    sources: list[tuple[int, Array]]
    steps: tuple[ReplayStep, ...] = ()
    results: list[Array | None] = field(default_factory=list)


def compared(
    questions: Sequence[tuple[ComparedCall, int]], gradients: Sequence[dict[str, Any]]
) -> CheckReport:
    """Compare all recorded gradient calls and ops with finite differences.

    Args:
        questions: The gradient calls of a run; each with the number of further calls on the same line that it represents.
        gradients: The events of kind `gradient` in the trace of the same run, which has the user's names and lines.
    """
    event_of = {event["call"]: event for event in gradients}
    calls = [
        _checked(requested, event_of[requested.number], more)
        for requested, more in questions
        if requested.number in event_of  # otherwise, the trace had already ended
    ]
    calls.sort(key=lambda call: call.number)
    return CheckReport(tuple(calls), tuple(_ops([requested for requested, _ in questions])))


# --- gradients ---


def _checked(requested: ComparedCall, event: dict[str, Any], more: int) -> CheckedCall:
    program = ReplayedTape(requested.steps, requested.targets)
    rng = np.random.default_rng(0)
    comparisons = tuple(
        _compared(requested, program, position, each["name"], rng)
        for position, each in enumerate(event["sources"])
    )
    line = event["at"][1] if event["at"] else 0
    return CheckedCall(requested.number, line, event["text"], comparisons, more)


def _compared(
    requested: ComparedCall,
    program: ReplayedTape,
    position: int,
    name: str,
    rng: np.random.Generator,
) -> GradientComparison:
    identity, at = requested.sources[position]
    result = requested.results[position]
    why = _why_not(requested, program, position)
    if why:
        return GradientComparison(name, 1, tuple(np.shape(at)), GradientVerdict.UNCHECKED, why=why)
    assert result is not None
    x = np.asarray(at).astype(np.float64)
    seeds = _seeds(requested, rng)
    gradient = _contracted(requested.api, result.astype(np.float64), seeds, x.shape)

    def perturbed(there: Array) -> float:
        outs = program.run({identity: (there - x)[()]})
        return float(sum(np.sum(out * seed) for out, seed in zip(outs, seeds, strict=True)))

    # The result is at most as precise as the dtype in which it was computed.
    allowed = TOLERANCE.get(result.dtype.itemsize, TOLERANCE[2])
    found = compare(name, 1, gradient, x, perturbed, allowed, rng)
    if found.verdict is not GradientVerdict.DIFFERS:
        return found
    if program.own_rules:
        names = joined(list(map(code, program.own_rules)))
        return replace(found, verdict=GradientVerdict.OWN, why=texts.OWN_RULE(functions=names))
    again = compare(name, 1, _again(program, identity, x, seeds), x, perturbed, 1e-6, rng)
    if again.verdict is GradientVerdict.DIFFERS:
        return found
    why = texts.ROUNDING(gradient=f"{again.by_tape:.8g}", dtype=result.dtype)
    return replace(found, verdict=GradientVerdict.ROUNDING, why=why)


def _why_not(requested: ComparedCall, program: ReplayedTape, position: int) -> str:
    """Return why a gradient cannot be compared; empty if it can."""
    result = requested.results[position]
    if result is None:
        return texts.IS_NONE
    if kind_of(requested.sources[position][1].dtype) != "f" or kind_of(result.dtype) != "f":
        return texts.ONLY_REAL
    if not requested.targets:
        return texts.TARGET_NOT_REAL
    try:
        with np.errstate(all="ignore"):
            outs = program.run({})
    except (Teaching, ValueError, TypeError) as error:
        return texts.NO_FLOAT64(error=str(error).splitlines()[0])
    for out, (_, array) in zip(outs, requested.targets, strict=True):
        if not np.allclose(out, array, rtol=1e-2, atol=1e-3, equal_nan=True):
            return texts.OTHER_VALUE
    if not np.isfinite(result).all() or not all(np.isfinite(out).all() for out in outs):
        return texts.NOT_FINITE
    return ""


def _seeds(requested: ComparedCall, rng: np.random.Generator) -> list[Array]:
    """Return the output gradients of the call; for a Jacobian, one random cotangent for all rows."""
    if requested.api != "gradient":
        return [rng.uniform(0.5, 1.5, np.shape(array)) for _, array in requested.targets]
    return [
        np.ones(np.shape(array)) if seed is None else seed.astype(np.float64)
        for (_, array), seed in zip(requested.targets, requested.seeds, strict=True)
    ]


def _contracted(api: str, result: Array, seeds: Sequence[Array], shape: tuple[int, ...]) -> Array:
    """Return the gradient that a Jacobian implies: the sum of its rows, weighted by the seeds."""
    if api == "gradient":
        return result
    (seed,) = seeds
    if api == "jacobian":
        return np.tensordot(seed, result, axes=seed.ndim)
    rows = [np.tensordot(s, r, axes=s.ndim) for s, r in zip(seed, result, strict=True)]
    return np.reshape(np.stack(rows), shape) if rows else np.zeros(shape)


def _again(program: ReplayedTape, identity: int, x: Array, seeds: Sequence[Array]) -> Array | None:
    """Return the same gradient, computed with the same rules in float64."""
    change = Tensor(np.zeros(x.shape))
    with GradientTape() as tape:
        tape.watch(change)
        outs = program.run({identity: change})
    given = [Tensor(np.asarray(seed)) for seed in seeds]
    return numbers(tape.gradient(outs, change, given, unconnected_gradients="zero"))


# --- ops ---


def _ops(every: list[ComparedCall]) -> Iterator[CheckedOp]:
    """Yield the result for each op separately, in the order of first use, for up to three combinations of shapes."""
    steps = {step.outputs: step for requested in every for step in requested.steps}
    by_name: dict[str, list[ReplayStep]] = {}
    for step in steps.values():
        by_name.setdefault(step.primitive.name, []).append(step)
    for name, uses in by_name.items():
        rule = uses[0].primitive.rule
        worst = max(
            _rule_checks(uses),
            key=lambda each: (each.verdict is GradientVerdict.DIFFERS, each.error),
        )
        yield CheckedOp(name, rule, len(uses), worst.verdict, worst.error, worst.why)


def _rule_checks(uses: list[ReplayStep]) -> list[RuleCheck]:
    by_shapes = {tuple(map(np.shape, step.arrays)): step for step in uses}
    chosen = list(by_shapes.values())[:_KINDS_OF_AN_OP]
    return [check_rule(step.primitive, step.arrays, step.settings) for step in chosen]

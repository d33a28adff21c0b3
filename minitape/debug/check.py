"""Are the gradients of a run right? Each is compared with differences, each op's rule too.

    Checker       listens to a run and keeps what its gradient calls were asked and what they answered
    CheckReport   what came of it: the calls, the ops

A gradient call asks for the slope of what its tape recorded. So that is run again, in float64, from moved sources
(`replay.Program`). What no tape recorded stays what it was: a lost path is no wrong gradient, and `explain` is there for it.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from types import TracebackType
from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np

from minitape.autodiff.differences import Verdict
from minitape.autodiff.gradcheck import TOLERANCE, Comparison, compare
from minitape.autodiff.gradient_tape import GradientTape
from minitape.autodiff.rulecheck import RuleCheck, check_rule, numbers
from minitape.core import events
from minitape.core.tensor import Tensor
from minitape.core.values import Array
from minitape.debug import source
from minitape.debug.replay import Program, Step
from minitape.debug.trace import Trace
from minitape.errors import Teaching

_KINDS_OF_AN_OP = 3  # combinations of shapes in which one op is checked


@dataclass
class _Question:
    """One gradient call: what was asked, and the answer."""

    number: int
    api: str
    targets: list[tuple[int, Array]]
    seeds: list[Array | None]
    sources: list[tuple[int, Array]]
    steps: tuple[Step, ...] = ()
    results: list[Array | None] = field(default_factory=list)


@dataclass(frozen=True)
class CheckedCall:
    """A gradient call of the script. `more` calls at the same place were not checked: rounds of a loop."""

    number: int
    line: int
    text: str
    comparisons: tuple[Comparison, ...]
    more: int


@dataclass(frozen=True)
class CheckedOp:
    """An op that the tapes recorded: how often, and the worst that was found for its rule."""

    name: str
    rule: str
    times: int
    verdict: Verdict
    error: float
    why: str


@dataclass(frozen=True)
class CheckReport:
    """What came of checking a run."""

    calls: tuple[CheckedCall, ...]
    ops: tuple[CheckedOp, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing was found that differs."""
        verdicts = [each.verdict for call in self.calls for each in call.comparisons]
        verdicts += [op.verdict for op in self.ops]
        return Verdict.DIFFERS not in verdicts

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "calls": [asdict(each) for each in self.calls],
            "ops": [asdict(o) for o in self.ops],
        }


class Checker:
    """Listens while its block runs; then `report` does the comparing.

    Of calls at one place in the script over the same ops (the rounds of a loop) the first and the last are kept.
    """

    def __init__(self) -> None:
        self._steps: WeakKeyDictionary[Any, list[Step]] = WeakKeyDictionary()
        self._waiting: list[_Question] = []
        self._kept: dict[Any, list[_Question]] = {}
        self._times: dict[Any, int] = {}
        self._calls = 0
        self._listening: AbstractContextManager[None] | None = None

    def __enter__(self) -> Self:
        self._listening = events.listen(self)
        self._listening.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._listening is not None
        self._listening.__exit__(kind, error, traceback)

    # --- what the engine calls ---

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        return product

    def tell(self, event: Any) -> None:
        if isinstance(event, events.OpRan):
            if event.recorded_by:
                step = Step.of(event)
                for tape in event.recorded_by:
                    self._steps.setdefault(tape, []).append(step)
        elif isinstance(event, events.GradientCalled):
            self._calls += 1
            self._waiting.append(self._question(event))
        elif isinstance(event, events.GradientReturned):
            asked = self._waiting.pop()
            asked.results = [numbers(each) for each in event.results]
            self._keep(asked)
        elif isinstance(event, events.GradientFailed):
            self._waiting.pop()

    def _question(self, event: events.GradientCalled) -> _Question:
        leaves = [leaf for leaf in event.targets if hasattr(leaf, "_array")]
        smooth = [i for i, leaf in enumerate(leaves) if leaf.dtype.is_floating]
        seeds = event.output_gradients or (None,) * len(leaves)
        steps = [s for tape, s in self._steps.items() if tape.number == event.tape]
        return _Question(
            self._calls,
            event.api,
            [(leaves[i]._id, leaves[i]._array) for i in smooth],
            [numbers(seeds[i]) for i in smooth],
            [(leaf._id, leaf._array) for leaf in event.sources if hasattr(leaf, "_array")],
            tuple(steps[-1]) if steps else (),
        )

    def _keep(self, asked: _Question) -> None:
        steps = source.here()
        place = (steps[-1] if steps else None, *(step.primitive.name for step in asked.steps))
        kept = self._kept.setdefault(place, [])
        self._times[place] = self._times.get(place, 0) + 1
        kept[1:] = [asked] if kept else []
        if not kept:
            kept.append(asked)

    # --- the comparing ---

    def report(self, trace: Trace) -> CheckReport:
        """Compare everything that was kept; `trace`, of the same run, knows the user's names and lines."""
        calls = []
        for place, kept in self._kept.items():
            for i, asked in enumerate(kept):
                more = self._times[place] - len(kept) if i == 0 else 0
                calls.append(_checked(asked, _event_of(trace, asked.number), more))
        calls.sort(key=lambda call: call.number)
        every = [asked for kept in self._kept.values() for asked in kept]
        return CheckReport(tuple(calls), tuple(_ops(every)))


def _event_of(trace: Trace, number: int) -> dict[str, Any]:
    event: dict[str, Any] = next(each for each in trace.of("gradient") if each["call"] == number)
    return event


def _checked(asked: _Question, event: dict[str, Any], more: int) -> CheckedCall:
    names = [each["name"] for each in event["sources"]]
    program = Program(asked.steps, asked.targets)
    rng = np.random.default_rng(0)
    comparisons = tuple(
        _compared(asked, program, position, name, rng) for position, name in enumerate(names)
    )
    line = event["at"][1] if event["at"] else 0
    return CheckedCall(asked.number, line, event["text"], comparisons, more)


def _compared(
    asked: _Question, program: Program, position: int, name: str, rng: np.random.Generator
) -> Comparison:
    identity, at = asked.sources[position]
    result = asked.results[position]
    why = _why_not(asked, program, position)
    if why:
        return Comparison(name, 1, tuple(np.shape(at)), Verdict.UNCHECKED, why=why)
    assert result is not None
    x = np.asarray(at).astype(np.float64)
    seeds = _seeds(asked, rng)
    gradient = _contracted(asked.api, result.astype(np.float64), seeds, x.shape)

    def moved(there: Array) -> float:
        outs = program.run({identity: (there - x)[()]})
        return float(sum(np.sum(out * seed) for out, seed in zip(outs, seeds, strict=True)))

    # The answer has the digits of the dtype it was computed in, at best.
    allowed = TOLERANCE.get(result.dtype.itemsize, TOLERANCE[2])
    found = compare(name, 1, gradient, x, moved, allowed, rng)
    if found.verdict is not Verdict.DIFFERS:
        return found
    if program.own_rules:
        names = ", ".join(program.own_rules)
        return replace(found, verdict=Verdict.OWN, why=f"{names} brought a rule of its own")
    again = compare(name, 1, _again(program, identity, x, seeds), x, moved, 1e-6, rng)
    if again.verdict is Verdict.DIFFERS:
        return found
    why = f"in float64 the tape says {again.by_tape:.8g}: {result.dtype} has lost the digits"
    return replace(found, verdict=Verdict.ROUNDING, why=why)


def _why_not(asked: _Question, program: Program, position: int) -> str:
    """Why a gradient cannot be compared; "" if it can."""
    result = asked.results[position]
    if result is None:
        return "it is None: no path on the tape; minitape explain tells why"
    if asked.sources[position][1].dtype.kind != "f" or result.dtype.kind != "f":
        return "only real numbers are moved"
    if not asked.targets:
        return "the target is no real number"
    try:
        with np.errstate(all="ignore"):
            outs = program.run({})
    except (Teaching, ValueError, TypeError) as error:
        return f"it does not run again in float64: {str(error).splitlines()[0]}"
    for out, (_, array) in zip(outs, asked.targets, strict=True):
        if not np.allclose(out, array, rtol=1e-2, atol=1e-3, equal_nan=True):
            return "what the tape recorded gives another value in float64"
    if not np.isfinite(result).all() or not all(np.isfinite(out).all() for out in outs):
        return "it is not finite; minitape explain tells why"
    return ""


def _seeds(asked: _Question, rng: np.random.Generator) -> list[Array]:
    """The cotangents of a gradient as they were asked for; of a jacobian, one for all rows at random."""
    if asked.api != "gradient":
        return [rng.uniform(0.5, 1.5, np.shape(array)) for _, array in asked.targets]
    return [
        np.ones(np.shape(array)) if seed is None else seed.astype(np.float64)
        for (_, array), seed in zip(asked.targets, asked.seeds, strict=True)
    ]


def _contracted(api: str, result: Array, seeds: Sequence[Array], shape: tuple[int, ...]) -> Array:
    """A jacobian as the gradient that it stands for, with all its rows added up by their seeds."""
    if api == "gradient":
        return result
    (seed,) = seeds
    if api == "jacobian":
        return np.tensordot(seed, result, axes=seed.ndim)
    rows = [np.tensordot(s, r, axes=s.ndim) for s, r in zip(seed, result, strict=True)]
    return np.reshape(np.stack(rows), shape) if rows else np.zeros(shape)


def _again(program: Program, identity: int, x: Array, seeds: Sequence[Array]) -> Array | None:
    """The same gradient, by the same rules, all in float64."""
    change = Tensor(np.zeros(x.shape))
    with GradientTape() as tape:
        tape.watch(change)
        outs = program.run({identity: change})
    given = [Tensor(np.asarray(seed)) for seed in seeds]
    return numbers(tape.gradient(outs, change, given, unconnected_gradients="zero"))


def _ops(every: list[_Question]) -> Iterator[CheckedOp]:
    """Each op by itself, in the order of its first use, in up to three combinations of shapes."""
    steps = {step.outputs: step for asked in every for step in asked.steps}
    by_name: dict[str, list[Step]] = {}
    for step in steps.values():
        by_name.setdefault(step.primitive.name, []).append(step)
    for name, uses in by_name.items():
        rule = uses[0].primitive.rule
        worst = max(
            _rule_checks(uses), key=lambda each: (each.verdict is Verdict.DIFFERS, each.error)
        )
        yield CheckedOp(name, rule, len(uses), worst.verdict, worst.error, worst.why)


def _rule_checks(uses: list[Step]) -> list[RuleCheck]:
    by_shapes = {tuple(map(np.shape, step.arrays)): step for step in uses}
    chosen = list(by_shapes.values())[:_KINDS_OF_AN_OP]
    return [check_rule(step.primitive, step.arrays, step.settings) for step in chosen]

"""Compares one program on two engines, line by line and gradient by gradient.

compare           two traces → Comparison
EngineComparison  the lines in the order in which they first ran, and the gradients
ComparedLine      the ops of a line on each engine, over all its iterations
MatchVerdict      the result for a line or a gradient

If the engines run different ops for a line, the last results are compared. A difference is reported where it begins, not in
values computed from it. Rounding errors may grow over many iterations. Two generators never draw the same random numbers.
Therefore, values computed from random numbers are compared only in shape, dtype and None. This module depends only on traces.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

from minitape.trace import events
from minitape.trace.comparison.alignment import Chunk, Made, beside, chunks
from minitape.trace.comparison.closeness import form, gap, largest
from minitape.trace.events import Numbers, OpEvent, Placed
from minitape.trace.trace import Trace

TOLERANCE = (
    1e-4  # relative to the largest number of a tensor; about a hundred rounding errors of float32
)
_ADDING = {"AddV2", "AddN", "BiasAdd", "Sub", "Sum", "Mean", "MatMul"}
_ROUNDED = 1e-6  # a difference too large to be the rounding error of one op


class MatchVerdict(StrEnum):
    """From the best to the worst; the verdict of a line is the worst of its iterations."""

    AGREES = "agrees"
    OTHER_OPS = "other ops"  # with the same result
    GROWN = "grown"  # different by accumulated rounding errors, because the inputs are only nearly the same
    RANDOM = "random"
    FOLLOWS = "follows"  # computed from an earlier difference
    ONLY_FIRST = "only first"
    ONLY_SECOND = "only second"
    RECORDED = "recorded"  # recorded by a tape on one engine only
    FORM = "form"
    DIFFERS = "differs"

    @property
    def is_difference(self) -> bool:
        return _ORDER[self] >= _ORDER[MatchVerdict.ONLY_FIRST]


_ORDER = {verdict: rank for rank, verdict in enumerate(MatchVerdict)}
Pair = tuple[Numbers | None, Numbers | None]


@dataclass
class ComparedLine:
    """A line of the program: its ops in the first iteration on each engine, and the result over all iterations."""

    file: str
    number: int
    code: str
    ops: list[tuple[str, ...]] = field(default_factory=lambda: [(), ()])
    is_of_a_tape: bool = False
    state: set[MatchVerdict] = field(default_factory=set)  # over the iterations so far
    iterations: list[int] = field(default_factory=lambda: [0, 0])
    verdict: MatchVerdict = MatchVerdict.AGREES
    numbers: Pair | None = None  # the values with the largest difference
    apart: float = 0.0

    def ran(self, side: int, steps: Sequence[Placed]) -> None:
        """Count one more execution, on the first engine or the second."""
        if not self.iterations[side]:
            self.ops[side] = tuple(step.name for step in steps if isinstance(step, OpEvent))
        self.iterations[side] += 1
        self.is_of_a_tape |= any(isinstance(step, OpEvent) and step.recorded for step in steps)

    def judged(
        self, verdict: MatchVerdict, numbers: Pair | None = None, apart: float = 0.0
    ) -> None:
        """Add the verdict of one step."""
        is_worse = _ORDER[verdict] > _ORDER[self.verdict]
        if is_worse or (verdict is self.verdict and apart > self.apart):
            self.numbers, self.apart = numbers, apart
        if is_worse:
            self.verdict = verdict


@dataclass(frozen=True)
class ComparedGradient:
    """The gradient for one source of a call on both engines; None if a call returned no gradient, or did not finish."""

    line: int | None
    text: str
    source: str
    verdict: MatchVerdict
    numbers: Pair
    apart: float

    def is_worse_than(self, other: "ComparedGradient") -> bool:
        return (_ORDER[self.verdict], self.apart) > (_ORDER[other.verdict], other.apart)


@dataclass
class EngineComparison:
    """The comparison of one program on two engines; `ops` is the number of ops on each."""

    ops: tuple[int, int]
    lines: list[ComparedLine] = field(default_factory=list)
    gradients: list[ComparedGradient] = field(default_factory=list)

    @property
    def is_alike(self) -> bool:
        return not any(verdict.is_difference for verdict in self._verdicts)

    @property
    def is_loose(self) -> bool:
        """Whether some values cannot be compared, because they are random or have accumulated rounding errors."""
        return not self._verdicts.isdisjoint((MatchVerdict.RANDOM, MatchVerdict.GROWN))

    @property
    def _verdicts(self) -> set[MatchVerdict]:
        return {each.verdict for each in self.lines} | {each.verdict for each in self.gradients}


def compare(first: Trace, second: Trace, *, tolerance: float = TOLERANCE) -> EngineComparison:
    """Compare two runs of one program.

    Args:
        first: The trace on one engine.
        second: The trace on the other engine.
        tolerance: Values are equal if they differ by no more than this, relative to the largest number of their tensor.
    """
    return _Comparing(first, second, tolerance).done()


# --- verdicts ---


class _Run:
    """One of the two runs, its values that differ from those of the other run, and the reasons."""

    def __init__(self, trace: Trace) -> None:
        self.chunks = chunks(trace)
        self.ops = len(trace.of(OpEvent))
        self._random = {
            each.numbers.id
            for each in trace.of(events.ConstantEvent)
            if each.how.startswith("tf.random.")
        }
        self._paired: set[int] = set()
        self._why = dict.fromkeys(self._random, MatchVerdict.RANDOM)
        self._sizes = {each.id: largest(each) for each in _all_numbers(trace)}
        self._variable_of = {read.value: read.variable for read in trace.of(events.ReadEvent)}
        self._answers: dict[int, dict[int, events.ResultEvent]] = {}
        for result in trace.of(events.ResultEvent):
            self._answers.setdefault(result.call, {})[result.source] = result

    def answers(self, call: events.GradientEvent) -> list[events.ResultEvent | None]:
        found = self._answers.get(call.call, {})
        return [found.get(index) for index in range(len(call.sources))]

    def tainted(self, values: Iterable[int]) -> set[MatchVerdict]:
        """Return why these values differ from those of the other run; empty if they do not."""
        known = (self._why.get(self._variable_of.get(each, each)) for each in values)
        return {each for each in known if each is not None}

    def size_of(self, op: OpEvent) -> float:
        """Return the largest number that an op sums; 0 for an op that does not sum."""
        if op.name not in _ADDING:
            return 0.0
        known = (self._variable_of.get(each.value, each.value) for each in op.inputs)
        return max((self._sizes.get(each, 0.0) for each in known), default=0.0)

    def is_random(self, made: Made) -> bool:
        """Whether a value comes from a random generator; a variable that was not created from a tensor has the values of an
        initializer.
        """
        match made:
            case events.VariableEvent(origin=None):
                return True
            case (
                events.VariableEvent(origin=value) | events.ConstantEvent(numbers=Numbers(id=value))
            ):
                return value in self._random
        return False

    @property
    def all_taints(self) -> set[MatchVerdict]:
        return set(self._why.values())

    def note_unpaired(self, variables: Iterable[events.VariableEvent]) -> None:
        """Note random values that the other run does not have under the same name."""
        for each in variables:
            if self.is_random(each) and each.numbers.id not in self._paired:
                self._why[each.numbers.id] = MatchVerdict.RANDOM

    def note(self, value: int, why: MatchVerdict | None) -> None:
        """Note that this value differs from the other run's, or that it is equal again."""
        self._paired.add(value)
        if why is None:
            self._why.pop(value, None)
        else:
            self._why[value] = why


class _Comparing:
    def __init__(self, first: Trace, second: Trace, tolerance: float) -> None:
        self._runs = _Run(first), _Run(second)
        self._tolerance = tolerance
        self._lines: dict[tuple[str, int], ComparedLine] = {}
        self._comparison = EngineComparison((self._runs[0].ops, self._runs[1].ops))

    def done(self) -> EngineComparison:
        for pair in beside(self._runs[0].chunks, self._runs[1].chunks):
            self._chunk(*pair)
        for line in self._lines.values():
            if 0 in line.iterations and line.is_of_a_tape:
                line.judged(
                    MatchVerdict.ONLY_FIRST if line.iterations[0] else MatchVerdict.ONLY_SECOND
                )
        self._comparison.lines = list(self._lines.values())
        return self._comparison

    def _chunk(self, a: Chunk | None, b: Chunk | None) -> None:
        line = self._line(a, b)
        if a is None or b is None:
            line.judged(MatchVerdict.OTHER_OPS)
            return
        for calls in zip(a.of(events.GradientEvent), b.of(events.GradientEvent)):
            self._gradient(*calls)
        self._made(line, _entered(a, b))
        for run, chunk in zip(self._runs, (a, b)):
            run.note_unpaired(chunk.of(events.VariableEvent))
        if a.ops == b.ops:
            for ops in zip(a.of(OpEvent), b.of(OpEvent)):
                self._op(line, *ops)
        else:
            self._other_ops(line, a.of(OpEvent), b.of(OpEvent))
        assigned = zip(a.of(events.AssignEvent), b.of(events.AssignEvent))
        self._made(
            line, (each for each in assigned if form(each[0].numbers) == form(each[1].numbers))
        )

    def _made(self, line: ComparedLine, pairs: Iterable[tuple[Made, Made]]) -> None:
        for x, y in pairs:
            is_random = self._runs[0].is_random(x) or self._runs[1].is_random(y)
            taints = {MatchVerdict.RANDOM} if is_random else self._taints(x, y)
            self._value(line, x.numbers, y.numbers, taints)

    def _line(self, a: Chunk | None, b: Chunk | None) -> ComparedLine:
        chunk = a or b
        assert chunk is not None
        line = self._lines.get(chunk.key)
        if line is None:
            line = ComparedLine(chunk.file, chunk.line, chunk.code)
            self._lines[chunk.key] = line
        for side, each in enumerate((a, b)):
            if each is not None:
                line.ran(side, each.steps)
        return line

    def _taints(self, a: Placed, b: Placed) -> set[MatchVerdict]:
        """Return why the inputs of two steps differ; empty if they do not."""
        return self._runs[0].tainted(_taken(a)) | self._runs[1].tainted(_taken(b))

    def _op(self, line: ComparedLine, a: OpEvent, b: OpEvent) -> None:
        taints, size = self._taints(a, b), self._runs[0].size_of(a)
        for x, y in zip(a.outputs, b.outputs):
            self._value(line, x, y, taints, size)
        if bool(a.recorded) != bool(b.recorded):
            line.judged(MatchVerdict.RECORDED)

    def _value(
        self,
        line: ComparedLine,
        x: Numbers,
        y: Numbers,
        taints: set[MatchVerdict],
        size: float = 0.0,
    ) -> None:
        """Compare the results of two steps of the same kind."""
        verdict, apart = self._judgement(x, y, taints, size)
        line.judged(verdict, (x, y), apart)
        self._note(x, y, verdict)

    def _note(self, x: Numbers, y: Numbers, verdict: MatchVerdict) -> None:
        why: MatchVerdict | None = verdict
        if verdict is MatchVerdict.AGREES:
            why = MatchVerdict.GROWN if gap(x, y) > _ROUNDED else None
        elif verdict in (MatchVerdict.DIFFERS, MatchVerdict.FORM):
            why = MatchVerdict.FOLLOWS
        for run, numbers in zip(self._runs, (x, y)):
            run.note(numbers.id, why)

    def _judgement(
        self, x: Numbers, y: Numbers, taints: set[MatchVerdict], size: float = 0.0
    ) -> tuple[MatchVerdict, float]:
        if form(x) != form(y):
            return MatchVerdict.FORM, 0.0
        apart = gap(x, y, size)
        if apart <= self._tolerance:
            return MatchVerdict.AGREES, apart
        return max(taints, key=_ORDER.__getitem__, default=MatchVerdict.DIFFERS), apart

    def _other_ops(self, line: ComparedLine, left: list[OpEvent], right: list[OpEvent]) -> None:
        """Compare the different ops of one line by the values that the line assigns; without any, by its last values."""
        line.judged(MatchVerdict.OTHER_OPS)
        size = max(map(self._runs[0].size_of, left), default=0.0)
        for op in left:
            line.state |= self._runs[0].tainted(_taken(op))
        for x, y in _ends(left, right):
            verdict, apart = self._judgement(x, y, line.state, size)
            if verdict is not MatchVerdict.AGREES:
                line.judged(verdict, (x, y), apart)
            self._note(x, y, verdict)

    def _gradient(self, a: events.GradientEvent, b: events.GradientEvent) -> None:
        taints = self._runs[0].all_taints | self._runs[1].all_taints
        pairs = zip(self._runs[0].answers(a), self._runs[1].answers(b))
        for source, results in zip(a.sources, pairs):
            x, y = (None if each is None else each.numbers for each in results)
            if x is None or y is None:
                is_same = x is y and (results[0] is None) == (results[1] is None)
                verdict, apart = MatchVerdict.AGREES if is_same else MatchVerdict.DIFFERS, 0.0
            else:
                verdict, apart = self._judgement(x, y, taints)
                self._note(x, y, verdict)
            line = None if a.at is None else a.at.line
            self._comparison.gradients.append(
                ComparedGradient(line, a.text, source.name, verdict, (x, y), apart)
            )


def _ends(left: list[OpEvent], right: list[OpEvent]) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the values that a line assigns on both engines; if there are none, the last value on the first engine and the most
    similar value on the other.
    """
    named = {op.target_name: op for op in right if op.target_name is not None}
    pairs = [(op, named[op.target_name]) for op in left if op.target_name in named]
    if pairs:
        yield from zip(pairs[-1][0].outputs, pairs[-1][1].outputs)
        return
    found = [each for op in right for each in op.outputs]
    for op in reversed(left):
        for x in op.outputs:
            twins = [y for y in found if form(x) == form(y)]
            if twins:
                yield x, min(reversed(twins), key=partial(gap, x))
                return


def _entered(a: Chunk, b: Chunk) -> Iterator[tuple[Made, Made]]:
    """Yield pairs of variables with the same name, and pairs of values that came from Python or NumPy."""
    variables = b.of(events.VariableEvent)
    for variable in a.of(events.VariableEvent):
        namesakes = [each for each in variables if each.name == variable.name]
        if namesakes:
            twin = min(namesakes, key=lambda each: form(each.numbers) != form(variable.numbers))
            variables.remove(twin)
            yield variable, twin
    entered = b.of(events.ConstantEvent)
    for constant in a.of(events.ConstantEvent):  # engines iterate over dicts in different orders
        twins = [each for each in entered if form(each.numbers) == form(constant.numbers)]
        if twins:
            nearest = min(twins, key=lambda each: gap(each.numbers, constant.numbers))
            entered.remove(nearest)
            yield constant, nearest


def _all_numbers(trace: Trace) -> Iterator[Numbers]:
    for op in trace.of(OpEvent):
        yield from op.outputs
    for made in trace.of(events.ConstantEvent, events.VariableEvent, events.AssignEvent):
        yield made.numbers


def _taken(step: Placed) -> list[int]:
    """Return the inputs of a step."""
    match step:
        case OpEvent():
            return [each.value for each in step.inputs]
        case events.AssignEvent():
            return [step.variable, *([] if step.origin is None else [step.origin])]
        case events.VariableEvent(origin=int(origin)):
            return [origin]
    return []

"""One program on two engines: line by line whether they compute the same, and gradient by gradient.

compare       two traces → Comparison
Comparison    the lines in the order in which they first ran, and the gradients
Line          what a line of the program did on each engine, over all its rounds
Verdict       what that comes to

Where an engine takes other ops for a line, its
last number counts. A difference is told where it begins: what is computed from numbers that differ already follows from those,
and what was rounded in another way may grow apart over many rounds. Two generators never draw the same random numbers; what is
computed from such numbers is compared in shape, dtype and None only. It reads traces and nothing else.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

from minitape.trace import events
from minitape.trace.comparing.alignment import Chunk, Made, beside, chunks
from minitape.trace.comparing.closeness import form, gap, largest
from minitape.trace.events import Numbers, Op, Placed
from minitape.trace.trace import Trace

TOLERANCE = 1e-4  # in shares of the largest number of a tensor: some hundred roundings of float32
_ADDING = {"AddV2", "AddN", "BiasAdd", "Sub", "Sum", "Mean", "MatMul"}
_ROUNDED = 1e-6  # farther apart than what one op's own rounding explains


class Verdict(StrEnum):
    """From the best to the worst: a line's is the worst of its rounds."""

    AGREES = "agrees"
    OTHER_OPS = "other ops"  # and the same in the end
    GROWN = "grown"  # from roundings: what it was computed from is only nearly the same
    RANDOM = "random"
    FOLLOWS = "follows"  # from what differs above
    ONLY_FIRST = "only first"
    ONLY_SECOND = "only second"
    RECORDED = "recorded"  # by a tape on one engine only
    FORM = "form"
    DIFFERS = "differs"

    @property
    def is_difference(self) -> bool:
        return _ORDER[self] >= _ORDER[Verdict.ONLY_FIRST]


_ORDER = {verdict: rank for rank, verdict in enumerate(Verdict)}
Pair = tuple[Numbers | None, Numbers | None]


@dataclass
class Line:
    """A line of the program: what it did in its first round on each engine, and what came of all rounds."""

    file: str
    number: int
    code: str
    ops: list[tuple[str, ...]] = field(default_factory=lambda: [(), ()])
    is_of_a_tape: bool = False
    state: set[Verdict] = field(default_factory=set)  # of what it keeps from round to round
    rounds: list[int] = field(default_factory=lambda: [0, 0])
    verdict: Verdict = Verdict.AGREES
    numbers: Pair | None = None  # where it differs most
    apart: float = 0.0

    def ran(self, side: int, steps: Sequence[Placed]) -> None:
        """Once more, on the first engine or the second."""
        if not self.rounds[side]:
            self.ops[side] = tuple(step.name for step in steps if isinstance(step, Op))
        self.rounds[side] += 1
        self.is_of_a_tape |= any(isinstance(step, Op) and step.recorded for step in steps)

    def judged(self, verdict: Verdict, numbers: Pair | None = None, apart: float = 0.0) -> None:
        """Take notice of what one step came to."""
        is_worse = _ORDER[verdict] > _ORDER[self.verdict]
        if is_worse or (verdict is self.verdict and apart > self.apart):
            self.numbers, self.apart = numbers, apart
        if is_worse:
            self.verdict = verdict


@dataclass(frozen=True)
class Slope:
    """What came back for one source of a gradient call; None where a call gave no gradient, or did not come to an end."""

    line: int | None
    text: str
    source: str
    verdict: Verdict
    numbers: Pair
    apart: float

    def is_worse_than(self, other: "Slope") -> bool:
        return (_ORDER[self.verdict], self.apart) > (_ORDER[other.verdict], other.apart)


@dataclass
class Comparison:
    """What two engines made of one program; `ops` is how many ran on each."""

    ops: tuple[int, int]
    lines: list[Line] = field(default_factory=list)
    gradients: list[Slope] = field(default_factory=list)

    @property
    def is_alike(self) -> bool:
        return not any(verdict.is_difference for verdict in self._verdicts)

    @property
    def is_loose(self) -> bool:
        """Whether there are numbers that tell nothing, because they are random, or roundings that have grown."""
        return not self._verdicts.isdisjoint((Verdict.RANDOM, Verdict.GROWN))

    @property
    def _verdicts(self) -> set[Verdict]:
        return {each.verdict for each in self.lines} | {each.verdict for each in self.gradients}


def compare(first: Trace, second: Trace, *, tolerance: float = TOLERANCE) -> Comparison:
    """Compare two runs of one program.

    Args:
        tolerance: Numbers are the same if they are no farther apart, in shares of the largest number of their tensor.
    """
    return _Comparing(first, second, tolerance).done()


# --- what they come to ---


class _Run:
    """One of the two runs, and which of its values are not the other's by now, and why."""

    def __init__(self, trace: Trace) -> None:
        self.chunks = chunks(trace)
        self.ops = len(trace.of(Op))
        self._random = {
            each.numbers.id
            for each in trace.of(events.Constant)
            if each.how.startswith("tf.random.")
        }
        self._paired: set[int] = set()
        self._why = dict.fromkeys(self._random, Verdict.RANDOM)
        self._sizes = {each.id: largest(each) for each in _all_numbers(trace)}
        self._variable_of = {read.value: read.variable for read in trace.of(events.Read)}
        self._answers: dict[int, dict[int, events.Result]] = {}
        for result in trace.of(events.Result):
            self._answers.setdefault(result.call, {})[result.source] = result

    def answers(self, call: events.Gradient) -> list[events.Result | None]:
        found = self._answers.get(call.call, {})
        return [found.get(index) for index in range(len(call.sources))]

    def tainted(self, values: Iterable[int]) -> set[Verdict]:
        """Why these values are not the other run's, where they are not."""
        known = (self._why.get(self._variable_of.get(each, each)) for each in values)
        return {each for each in known if each is not None}

    def size_of(self, op: Op) -> float:
        """Of the largest number that an op adds up; 0 for one that does not add."""
        if op.name not in _ADDING:
            return 0.0
        known = (self._variable_of.get(each.value, each.value) for each in op.inputs)
        return max((self._sizes.get(each, 0.0) for each in known), default=0.0)

    def is_random(self, made: Made) -> bool:
        """Whether it holds numbers from a generator: a variable made of no tensor has them from a library's initializer."""
        match made:
            case events.Variable(origin=None):
                return True
            case events.Variable(origin=value) | events.Constant(numbers=Numbers(id=value)):
                return value in self._random
        return False

    @property
    def all_taints(self) -> set[Verdict]:
        return set(self._why.values())

    def note_unpaired(self, variables: Iterable[events.Variable]) -> None:
        """Random ones that the other run has under no such name."""
        for each in variables:
            if self.is_random(each) and each.numbers.id not in self._paired:
                self._why[each.numbers.id] = Verdict.RANDOM

    def note(self, value: int, why: Verdict | None) -> None:
        """This value is not the other run's, or it is again."""
        self._paired.add(value)
        if why is None:
            self._why.pop(value, None)
        else:
            self._why[value] = why


class _Comparing:
    def __init__(self, first: Trace, second: Trace, tolerance: float) -> None:
        self._runs = _Run(first), _Run(second)
        self._tolerance = tolerance
        self._lines: dict[tuple[str, int], Line] = {}
        self._comparison = Comparison((self._runs[0].ops, self._runs[1].ops))

    def done(self) -> Comparison:
        for pair in beside(self._runs[0].chunks, self._runs[1].chunks):
            self._chunk(*pair)
        for line in self._lines.values():
            if 0 in line.rounds and line.is_of_a_tape:
                line.judged(Verdict.ONLY_FIRST if line.rounds[0] else Verdict.ONLY_SECOND)
        self._comparison.lines = list(self._lines.values())
        return self._comparison

    def _chunk(self, a: Chunk | None, b: Chunk | None) -> None:
        line = self._line(a, b)
        if a is None or b is None:
            line.judged(Verdict.OTHER_OPS)
            return
        for calls in zip(a.of(events.Gradient), b.of(events.Gradient)):
            self._gradient(*calls)
        self._made(line, _entered(a, b))
        for run, chunk in zip(self._runs, (a, b)):
            run.note_unpaired(chunk.of(events.Variable))
        if a.ops == b.ops:
            for ops in zip(a.of(Op), b.of(Op)):
                self._op(line, *ops)
        else:
            self._other_ops(line, a.of(Op), b.of(Op))
        assigned = zip(a.of(events.Assign), b.of(events.Assign))
        self._made(
            line, (each for each in assigned if form(each[0].numbers) == form(each[1].numbers))
        )

    def _made(self, line: Line, pairs: Iterable[tuple[Made, Made]]) -> None:
        for x, y in pairs:
            is_random = self._runs[0].is_random(x) or self._runs[1].is_random(y)
            taints = {Verdict.RANDOM} if is_random else self._taints(x, y)
            self._value(line, x.numbers, y.numbers, taints)

    def _line(self, a: Chunk | None, b: Chunk | None) -> Line:
        chunk = a or b
        assert chunk is not None
        line = self._lines.get(chunk.key)
        if line is None:
            line = Line(chunk.file, chunk.line, chunk.code)
            self._lines[chunk.key] = line
        for side, each in enumerate((a, b)):
            if each is not None:
                line.ran(side, each.steps)
        return line

    def _taints(self, a: Placed, b: Placed) -> set[Verdict]:
        """Why what two steps take is not the same, where it is not."""
        return self._runs[0].tainted(_taken(a)) | self._runs[1].tainted(_taken(b))

    def _op(self, line: Line, a: Op, b: Op) -> None:
        taints, size = self._taints(a, b), self._runs[0].size_of(a)
        for x, y in zip(a.outputs, b.outputs):
            self._value(line, x, y, taints, size)
        if bool(a.recorded) != bool(b.recorded):
            line.judged(Verdict.RECORDED)

    def _value(
        self, line: Line, x: Numbers, y: Numbers, taints: set[Verdict], size: float = 0.0
    ) -> None:
        """What two steps of a kind made."""
        verdict, apart = self._judgement(x, y, taints, size)
        line.judged(verdict, (x, y), apart)
        self._note(x, y, verdict)

    def _note(self, x: Numbers, y: Numbers, verdict: Verdict) -> None:
        why: Verdict | None = verdict
        if verdict is Verdict.AGREES:
            why = Verdict.GROWN if gap(x, y) > _ROUNDED else None
        elif verdict in (Verdict.DIFFERS, Verdict.FORM):
            why = Verdict.FOLLOWS
        for run, numbers in zip(self._runs, (x, y)):
            run.note(numbers.id, why)

    def _judgement(
        self, x: Numbers, y: Numbers, taints: set[Verdict], size: float = 0.0
    ) -> tuple[Verdict, float]:
        if form(x) != form(y):
            return Verdict.FORM, 0.0
        apart = gap(x, y, size)
        if apart <= self._tolerance:
            return Verdict.AGREES, apart
        return max(taints, key=_ORDER.__getitem__, default=Verdict.DIFFERS), apart

    def _other_ops(self, line: Line, left: list[Op], right: list[Op]) -> None:
        """What one engine does in other ops is the same if what the line gives a name to is the same, or its last number."""
        line.judged(Verdict.OTHER_OPS)
        size = max(map(self._runs[0].size_of, left), default=0.0)
        for op in left:
            line.state |= self._runs[0].tainted(_taken(op))
        for x, y in _ends(left, right):
            verdict, apart = self._judgement(x, y, line.state, size)
            if verdict is not Verdict.AGREES:
                line.judged(verdict, (x, y), apart)
            self._note(x, y, verdict)

    def _gradient(self, a: events.Gradient, b: events.Gradient) -> None:
        taints = self._runs[0].all_taints | self._runs[1].all_taints
        pairs = zip(self._runs[0].answers(a), self._runs[1].answers(b))
        for source, results in zip(a.sources, pairs):
            x, y = (None if each is None else each.numbers for each in results)
            if x is None or y is None:
                is_same = x is y and (results[0] is None) == (results[1] is None)
                verdict, apart = Verdict.AGREES if is_same else Verdict.DIFFERS, 0.0
            else:
                verdict, apart = self._judgement(x, y, taints)
                self._note(x, y, verdict)
            line = None if a.at is None else a.at.line
            self._comparison.gradients.append(
                Slope(line, a.text, source.name, verdict, (x, y), apart)
            )


def _ends(left: list[Op], right: list[Op]) -> Iterator[tuple[Numbers, Numbers]]:
    """What a line gives a name to, on both sides; else the last number of the first and what is most like it on the other."""
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
    """Variables of one name, and the numbers that came in."""
    variables = b.of(events.Variable)
    for variable in a.of(events.Variable):
        namesakes = [each for each in variables if each.name == variable.name]
        if namesakes:
            twin = min(namesakes, key=lambda each: form(each.numbers) != form(variable.numbers))
            variables.remove(twin)
            yield variable, twin
    entered = b.of(events.Constant)
    for constant in a.of(events.Constant):  # of a dict each engine has its own order
        twins = [each for each in entered if form(each.numbers) == form(constant.numbers)]
        if twins:
            nearest = min(twins, key=lambda each: gap(each.numbers, constant.numbers))
            entered.remove(nearest)
            yield constant, nearest


def _all_numbers(trace: Trace) -> Iterator[Numbers]:
    for op in trace.of(Op):
        yield from op.outputs
    for made in trace.of(events.Constant, events.Variable, events.Assign):
        yield made.numbers


def _taken(step: Placed) -> list[int]:
    """The values that a step took."""
    match step:
        case Op():
            return [each.value for each in step.inputs]
        case events.Assign():
            return [step.variable, *([] if step.origin is None else [step.origin])]
        case events.Variable(origin=int(origin)):
            return [origin]
    return []

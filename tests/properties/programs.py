"""Random programs: random compositions of ops as data, so that a program can be run with tapes, without tapes, and perturbed.

    programs()          a strategy for programs: sources, and steps that use earlier values, some of them after a cut
    run(program, ...)   returns all values in order, sources first
    is_connected(...)   whether a tape connects one value to others

A program is built while it runs, so that finite differences are accurate: a step whose values are too close to a kink is
replaced by `tanh`, and a step with too large values or derivatives is followed by one that reduces them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st
from properties.shapes import numbers, shapes

import minitape as tf

Array = Any
Value = Any

# --- steps ---


@dataclass(frozen=True)
class Move:
    """An op for a step, called as `apply(pick, *values)`, where `pick` chooses axes, orders and positions.

    `room` returns the distance of the values from a kink, a jump or a pole; below ROOM the op is not used. `connects` is False
    for an op without a gradient.
    """

    apply: Callable[..., Value]
    room: Callable[..., float] = lambda pick, *arrays: np.inf
    rank: int = 0
    values: int = 1
    connects: bool = True


ROOM = 0.02


def axis_of(pick: int, x: Value) -> int:
    return pick % len(x.shape)


def between_neighbours(pick: int, x: Array) -> float:
    """Return the smallest distance between elements along an axis."""
    gaps = np.diff(np.sort(x, axis=axis_of(pick, x)), axis=axis_of(pick, x))
    return float(gaps.min(initial=np.inf))


def among_all(pick: int, x: Array) -> float:
    return between_neighbours(0, x.reshape(-1))


def apart(pick: int, a: Array, b: Array) -> float:
    return float(np.abs(a - b).min())


def from_zero(pick: int, *xs: Array) -> float:
    return min(float(np.abs(x).min()) for x in xs)


def from_bounds(pick: int, x: Array) -> float:
    return min(float(np.abs(x - bound).min()) for bound in (-0.5, 0.7))


def from_halves(pick: int, x: Array) -> float:
    """Return the distance from integers and from the midpoints between them."""
    return float(np.abs(2 * x - np.round(2 * x)).min()) / 2


def above(bound: float) -> Callable[..., float]:
    return lambda pick, x, *_: float(x.min()) - bound


def within_one(pick: int, x: Array) -> float:
    return 0.9 - float(np.abs(x).max())


def not_small(pick: int, a: Array, b: Array) -> float:
    return float(np.abs(b).min()) - 0.3


def flat(x: Value) -> Value:
    return tf.reshape(x, [-1])


def rows(x: Value) -> Value:
    """Reshape to a matrix, whose rows are all axes except the last."""
    return tf.reshape(x, [-1, x.shape[-1]])


def halves(pick: int, x: Value) -> Value:
    """Split into two parts along an axis; return the second part, or their sum if the shapes fit."""
    size = x.shape[axis_of(pick, x)]
    first, second = tf.split(x, [size // 2, size - size // 2], axis=axis_of(pick, x))
    return first + second if size % 2 == 0 else second


def updated(pick: int, x: Value) -> Value:
    last = x.shape[0] - 1
    return tf.tensor_scatter_nd_update(x, [[pick % (last + 1)]], [x[last] * 0.5])


UNARY = {
    "sin": Move(lambda pick, x: tf.sin(x)),
    "cos": Move(lambda pick, x: tf.cos(x)),
    "tanh": Move(lambda pick, x: tf.tanh(x)),
    "sigmoid": Move(lambda pick, x: tf.sigmoid(x)),
    "softplus": Move(lambda pick, x: tf.nn.softplus(x)),
    "exp": Move(lambda pick, x: tf.exp(x)),
    "square": Move(lambda pick, x: tf.square(x)),
    "negative": Move(lambda pick, x: -x),
    "atan": Move(lambda pick, x: tf.atan(x)),
    "erf": Move(lambda pick, x: tf.math.erf(x)),
    "swish": Move(lambda pick, x: tf.nn.swish(x)),
    "sqrt": Move(lambda pick, x: tf.sqrt(x), above(0.2)),
    "rsqrt": Move(lambda pick, x: tf.math.rsqrt(x), above(0.3)),
    "log": Move(lambda pick, x: tf.math.log(x), above(0.2)),
    "log1p": Move(lambda pick, x: tf.math.log1p(x), above(-0.8)),
    "asin": Move(lambda pick, x: tf.asin(x), within_one),
    "pow": Move(lambda pick, x: x ** (pick + 0.5), above(0.2)),
    "half": Move(lambda pick, x: 0.5 * x),
    "one_minus": Move(lambda pick, x: 1.0 - x),
    "inverse": Move(lambda pick, x: 1.0 / (1.0 + x * x)),
    "abs": Move(lambda pick, x: tf.abs(x), from_zero),
    "relu": Move(lambda pick, x: tf.nn.relu(x), from_zero),
    "leaky_relu": Move(lambda pick, x: tf.nn.leaky_relu(x), from_zero),
    "elu": Move(lambda pick, x: tf.nn.elu(x), from_zero),
    "clip": Move(lambda pick, x: tf.clip_by_value(x, -0.5, 0.7), from_bounds),
    "where": Move(lambda pick, x: tf.where(x > 0.0, x * x, tf.sin(x)), from_zero),
    "sign": Move(lambda pick, x: tf.sign(x), from_zero),
    "floor": Move(lambda pick, x: tf.floor(x), from_halves, connects=False),
    "round": Move(lambda pick, x: tf.round(x), from_halves, connects=False),
    "identity": Move(lambda pick, x: tf.identity(x)),
    "mean": Move(lambda pick, x: tf.reduce_mean(x)),
    "variance": Move(lambda pick, x: tf.math.reduce_variance(x)),
    "l2_loss": Move(lambda pick, x: tf.nn.l2_loss(x)),
    "logsumexp": Move(lambda pick, x: tf.reduce_logsumexp(x)),
    "expand": Move(lambda pick, x: x[tf.newaxis, ..., tf.newaxis]),
    "flat": Move(lambda pick, x: flat(x)),
    "largest": Move(lambda pick, x: tf.reduce_max(x), among_all),
    "sum_along": Move(lambda pick, x: tf.reduce_sum(x, axis=axis_of(pick, x)), rank=1),
    "mean_along": Move(
        lambda pick, x: tf.reduce_mean(x, axis=axis_of(pick, x), keepdims=True), rank=1
    ),
    "prod_along": Move(lambda pick, x: tf.reduce_prod(x, axis=axis_of(pick, x)), rank=1),
    "max_along": Move(
        lambda pick, x: tf.reduce_max(x, axis=axis_of(pick, x)), between_neighbours, rank=1
    ),
    "min_along": Move(
        lambda pick, x: tf.reduce_min(x, axis=axis_of(pick, x), keepdims=True),
        between_neighbours,
        rank=1,
    ),
    "sort": Move(lambda pick, x: tf.sort(x, axis=axis_of(pick, x)), between_neighbours, rank=1),
    "top": Move(lambda pick, x: tf.math.top_k(flat(x), k=1).values, among_all, rank=1),
    "pick_largest": Move(lambda pick, x: tf.gather(flat(x), tf.argmax(flat(x))), among_all, rank=1),
    "softmax": Move(lambda pick, x: tf.nn.softmax(x, axis=axis_of(pick, x)), rank=1),
    "log_softmax": Move(lambda pick, x: tf.nn.log_softmax(x), rank=1),
    "cumsum": Move(
        lambda pick, x: tf.cumsum(x, axis=axis_of(pick, x), reverse=pick % 2 == 0), rank=1
    ),
    "turned": Move(lambda pick, x: tf.transpose(x)),
    "reversed": Move(lambda pick, x: tf.reverse(x, [axis_of(pick, x)]), rank=1),
    "rolled": Move(lambda pick, x: tf.roll(x, pick + 1, axis=axis_of(pick, x)), rank=1),
    "first": Move(lambda pick, x: x[0], rank=1),
    "backwards": Move(lambda pick, x: x[..., ::-1], rank=1),
    "padded": Move(lambda pick, x: tf.pad(x, [[1, 0]] + [[0, 0]] * (len(x.shape) - 1)), rank=1),
    "gathered": Move(lambda pick, x: tf.gather(x, [0, pick % x.shape[0], 0]), rank=1),
    "gathered_nd": Move(lambda pick, x: tf.gather_nd(x, [[pick % x.shape[0]], [0]]), rank=1),
    "updated": Move(updated, rank=1),
    "halves": Move(halves, rank=1),
    "unstacked": Move(lambda pick, x: tf.unstack(x)[pick % x.shape[0]], rank=1),
    "tiled": Move(lambda pick, x: tf.tile(flat(x), [2])),
    "gram": Move(lambda pick, x: tf.matmul(rows(x), rows(x), transpose_a=True), rank=1),
    "outer": Move(lambda pick, x: tf.einsum("i,j->ji", flat(x), flat(x))),
    "trace": Move(lambda pick, x: tf.linalg.trace(tf.linalg.diag(flat(x)))),
}

BINARY = {
    "add": Move(lambda pick, a, b: a + b, values=2),
    "subtract": Move(lambda pick, a, b: a - b, values=2),
    "multiply": Move(lambda pick, a, b: a * b, values=2),
    "divide": Move(lambda pick, a, b: a / b, not_small, values=2),
    "squared_difference": Move(lambda pick, a, b: tf.math.squared_difference(a, b), values=2),
    "divide_no_nan": Move(lambda pick, a, b: tf.math.divide_no_nan(a, b), not_small, values=2),
    "atan2": Move(lambda pick, a, b: tf.atan2(a, b), not_small, values=2),
    "power": Move(lambda pick, a, b: tf.pow(a, b), above(0.3), values=2),
    "maximum": Move(lambda pick, a, b: tf.maximum(a, b), apart, values=2),
    "minimum": Move(lambda pick, a, b: tf.minimum(a, b), apart, values=2),
    "chosen": Move(lambda pick, a, b: tf.where(a < b, tf.sin(a), b), apart, values=2),
    "side_by_side": Move(lambda pick, a, b: tf.concat([flat(b), flat(a), flat(b)], 0), values=2),
    "stacked": Move(lambda pick, a, b: tf.stack([a + 0.0 * b, b + 0.0 * a], axis=-1), values=2),
    "added": Move(lambda pick, a, b: tf.add_n([a + b, b + a, a + b]), values=2),
    "cross_entropy": Move(
        lambda pick, a, b: tf.nn.softmax_cross_entropy_with_logits(
            labels=tf.nn.softmax(b + 0.0 * a), logits=a + 0.0 * b
        ),
        rank=1,
        values=2,
    ),
}

MOVES = UNARY | BINARY

# The steps that end a path: `stop_gradient`, or a tape that is not recording.
CUTS = ("", "stopped", "unrecorded")

# --- a program, and running it ---


@dataclass(frozen=True)
class Step:
    move: str
    operands: tuple[int, ...]
    pick: int = 0
    cut: str = ""


@dataclass(frozen=True)
class Program:
    """A random program. Values are numbered from 0, starting with the sources."""

    sources: tuple[Array, ...]
    variables: tuple[bool, ...]
    steps: tuple[Step, ...]

    @property
    def cut(self) -> list[int]:
        """The values after a cut."""
        first = len(self.sources)
        return [first + i for i, step in enumerate(self.steps) if step.cut]

    def fresh_sources(self, nudges: Mapping[int, Array] = {}) -> list[Value]:
        """Return tensors and variables with the values of the sources, perturbed by the nudges."""
        moved = [source + nudges.get(i, 0.0) for i, source in enumerate(self.sources)]
        return [
            tf.Variable(x) if is_variable else tf.constant(x)
            for x, is_variable in zip(moved, self.variables, strict=True)
        ]


def run(
    program: Program,
    sources: Sequence[Value],
    *,
    paused: Sequence[tf.GradientTape] = (),
    nudges: Mapping[int, Array] = {},
    held: Mapping[int, Array] = {},
) -> list[Value]:
    """Run a program and return all values, sources first.

    Args:
        program: The program.
        sources: The sources, as tensors or variables.
        paused: The tapes that do not record the `unrecorded` steps.
        nudges: What to add to a value after it was computed, by the number of the value.
        held: Fixed values that replace the results of steps, by number, because values after a cut must not change.
    """
    values = list(sources)
    for step in program.steps:
        place = len(values)
        with ExitStack() as stack:
            if step.cut == "unrecorded":
                for tape in paused:
                    stack.enter_context(tape.stop_recording())
            y = MOVES[step.move].apply(step.pick, *(values[i] for i in step.operands))
        if step.cut == "stopped":
            y = tf.stop_gradient(y)
        if place in held:
            y = tf.constant(held[place])
        values.append(y + nudges[place] if place in nudges else y)
    return values


def on_tape(program: Program) -> set[int]:
    """Return the values that are on a tape that watches all sources."""
    known = set(range(len(program.sources)))
    for place, step in enumerate(program.steps, len(program.sources)):
        if not step.cut and known.intersection(step.operands):
            known.add(place)
    return known


def is_connected(program: Program, source: int, targets: Collection[int]) -> bool:
    """Return whether a tape that watches all sources connects a value to a target."""
    reached = {source} & on_tape(program)
    for place, step in enumerate(program.steps, len(program.sources)):
        if not step.cut and MOVES[step.move].connects and reached.intersection(step.operands):
            reached.add(place)
    return not reached.isdisjoint(targets)


# --- generating a program ---

LARGEST, STEEPEST, MOST_ELEMENTS = 4.0, 10.0, 24
MOVED_BY = 1e-4


@dataclass
class Builder:
    """A program under construction, with its values at the sources and at perturbed sources, which show its derivatives."""

    sources: list[Array]
    steps: list[Step] = field(default_factory=list)
    here: list[Array] = field(default_factory=list)
    beside: list[Array] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.here = list(self.sources)
        self.beside = [x + MOVED_BY for x in self.sources]

    def add(self, step: Step) -> int:
        """Add the step or its replacement, and steps that reduce its value until it is small; return the number of the last
        value.
        """
        if len(step.operands) == 2:
            step = Step(step.move, self._that_fit(*step.operands), step.pick, step.cut)
        place = self._take(
            step if self._may(step) else Step("tanh", step.operands[:1], 0, step.cut)
        )
        if self.here[place].size > MOST_ELEMENTS:
            place = self._take(Step("mean", (place,)))
        if np.abs(self.here[place]).max() > LARGEST:
            place = self._take(Step("tanh", (place,)))
        while np.abs(self.beside[place] - self.here[place]).max() > STEEPEST * MOVED_BY:
            place = self._take(Step("half", (place,)))
        return place

    def _that_fit(self, first: int, second: int) -> tuple[int, int]:
        """Return the two values or, if their shapes do not broadcast, the first value and the mean of the second."""
        try:
            np.broadcast_shapes(self.here[first].shape, self.here[second].shape)
        except ValueError:
            return first, self._take(Step("mean", (second,)))
        return first, second

    def _may(self, step: Step) -> bool:
        move, arrays = MOVES[step.move], [self.here[i] for i in step.operands]
        return arrays[0].ndim >= move.rank and move.room(step.pick, *arrays) > ROOM

    def _take(self, step: Step) -> int:
        apply = MOVES[step.move].apply
        for values in (self.here, self.beside):
            values.append(
                apply(step.pick, *(tf.constant(values[i]) for i in step.operands)).numpy()
            )
        self.steps.append(step)
        return len(self.here) - 1


@st.composite
def programs(
    draw: Any,
    least: int = 10,
    most: int = 40,
    moves: Iterable[str] = tuple(MOVES),
    cuts: bool = True,
) -> Program:
    """Return a program with one to three sources, whose later steps use the most recent values and any others."""
    sources = draw(st.lists(shapes(most=2, smallest=1).flatmap(numbers), min_size=1, max_size=3))
    variables = tuple(draw(st.booleans()) for _ in sources)
    cut = st.integers(0, 11).map(lambda i: CUTS[i] if cuts and i < len(CUTS) else "")
    builder = Builder(sources)
    latest = len(sources) - 1
    for _ in range(draw(st.integers(least, most))):
        move = draw(st.sampled_from(sorted(moves)))
        first = latest if draw(st.booleans()) else draw(st.integers(0, len(builder.here) - 1))
        second = draw(st.integers(0, len(builder.here) - 1))
        operands = (first, second)[: MOVES[move].values]
        latest = builder.add(Step(move, operands, draw(st.integers(0, 3)), draw(cut)))
    return Program(tuple(sources), variables, tuple(builder.steps))

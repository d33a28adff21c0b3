"""Random programs: what tapes say of them is what finite differences say, and no way of asking changes the answer."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties.programs import Program, is_connected, on_tape, programs, run

import minitape as tf
from minitape.explain.explain import explain
from minitape.explain.report import Outcome
from minitape.trace.trace import Trace
from minitape.tracer.tracer import Tracer

Array = Any
STEP = 1e-4
# Five points: the error is of the fourth order in STEP, and the programs are built to be gentle.
TOLERANCE = {"rtol": 1e-6, "atol": 1e-6}


def numbers_like(x: Any, seed: int) -> Array:
    return np.random.default_rng(seed).uniform(0.5, 1.5, tuple(x.shape))[()]


@dataclass(frozen=True)
class Question:
    """A program, whose values are the targets, and by which others they are differentiated."""

    program: Program
    targets: tuple[int, ...]
    sources: tuple[int, ...]
    persistent: bool

    def seeds(self, values: Sequence[Any]) -> list[Any]:
        return [tf.constant(numbers_like(values[i], seed=i)) for i in self.targets]


@st.composite
def questions(draw: Any, **settings: Any) -> Question:
    program = draw(programs(**settings))
    count = len(program.sources) + len(program.steps)
    late = st.integers(0, count // 2).map(lambda back: count - 1 - back)
    targets = draw(st.lists(late, min_size=1, max_size=3, unique=True))
    between = draw(st.lists(st.integers(0, count - 1), max_size=2))
    known = on_tape(program)
    sources = (
        *range(len(program.sources)),
        *(i for i in between if i in known or i not in targets),
    )
    return Question(program, tuple(targets), sources, draw(st.booleans()))


def watch_tensors(tape: tf.GradientTape, sources: Sequence[Any]) -> None:
    """Variables are watched by themselves."""
    tape.watch([x for x in sources if not isinstance(x, tf.Variable)])


def recorded(question: Question) -> tuple[tf.GradientTape, list[Any]]:
    """The program run under a tape that watches its sources."""
    sources = question.program.fresh_sources()
    with tf.GradientTape(persistent=question.persistent) as tape:
        watch_tensors(tape, sources)
        values = run(question.program, sources, paused=[tape])
    return tape, values


def requested(tape: tf.GradientTape, values: list[Any], question: Question, **settings: Any) -> Any:
    return tape.gradient(
        [values[i] for i in question.targets],
        [values[i] for i in question.sources],
        output_gradients=question.seeds(values),
        **settings,
    )


def derivative(height: Callable[[float], float]) -> float:
    """How a function of one number climbs at 0, from five points."""
    near = height(STEP) - height(-STEP)
    far = height(2 * STEP) - height(-2 * STEP)
    return (8 * near - far) / (12 * STEP)


def slope_along(question: Question, held: Mapping[int, Array], source: int, along: Array) -> float:
    """How the targets, weighed with the seeds, change when one value of the program is moved."""
    program = question.program

    def height(step: float) -> float:
        nudges = {source: step * along}
        values = run(program, program.fresh_sources(nudges), nudges=nudges, held=held)
        targets = [values[i] for i in question.targets]
        return sum(
            float(np.sum(y.numpy() * seed.numpy()))
            for y, seed in zip(targets, question.seeds(values), strict=True)
        )

    return derivative(height)


@given(questions())
def test_gradient_equals_finite_differences(question: Question) -> None:
    """By sources and by values on the way, through what is used twice and past what was cut off."""
    tape, values = recorded(question)
    gradients = requested(tape, values, question)
    held = {i: values[i].numpy() for i in question.program.cut}
    known = on_tape(question.program)
    for source, gradient in zip(question.sources, gradients, strict=True):
        assert (gradient is not None) == is_connected(question.program, source, question.targets)
        if source in known:
            along = numbers_like(values[source], seed=source)
            found = slope_along(question, held, source, along)
            np.testing.assert_allclose(inner(gradient, along), found, **TOLERANCE)


def inner(gradient: Any, along: Array) -> float:
    """⟨gradient, along⟩, None counting as 0."""
    if gradient is None:
        return 0.0
    return float(np.sum(tf.convert_to_tensor(gradient).numpy() * along))


# --- the same question, asked in other ways ---


def assert_same(some: Any, others: Any) -> None:
    """Equal to the last bit, None where None."""
    for one, other in zip(some, others, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            one, other = tf.convert_to_tensor(one), tf.convert_to_tensor(other)
            np.testing.assert_array_equal(one.numpy(), other.numpy())


@given(questions())
def test_single_targets_and_sources_give_the_same_gradients(question: Question) -> None:
    """A persistent tape gives the same again, one by one; and targets asked together are their sum."""
    together, values = recorded(replace(question, persistent=True))
    at_once = requested(together, values, question)
    alone = [
        requested(together, values, replace(question, sources=(i,)))[0] for i in question.sources
    ]
    assert_same(at_once, alone)
    for i, gradient in zip(question.sources, at_once, strict=True):
        parts = [
            requested(together, values, replace(question, targets=(t,), sources=(i,)))[0]
            for t in question.targets
        ]
        found = [tf.convert_to_tensor(part).numpy() for part in parts if part is not None]
        assert (gradient is None) == (not found)
        if gradient is not None:
            np.testing.assert_allclose(
                tf.convert_to_tensor(gradient).numpy(), sum(found), rtol=1e-9, atol=1e-9
            )


@given(questions())
def test_persistent_and_single_use_tapes_agree(question: Question) -> None:
    """Numbers and Nones; and zeros in the shape of the source for each None where those are asked for."""
    answers = []
    for persistent, unconnected in ((True, "none"), (False, "none"), (False, "zero")):
        tape, values = recorded(replace(question, persistent=persistent))
        answers.append(requested(tape, values, question, unconnected_gradients=unconnected))
    assert_same(answers[0], answers[1])
    for i, gradient, or_zeros in zip(question.sources, answers[1], answers[2], strict=True):
        assert tuple(or_zeros.shape) == tuple(values[i].shape)
        dense = np.zeros(or_zeros.shape) if gradient is None else tf.convert_to_tensor(gradient)
        np.testing.assert_array_equal(tf.convert_to_tensor(or_zeros).numpy(), np.asarray(dense))


@given(questions(most=20))
def test_jacobian_equals_its_rows_computed_one_by_one(question: Question) -> None:
    """And seeds times the Jacobian is the gradient."""
    tape, values = recorded(replace(question, persistent=True))
    target, sources = values[question.targets[0]], [values[i] for i in question.sources]
    at_once = tape.jacobian(target, sources)
    by_row = tape.jacobian(target, sources, experimental_use_pfor=False)
    gradients = requested(tape, values, replace(question, targets=question.targets[:1]))
    seed = numbers_like(target, seed=question.targets[0])
    for source, matrix, rows, gradient in zip(sources, at_once, by_row, gradients, strict=True):
        assert (matrix is None) == (rows is None) == (gradient is None)
        if matrix is not None:
            assert tuple(matrix.shape) == (*target.shape, *source.shape)
            np.testing.assert_allclose(matrix, rows, rtol=1e-9, atol=1e-9)
            total = np.tensordot(seed, matrix.numpy(), axes=np.ndim(seed))
            np.testing.assert_allclose(
                total, tf.convert_to_tensor(gradient).numpy(), rtol=1e-9, atol=1e-9
            )


# --- to the second order ---


def mixed(question: Question, values: Sequence[Any], gradients: Sequence[Any]) -> Any:
    """A number made of the gradients and of a value of the program."""
    total = 0.5 * tf.reduce_mean(values[question.targets[0]])
    for source, gradient in zip(question.sources, gradients, strict=True):
        if gradient is not None:
            dense = tf.convert_to_tensor(gradient)
            total += tf.reduce_sum(dense * numbers_like(dense, source))
    return total


def nested(question: Question, sources: Sequence[Any]) -> Any:
    """The usual order: the inner tape is closed, and the outer one records its backward pass."""
    with tf.GradientTape() as outer:
        watch_tensors(outer, sources)
        with tf.GradientTape(persistent=question.persistent) as inner:
            watch_tensors(inner, sources)
            values = run(question.program, sources, paused=[inner, outer])
        z = mixed(question, values, requested(inner, values, question))
    return outer, z, values


def crossed(question: Question, sources: Sequence[Any]) -> Any:
    """The tape that was opened first computes the first gradient, and the inner one records its backward pass."""
    with tf.GradientTape() as first:
        watch_tensors(first, sources)
        with tf.GradientTape(persistent=question.persistent) as second:
            watch_tensors(second, sources)
            values = run(question.program, sources, paused=[second, first])
            z = mixed(question, values, requested(first, values, question))
    return second, z, values


def by_itself(question: Question, sources: Sequence[Any]) -> Any:
    """One persistent tape records its own backward pass."""
    with tf.GradientTape(persistent=True) as tape:
        watch_tensors(tape, sources)
        values = run(question.program, sources, paused=[tape])
        z = mixed(question, values, requested(tape, values, question))
    return tape, z, values


ORDERS = (nested, crossed, by_itself)


def slope_of_the_slope(
    question: Question, held: Mapping[int, Array], source: int, along: Array
) -> float:
    """How that number changes when one source is moved; its gradients are those of one tape, which is right by itself."""

    def height(step: float) -> float:
        sources = question.program.fresh_sources({source: step * along})
        with tf.GradientTape() as tape:
            watch_tensors(tape, sources)
            values = run(question.program, sources, paused=[tape], held=held)
        return float(mixed(question, values, requested(tape, values, question)))

    return derivative(height)


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.__name__)
@given(question=questions(most=25))
def test_second_gradient_equals_finite_differences_of_the_first(
    order: Any, question: Question
) -> None:
    """However the two tapes stand to each other."""
    program = question.program
    question = replace(question, sources=tuple(range(len(program.sources))))
    sources = program.fresh_sources()
    tape, z, values = order(question, sources)
    held = {i: values[i].numpy() for i in program.cut}
    for source, gradient in enumerate(tape.gradient(z, sources)):
        along = numbers_like(values[source], seed=source)
        found = slope_of_the_slope(question, held, source, along)
        np.testing.assert_allclose(inner(gradient, along), found, **TOLERANCE)


# --- under a tracer ---


# A trace takes much longer to explain than to write.
FEWER = settings(max_examples=max(settings.default.max_examples // 10, 1))


@FEWER
@given(question=questions(most=25))
def test_tracer_changes_no_values(question: Question) -> None:
    """And what it wrote down can be explained, whatever was cut."""
    tape, values = recorded(question)
    alone = requested(tape, values, question)
    with Tracer() as tracer:
        tape, again = recorded(question)
        watched = requested(tape, again, question)
    assert_same(values, again)
    assert_same(alone, watched)
    (call,) = explain(Trace.from_dicts(tracer.received)).calls
    for gradient, source in zip(watched, call.sources, strict=True):
        assert (gradient is None) == (source.outcome is Outcome.NONE)
        assert source.findings or gradient is not None


# Ops that are differentiable everywhere and constant nowhere, so that no part of a gradient is lost.
FAITHFUL = sorted(
    {"sin", "cos", "tanh", "sigmoid", "softplus", "exp", "negative", "atan", "half", "one_minus"}
    | {"mean", "sum_along", "mean_along", "flat", "expand", "turned", "reversed", "rolled"}
    | {"cumsum", "add", "subtract", "multiply", "divide", "side_by_side", "outer", "identity"}
)


@FEWER
@given(question=questions(moves=FAITHFUL, cuts=False, most=25))
def test_explainer_reports_nothing_for_a_connected_source(question: Question) -> None:
    with Tracer() as tracer:
        tape, values = recorded(question)
        gradients = requested(tape, values, question)
    (call,) = explain(Trace.from_dicts(tracer.received)).calls
    for gradient, source in zip(gradients, call.sources, strict=True):
        # Less than that may be all that rounding leaves of a sum that cancels, and is then explained as zero.
        if gradient is not None and np.all(np.abs(tf.convert_to_tensor(gradient).numpy()) > 1e-3):
            assert (source.outcome, source.findings) == (Outcome.OK, ())


# --- in many threads ---


@pytest.mark.parametrize("threads", [2, 8])
@settings(max_examples=max(settings.default.max_examples // 20, 1))
@given(data=st.data())
def test_threads_with_separate_tapes_are_independent(threads: int, data: st.DataObject) -> None:
    """Each runs its own program, all at the same time; variables that they share are only read."""
    drawn = [data.draw(questions(most=15)) for _ in range(threads)]

    def answer(question: Question) -> list[Any]:
        tape, values = recorded(question)
        return list(requested(tape, values, question))

    alone = [answer(question) for question in drawn]
    start = Barrier(threads)

    def together(question: Question) -> list[list[Any]]:
        start.wait()
        return [answer(question) for _ in range(5)]

    with ThreadPoolExecutor(threads) as pool:
        for expected, repeated in zip(alone, pool.map(together, drawn), strict=True):
            for found in repeated:
                assert_same(expected, found)

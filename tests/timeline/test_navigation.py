"""The target of each key is computed for all steps at once."""

from collections.abc import Callable

import pytest

from minitape.timeline import Moves, Timeline, found, moves

ITERATIONS = """\
import numpy as np
w = tf.Variable(3.0)
for step in range(3):
    with tf.GradientTape() as tape:
        y = w * w
    tape.gradient(y, w)
with tf.GradientTape() as tape:
    z = tf.exp(np.sin(w))
tape.gradient(z, w)
"""


@pytest.fixture
def timeline(reported: Callable[[str], Timeline]) -> Timeline:
    return reported(ITERATIONS)


@pytest.fixture
def jumps(timeline: Timeline) -> Moves:
    return moves(timeline)


def indices(timeline: Timeline, what: str) -> list[int]:
    return [step.index for step in timeline.steps if step.what == what]


def test_next_iteration_key_stays_at_the_last_iteration(timeline: Timeline, jumps: Moves) -> None:
    first, second, third = indices(timeline, "Mul")
    assert [jumps.later_again[at] for at in (first, second, third)] == [second, third, third]
    assert [jumps.earlier_again[at] for at in (first, second, third)] == [first, first, second]


def test_op_links_to_its_backward_step_in_the_same_iteration(
    timeline: Timeline, jumps: Moves
) -> None:
    for forward, back in zip(
        indices(timeline, "Mul"), indices(timeline, "Mul, backward"), strict=True
    ):
        assert (jumps.later_op[forward], jumps.earlier_op[back]) == (back, forward)


def test_step_without_an_op_has_no_matching_step(timeline: Timeline, jumps: Moves) -> None:
    (variable,) = indices(timeline, "variable")
    assert (jumps.earlier_op[variable], jumps.later_op[variable]) == (variable, variable)


def test_problems_are_cyclic_in_both_directions(jumps: Moves) -> None:
    first, last = jumps.problems[0], jumps.problems[-1]
    assert jumps.next_problem(0) == first
    assert jumps.next_problem(last) == first
    assert jumps.previous_problem(first) == last
    assert jumps.previous_problem(last + 1) == last


def test_backward_passes_are_cyclic(timeline: Timeline, jumps: Moves) -> None:
    seeds = indices(timeline, "seed")
    visited = [jumps.next_backward(0)]
    for _ in seeds:
        visited.append(jumps.next_backward(visited[-1]))
    assert visited == [*seeds, seeds[0]]


def test_moves_stay_without_problems_or_backward_passes(
    reported: Callable[[str], Timeline],
) -> None:
    jumps = moves(reported("w = tf.Variable(1.0)\nv = tf.exp(w)\n"))
    assert (jumps.next_problem(1), jumps.previous_problem(1), jumps.next_backward(1)) == (1, 1, 1)


def test_search_starts_at_a_step_and_wraps_around(timeline: Timeline) -> None:
    muls = [step.index for step in timeline.steps if "Mul" in step.what]
    assert found(timeline, "mul", 0) == muls[0]
    assert found(timeline, "MUL", muls[0] + 1) == muls[1]
    assert found(timeline, "mul", muls[-1] + 1) == muls[0]


@pytest.mark.parametrize("requested", [":9", "line 9", "line:9"])
def test_line_is_found_by_its_number(timeline: Timeline, requested: str) -> None:
    at = found(timeline, requested, 0)
    assert at is not None
    place = timeline.steps[at].location
    assert place is not None
    assert place.line == 9


def test_missing_text_is_not_found(timeline: Timeline) -> None:
    assert found(timeline, "Conv2D", 0) is None
    assert found(timeline, ":999", 0) is None

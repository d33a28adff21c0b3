"""Where each key leads, worked out for all steps at once."""

from collections.abc import Callable

import pytest

from minitape.story import Moves, Story, found, moves

ROUNDS = """\
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
def story(told: Callable[[str], Story]) -> Story:
    return told(ROUNDS)


@pytest.fixture
def jumps(story: Story) -> Moves:
    return moves(story)


def indices(story: Story, what: str) -> list[int]:
    return [step.index for step in story.steps if step.what == what]


def test_again_goes_round_by_round_and_stays_at_the_last(story: Story, jumps: Moves) -> None:
    first, second, third = indices(story, "Mul")
    assert [jumps.later_again[at] for at in (first, second, third)] == [second, third, third]
    assert [jumps.earlier_again[at] for at in (first, second, third)] == [first, first, second]


def test_an_op_leads_to_its_step_back_in_the_same_round(story: Story, jumps: Moves) -> None:
    for forward, back in zip(indices(story, "Mul"), indices(story, "Mul, backward"), strict=True):
        assert (jumps.later_op[forward], jumps.earlier_op[back]) == (back, forward)


def test_what_is_no_op_has_no_other_step(story: Story, jumps: Moves) -> None:
    (variable,) = indices(story, "variable")
    assert (jumps.earlier_op[variable], jumps.later_op[variable]) == (variable, variable)


def test_problems_go_round_both_ways(jumps: Moves) -> None:
    first, last = jumps.problems[0], jumps.problems[-1]
    assert jumps.next_problem(0) == first
    assert jumps.next_problem(last) == first
    assert jumps.previous_problem(first) == last
    assert jumps.previous_problem(last + 1) == last


def test_the_walks_back_go_round(story: Story, jumps: Moves) -> None:
    seeds = indices(story, "seed")
    visited = [jumps.next_backward(0)]
    for _ in seeds:
        visited.append(jumps.next_backward(visited[-1]))
    assert visited == [*seeds, seeds[0]]


def test_without_problems_or_walks_one_stays(told: Callable[[str], Story]) -> None:
    jumps = moves(told("w = tf.Variable(1.0)\nv = tf.exp(w)\n"))
    assert (jumps.next_problem(1), jumps.previous_problem(1), jumps.next_backward(1)) == (1, 1, 1)


def test_search_begins_at_a_step_and_goes_round(story: Story) -> None:
    muls = [step.index for step in story.steps if "Mul" in step.what]
    assert found(story, "mul", 0) == muls[0]
    assert found(story, "MUL", muls[0] + 1) == muls[1]
    assert found(story, "mul", muls[-1] + 1) == muls[0]


@pytest.mark.parametrize("asked", [":9", "line 9", "line:9"])
def test_a_line_is_found_by_its_number(story: Story, asked: str) -> None:
    at = found(story, asked, 0)
    assert at is not None
    place = story.steps[at].place
    assert place is not None
    assert place.line == 9


def test_what_is_nowhere_is_not_found(story: Story) -> None:
    assert found(story, "Conv2D", 0) is None
    assert found(story, ":999", 0) is None

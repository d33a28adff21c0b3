"""The terms of numbers in whole programs."""

from typing import Any

import numpy as np
import pytest
from terms.queries import Asked, total

import minitape as tf
from minitape.terms import Element, written
from minitape.trace import events


def requested(program: Any) -> Asked:
    with tf.debug.record() as recording:
        program()
    return Asked.of(recording.trace)


def test_gradient_of_a_weight_is_written_as_a_sum_of_products() -> None:
    def program() -> None:
        x = tf.constant([[0.0, 0.0, 0.5], [0.0, 0.0, 2.0]])
        w = tf.Variable(tf.ones([3, 2]))
        with tf.GradientTape() as tape:
            y = x @ w
        dy = tf.constant([[0.1, 0.2], [0.3, 0.4]])
        tape.gradient(y, w, output_gradients=dy)

    run = requested(program)
    assert written(run.named("∂y/∂w[2,1]")) == [
        "∂y/∂w[2,1] = 0.9",
        "  = x[0,2]·∂y/∂y[0,1] + x[1,2]·∂y/∂y[1,1]",
        "  = 0.5·0.2 + 2.0·0.4",
    ]
    assert written(run.named("y[1,0]")) == [
        "y[1,0] = 2.0",
        "  = x[1,0]·w[0,0] + x[1,1]·w[1,0] + x[1,2]·w[2,0]",
        "  = 0.0·1.0 + 0.0·1.0 + 2.0·1.0",
    ]


def test_zero_factor_is_not_a_missing_term() -> None:
    """x[0] is 0, but is still paired with y, because pairs are found by index, not by value."""

    def program() -> None:
        x, w = tf.constant([[0.0], [3.0]]), tf.Variable([[2.0]])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(x @ w)
        tape.gradient(loss, w)

    expansion = requested(program).named("∂loss/∂w[0,0]")
    assert [each.value for each in expansion.terms] == [0.0, 3.0]
    assert [each.factors[0].text for each in expansion.terms] == ["x[0,0]", "x[1,0]"]


def test_tensor_used_three_times_has_three_contributions() -> None:
    def program() -> None:
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * 2.0 + tf.exp(w) + w)
        tape.gradient(loss, w)

    run = requested(program)
    expansion = run.named("∂loss/∂w[1]")
    assert [each.factors[0].text for each in expansion.terms] == [
        "contribution of #4 AddV2",
        "contribution of #2 Exp",
        "contribution of #1 Mul",
    ]
    np.testing.assert_allclose(total(expansion), 2 + np.exp(2.0) + 1, rtol=1e-6)
    contribution = run.expansions.of(expansion.terms[1].leads)  # type: ignore[arg-type]  # it leads to a contribution
    assert contribution.terms[0].factors[0].text == "#2[1]"


def test_terms_lead_to_the_seed_and_values_to_the_inputs() -> None:
    def program() -> None:
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            loss = tf.tanh(x * x) * 0.5
        tape.gradient(loss, x)

    run = requested(program)
    expansion, said = run.named("∂loss/∂x"), []
    while expansion.terms:
        leads = expansion.terms[0].leads
        assert leads is not None
        expansion = run.expansions.of(leads)
        said.append(expansion.text)
    assert said == [
        "contribution of #1 Mul",
        "contribution of #2 Tanh",
        "contribution of #3 Mul",
        "the seed",
    ]
    value = run.named("loss")
    assert value.terms[0].factors[0].text == "#2"
    tanh = run.expansions.of(value.terms[0].factors[0].leads)  # type: ignore[arg-type]  # it is an op's
    assert written(tanh)[1:] == ["  = Tanh(#1)", "  = Tanh(9.0)"]
    square = run.expansions.of(tanh.terms[0].leads)  # type: ignore[arg-type]  # it is an op's
    variable = run.expansions.of(square.terms[0].leads)  # type: ignore[arg-type]  # it is a variable's
    assert variable.word == "The program set it."


def test_rows_of_slices_lead_to_the_gathered_rows() -> None:
    def program() -> None:
        table = tf.Variable(tf.ones([3, 2]))
        with tf.GradientTape() as tape:
            first = tf.gather(table, [2, 0, 2])
            second = tf.gather(table, [1])
            loss = tf.reduce_sum(first * 2.0) + tf.reduce_sum(second)
        tape.gradient(loss, table)

    expansions = list(requested(program).results())
    # Rows are in the order of the backward pass: first the row of `second`, then the rows of `first`.
    assert [each.number for each in expansions] == [1.0, 1.0] + [2.0] * 6
    for expansion in expansions:
        assert total(expansion) == expansion.number


def test_table_that_is_also_read_densely_adds_rows() -> None:
    def program() -> None:
        table = tf.Variable(tf.ones([3, 2]))
        with tf.GradientTape() as tape:
            rows = tf.gather(table, [2, 0, 2])
            loss = tf.reduce_sum(rows) + tf.reduce_sum(table * 3.0)
        tape.gradient(loss, table)

    expansions = list(requested(program).results())
    assert [each.number for each in expansions] == [4.0, 4.0, 3.0, 3.0, 5.0, 5.0]
    assert [len(each.terms) for each in expansions] == [2, 2, 1, 1, 3, 3]
    for expansion in expansions:
        assert total(expansion) == expansion.number


@pytest.mark.parametrize("api", ["jacobian", "batch_jacobian"])
@pytest.mark.parametrize("at_once", [True, False])
def test_element_of_jacobian_is_found_in_its_row(api: str, at_once: bool) -> None:
    def program() -> None:
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape(persistent=not at_once) as tape:
            tape.watch(x)
            y = x * x * x
        getattr(tape, api)(y, x, experimental_use_pfor=at_once)

    run = requested(program)
    expansions = list(run.results())
    assert any(each.number == 48.0 for each in expansions)
    for expansion in expansions:
        assert total(expansion) == pytest.approx(expansion.number)
        for term in expansion.terms:
            assert run.expansions.of(term.leads).number == term.factors[-1].number  # type: ignore[arg-type]


def test_second_derivative_is_followed_through_both_backward_passes() -> None:
    def program() -> None:
        x = tf.Variable([2.0, 3.0])
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = tf.reduce_sum(x * x * x)
            derivative = inner.gradient(y, x)
        outer.gradient(derivative, x)

    run = requested(program)
    expansions = list(run.results())
    assert [each.number for each in expansions] == [12.0, 18.0]
    for expansion in (*expansions, *run.contributions(), *run.values()):
        if expansion.terms and not expansion.function:
            assert total(expansion) == pytest.approx(expansion.number)


def test_assignment_leads_to_the_assigned_value() -> None:
    def program() -> None:
        w = tf.Variable([1.0, 2.0])
        w.assign_sub(tf.constant([0.25, 0.5]))
        w.assign_add(tf.constant([1.0, 1.0]))

    run = requested(program)
    event = run.trace.of(events.AssignEvent)[-1]
    expansion = run.expansions.of(Element(event.i, 0, (1,)))
    assert written(expansion)[0] == "w[1] = 2.5"
    before = run.expansions.of(expansion.terms[0].leads)  # type: ignore[arg-type]  # it was assigned before
    assert (before.text, before.number) == ("after assign_sub", 1.5)
    assert [each.value for each in before.terms] == [2.0, -0.5]


def test_large_sum_shows_its_ten_largest_terms() -> None:
    def program() -> None:
        x = tf.constant([float(k) for k in range(32)])
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(x * x)
        tape.gradient(loss, x)

    lines = written(requested(program).named("loss"))
    assert "#1[31]" in lines[1]
    assert "#1[21]" not in lines[1]
    assert lines[3] == "and 22 more = 3311.0"


def test_missing_numbers_are_reported() -> None:
    def program() -> None:
        x = tf.Variable(tf.ones([100, 100]))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(x * x)
        tape.gradient(loss, x)

    expansion = requested(program).named("loss")
    assert expansion.word == ("Its terms are not known: the tensor is too large for the trace.")


def test_custom_gradient_rule_is_not_guessed() -> None:
    def program() -> None:
        @tf.custom_gradient
        def passed(x: Any) -> Any:
            return tf.identity(x), lambda dy: dy * 7.0

        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            loss = passed(x)
        tape.gradient(loss, x)

    for expansion in requested(program).results():
        assert expansion.number == 7.0
        assert "its gradient rule is defined in the program" in expansion.word

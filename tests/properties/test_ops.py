"""The laws of `laws/`, for each op on shapes that hypothesis draws: empty, scalar, broadcast, of many axes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import test_batching as batching
from laws import test_gradients as gradients
from properties.shapes import samples_of
from samples import SAMPLES, Sample

import minitape as tf

OPS = sorted({sample.op for sample in SAMPLES})
Law = Callable[[Sample], None]


def for_each_op(law: Law) -> Any:
    """The law as a test with a few drawn samples of each op."""

    @pytest.mark.together("op", OPS, parts=4, one_in=5)
    @settings(max_examples=max(settings.default.max_examples // 40, 1))
    @given(data=st.data())
    def test(op: str, data: st.DataObject) -> None:
        law(data.draw(samples_of(op)))

    test.__doc__ = law.__doc__
    return test


test_a_vjp_is_the_slope = for_each_op(gradients.test_a_vjp_is_the_slope)
test_a_vjp_can_be_differentiated_again = for_each_op(
    gradients.test_a_vjp_can_be_differentiated_again
)
test_plain_arrays_stay_plain = for_each_op(gradients.test_plain_arrays_stay_plain)
test_nothing_is_written_to = for_each_op(gradients.test_nothing_is_written_to)
test_a_rule_reads_no_more_than_it_says = for_each_op(
    gradients.test_a_rule_reads_no_more_than_it_says
)
test_an_op_of_stacks_equals_a_loop = for_each_op(batching.test_an_op_of_stacks_equals_a_loop)
test_a_rule_of_many_cotangents_equals_a_loop = for_each_op(
    batching.test_a_rule_of_many_cotangents_equals_a_loop
)
test_a_rule_of_many_cotangents_can_be_recorded = for_each_op(
    batching.test_a_rule_of_many_cotangents_can_be_recorded
)
test_a_rule_of_stacks_throughout_equals_a_loop = for_each_op(
    batching.test_a_rule_of_stacks_throughout_equals_a_loop
)


def a_cotangent_keeps_shape_and_dtype(sample: Sample) -> None:
    gradients.test_a_cotangent_has_the_shape_and_dtype_of_its_input(sample, np.float32)


test_a_cotangent_has_the_shape_and_dtype_of_its_input = for_each_op(
    a_cotangent_keeps_shape_and_dtype
)


def all_rows_at_once_equal_row_by_row(sample: Sample) -> None:
    """The Jacobian of each output for each input, on a tape: one backward pass with stacked seeds, and one for each row."""
    inputs = [tf.constant(x) for x in sample.inputs]
    sources = [x for x in inputs if x.dtype.is_floating]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(sources)
        outputs = sample.run(*inputs)
    for y in outputs if isinstance(outputs, tuple) else (outputs,):
        if not y.dtype.is_floating:
            continue
        at_once = tape.jacobian(y, sources)
        by_row = tape.jacobian(y, sources, experimental_use_pfor=False)
        for x, together, looped in zip(sources, at_once, by_row, strict=True):
            assert (together is None) == (looped is None)
            if together is not None:
                assert together.shape == (*y.shape, *x.shape)
                np.testing.assert_allclose(together, looped, **batching.TOLERANCE)


test_all_rows_at_once_equal_row_by_row = for_each_op(all_rows_at_once_equal_row_by_row)

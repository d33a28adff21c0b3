"""The law of forward mode: it agrees with reverse mode, ⟨ȳ, jvp(ẋ)⟩ = ⟨vjp(ȳ), ẋ⟩, for every op.

The bracket is the real part of the sum of products: the change of a real target, for complex numbers too.
"""

from typing import Any

import numpy as np
import pytest
from samples import Sample, cotangent

from minitape.autodiff.forward import ForwardAccumulator, _pushed
from minitape.core.recorders import Record
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import Tensor
from minitape.core.values import ShapeDtype

# Two sums of the same products in another order.
TOLERANCE = {"rtol": 1e-10, "atol": 1e-11}


def tangents(sample: Sample) -> dict[int, Any]:
    return {
        position: cotangent(sample.inputs[position], seed=position) for position in sample.smooth
    }


def pushed(sample: Sample, moving: dict[int, Any]) -> Any:
    """The jvp of each output for tangents of some inputs; None for an output that does not depend on them."""
    values = [Tensor(x) for x in sample.inputs]
    primals = [values[position] for position in moving]
    with ForwardAccumulator(primals, [Tensor(dx) for dx in moving.values()]) as accumulator:
        y = sample.run(*values)
    return accumulator.jvp(y)


def paired(ybar: Any, dy: Any) -> float:
    if isinstance(ybar, tuple):
        return sum(paired(*each) for each in zip(ybar, dy, strict=True))
    return 0.0 if ybar is None or dy is None else float(np.sum(ybar * dy.numpy()).real)


def test_forward_and_reverse_agree_for_each_input(sample_to_any_order: Sample) -> None:
    sample = sample_to_any_order
    y = sample.run()
    ybar = cotangent(y)
    for position, dx in tangents(sample).items():
        forward = paired(ybar, pushed(sample, {position: dx}))
        xbar = sample.vjp(position, ybar, y, sample.inputs)
        np.testing.assert_allclose(forward, np.sum(xbar * dx).real, **TOLERANCE)


def test_tangents_of_several_inputs_add_up(sample_to_any_order: Sample) -> None:
    sample = sample_to_any_order
    y = sample.run()
    ybar, moving = cotangent(y), tangents(sample)
    together = paired(ybar, pushed(sample, moving))
    alone = [paired(ybar, pushed(sample, {position: dx})) for position, dx in moving.items()]
    np.testing.assert_allclose(together, sum(alone), **TOLERANCE)


def test_tangent_has_shape_and_dtype_of_its_value(sample_to_any_order: Sample) -> None:
    sample = sample_to_any_order
    y = sample.run()
    dy = pushed(sample, tangents(sample))
    for value, tangent in zip(*(x if isinstance(x, tuple) else (x,) for x in (y, dy)), strict=True):
        if tangent is not None:
            assert (tangent.shape, tangent._array.dtype) == (value.shape, value.dtype)


def test_output_of_op_without_gradient_has_no_tangent(
    sample_that_ends: Sample,
) -> None:
    assert pushed(sample_that_ends, tangents(sample_that_ends)) is None


def test_op_without_rule_raises_in_forward_mode(sample_not_transposed: Sample) -> None:
    with pytest.raises(LookupError):
        pushed(sample_not_transposed, tangents(sample_not_transposed))


# --- ops for which TensorFlow has no rule ---

MISSING = sorted(name for name, op in PRIMITIVES.items() if op.gradient == "missing")


def ran(name: str, dtype: Any) -> Record:
    """A record of the op with one input that has a tangent, and an output of the given dtype."""
    number = ShapeDtype((), np.dtype(np.float64))
    return Record(PRIMITIVES[name], (1,), (2,), (number,), ShapeDtype((), np.dtype(dtype)), {})


@pytest.mark.together("name", MISSING)
@pytest.mark.parametrize("dtype", [np.bool_, np.int32, object])
def test_non_float_output_has_no_tangent(name: str, dtype: Any) -> None:
    """A Boolean, a count or a string has no tangent: its tangent is None, and no error is raised for it."""
    tangent = Tensor(np.float64(1.0))
    assert list(_pushed(ran(name, dtype), {0: tangent})) == [None]


@pytest.mark.together("name", MISSING)
def test_missing_rule_raises_in_forward_mode(name: str) -> None:
    with pytest.raises(LookupError, match=name):
        _pushed(ran(name, np.float64), {0: Tensor(np.float64(1.0))})

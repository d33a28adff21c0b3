"""The law of forward mode: it is reverse mode seen from the other end, ⟨ȳ, jvp(ẋ)⟩ = ⟨vjp(ȳ), ẋ⟩, for every op.

The bracket is the real part of the sum of products: how a real target moves, for complex numbers too.
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
    """The jvp of each output when some of the inputs move; None where nothing does."""
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


def test_a_tangent_has_the_shape_and_dtype_of_its_value(sample_to_any_order: Sample) -> None:
    sample = sample_to_any_order
    y = sample.run()
    dy = pushed(sample, tangents(sample))
    for value, tangent in zip(*(x if isinstance(x, tuple) else (x,) for x in (y, dy)), strict=True):
        if tangent is not None:
            assert (tangent.shape, tangent._array.dtype) == (value.shape, value.dtype)


def test_what_cannot_be_transposed_is_not_pushed(
    sample_that_ends: Sample,
) -> None:
    assert pushed(sample_that_ends, tangents(sample_that_ends)) is None


def test_what_has_no_rule_to_transpose_is_refused(sample_not_transposed: Sample) -> None:
    with pytest.raises(LookupError):
        pushed(sample_not_transposed, tangents(sample_not_transposed))


# --- ops for which TensorFlow has no rule ---

MISSING = sorted(name for name, op in PRIMITIVES.items() if op.gradient == "missing")


def ran(name: str, dtype: Any) -> Record:
    """A record of the op with one moving input, and an output of a dtype."""
    number = ShapeDtype((), np.dtype(np.float64))
    return Record(PRIMITIVES[name], (1,), (2,), (number,), ShapeDtype((), np.dtype(dtype)), {})


@pytest.mark.together("name", MISSING)
@pytest.mark.parametrize("dtype", [np.bool_, np.int32, object])
def test_what_is_no_quantity_has_no_tangent(name: str, dtype: Any) -> None:
    """A truth, a count or a text does not move: whoever asks how gets None, and whoever only passes by is not stopped."""
    tangent = Tensor(np.float64(1.0))
    assert list(_pushed(ran(name, dtype), {0: tangent})) == [None]


@pytest.mark.together("name", MISSING)
def test_a_missing_rule_is_said_in_forward_mode_too(name: str) -> None:
    with pytest.raises(LookupError, match=name):
        _pushed(ran(name, np.float64), {0: Tensor(np.float64(1.0))})

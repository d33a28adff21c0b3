"""The laws of a vjp: it equals the derivative, to first and second order, for every valid input."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from samples import Sample, cotangent

import minitape as tf
from minitape.core.declaration import (
    READS_INPUT,
    READS_OUTPUT,
    EveryInput,
    inputs_read,
    output_read,
)
from minitape.core.values import ARRAY_TYPES, ShapeDtype

STEP = 1e-6
# A central difference errs by about the square of its step, and by the last digits of y over the step: both are below 1e-9
# for numbers of size 1. The samples' derivatives are up to some hundreds.
TOLERANCE = {"rtol": 1e-7, "atol": 1e-7}


def inner(xs: Any, ys: Any) -> float:
    """⟨xs, ys⟩: the sum of all products, None counting as 0; for complex numbers the real part."""
    if isinstance(xs, tuple):
        return sum(inner(x, y) for x, y in zip(xs, ys, strict=True))
    return 0.0 if xs is None or ys is None else float(np.real(np.sum(xs * ys)))


def directions(x: Any) -> Iterator[Any]:
    """Directions in which to perturb x; a wrong rule would have to be wrong orthogonally to all of them."""
    for seed in range(3):
        real, imag = np.random.default_rng(seed).normal(size=(2, *x.shape))
        yield (real + 1j * imag if x.dtype.kind == "c" else real)[()]


def replaced(values: Any, position: int, value: Any) -> Any:
    return (*values[:position], value, *values[position + 1 :])


def test_vjp_equals_finite_difference(sample: Sample) -> None:
    """⟨vjp(ȳ), ẋ⟩ = ⟨ȳ, the change of y when x changes along ẋ⟩."""
    xs, y = sample.inputs, sample.run()
    ybar = cotangent(y)
    for position in sample.smooth:
        xbar = sample.vjp(position, ybar, y, xs)
        for along in directions(xs[position]):
            ahead = sample.run(*replaced(xs, position, xs[position] + STEP * along))
            behind = sample.run(*replaced(xs, position, xs[position] - STEP * along))
            change = (inner(ahead, ybar) - inner(behind, ybar)) / (2 * STEP)
            np.testing.assert_allclose(inner(xbar, along), change, **TOLERANCE)


def test_vjp_can_be_differentiated_again(sample_to_any_order: Sample) -> None:
    """A rule is made of ops, so a tape that records it returns the second derivative: for each input, and for ȳ."""
    sample = sample_to_any_order
    xs, y = sample.inputs, sample.run()
    ybar = cotangent(y)
    for position in sample.smooth:
        zbar = cotangent(sample.vjp(position, ybar, y, xs), seed=9)
        second = through_a_tape(sample, position, ybar, zbar)

        def z_along(ybar: Any, xs: Any, position: int = position, zbar: Any = zbar) -> float:
            return inner(sample.vjp(position, ybar, sample.run(*xs), xs), zbar)

        for other in sample.smooth:
            for along in directions(xs[other]):
                ahead = z_along(ybar, replaced(xs, other, xs[other] + STEP * along))
                behind = z_along(ybar, replaced(xs, other, xs[other] - STEP * along))
                change = (ahead - behind) / (2 * STEP)
                np.testing.assert_allclose(inner(second[1][other], along), change, **TOLERANCE)
        # z is linear in ȳ, so its derivative along ȳ itself is z.
        np.testing.assert_allclose(inner(second[0], ybar), z_along(ybar, xs), **TOLERANCE)


def test_second_derivative_is_equal_in_forward_and_reverse_mode(
    sample_to_any_order: Sample,
) -> None:
    """Forward mode through a vjp, and a tape over it: ⟨z̄, jvp of the vjp⟩ = ⟨vjp of the vjp, ẋ⟩, for each pair of inputs."""
    sample = sample_to_any_order
    xs, y = sample.inputs, sample.run()
    ybar = cotangent(y)
    for position in sample.smooth:
        zbar = cotangent(sample.vjp(position, ybar, y, xs), seed=9)
        _, backward = through_a_tape(sample, position, ybar, zbar)
        for other in sample.smooth:
            dx = cotangent(xs[other], seed=other)
            moved = slope_pushed(sample, position, ybar, other, dx)
            np.testing.assert_allclose(
                inner(moved, zbar), inner(backward[other], dx), rtol=1e-9, atol=1e-9
            )


def slope_pushed(sample: Sample, position: int, ybar: Any, other: int, dx: Any) -> Any:
    """The tangent of the vjp of one input for a tangent of another input."""
    values = tuple(tf.constant(x) for x in sample.inputs)
    with tf.autodiff.ForwardAccumulator(values[other], tf.constant(dx)) as accumulator:
        z = sample.vjp(position, as_tensors(ybar), sample.run(*values), values)
    moved = accumulator.jvp(z)
    return None if moved is None else moved.numpy()


def test_vjp_that_ends_the_path_has_gradient_none(sample_that_ends: Sample) -> None:
    by_ybar, by_inputs = taped_again(sample_that_ends)
    assert by_ybar is None
    assert all(each is None for each in by_inputs)


def test_vjp_without_second_order_rule_raises(sample_that_refuses: Sample) -> None:
    with pytest.raises(LookupError):
        taped_again(sample_that_refuses)


def taped_again(sample: Sample) -> tuple[Any, list[Any]]:
    """What `through_a_tape` returns for the first input."""
    y = sample.run()
    ybar = cotangent(y)
    zbar = cotangent(sample.vjp(0, ybar, y, sample.inputs), seed=9)
    return through_a_tape(sample, 0, ybar, zbar)


def through_a_tape(sample: Sample, position: int, ybar: Any, zbar: Any) -> tuple[Any, list[Any]]:
    """The gradients of z = vjp(ȳ, x) that a tape computes: for ȳ, and for each input."""
    inputs = tuple(tf.constant(x) for x in sample.inputs)
    seeds = as_tensors(ybar)
    with tf.GradientTape(persistent=True) as tape:
        for each in (*inputs, *(seeds if isinstance(seeds, tuple) else (seeds,))):
            if each is not None and each.dtype.is_differentiable:
                tape.watch(each)
        z = sample.vjp(position, seeds, sample.run(*inputs), inputs)
    sources = [x if x.dtype.is_differentiable else None for x in inputs]
    seed = tf.constant(np.conj(zbar))  # the inputs and outputs of a tape are conjugated

    def by(source: Any) -> Any:
        if isinstance(source, tuple):
            return tuple(map(by, source))
        found = None if source is None else tape.gradient(z, source, output_gradients=seed)
        return None if found is None else np.conj(tf.convert_to_tensor(found).numpy())

    return by(seeds), [by(source) for source in sources]


def as_tensors(ybar: Any) -> Any:
    if isinstance(ybar, tuple):
        return tuple(map(as_tensors, ybar))
    return None if ybar is None else tf.constant(ybar)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_cotangent_has_shape_and_dtype_of_its_input(sample: Sample, dtype: Any) -> None:
    """Broadcasting is undone, and no constant in a rule widens a float."""
    sample = sample.in_dtype(dtype)
    y = sample.run()
    for position in sample.smooth:
        xbar = sample.vjp(position, cotangent(y), y, sample.inputs)
        x = sample.inputs[position]
        assert (xbar.shape, xbar.dtype) == (x.shape, x.dtype)


def test_vjp_of_arrays_returns_arrays(sample: Sample) -> None:
    """While no tape records, the backward pass uses NumPy alone."""
    y = sample.run()
    for each in y if isinstance(y, tuple) else (y,):
        assert type(each) in ARRAY_TYPES
    for position in sample.smooth:
        assert type(sample.vjp(position, cotangent(y), y, sample.inputs)) in ARRAY_TYPES


def frozen(value: Any) -> Any:
    """The same values, read-only: writing to them raises an error."""
    if isinstance(value, tuple):
        return tuple(map(frozen, value))
    if type(value) is np.ndarray:
        value = value.copy()
        value.flags.writeable = False
    return value


def test_op_and_vjp_do_not_write_to_their_inputs(sample: Sample) -> None:
    """Values and cotangents are shared by many ops, and with the user."""
    xs = frozen(sample.inputs)
    y = frozen(sample.run(*xs))
    for position in sample.smooth:
        sample.vjp(position, frozen(cotangent(y)), y, xs)


def test_op_declared_zero_gradient_returns_zeros(sample: Sample) -> None:
    """The explainer relies on this declaration."""
    y = sample.run()
    sent = [sample.vjp(position, cotangent(y), y, sample.inputs) for position in sample.smooth]
    says_zero = sample.primitive.gradient == "zero"
    assert says_zero == (not any(np.any(xbar) for xbar in sent))


# --- residuals ---


def outlined(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(outlined, value))
    return ShapeDtype(value.shape, value.dtype)


def saved(sample: Sample, y: Any, residual_masks: int) -> tuple[Any, Any]:
    """Output and inputs as a tape would pass them to a rule that reads only these."""
    read = inputs_read(residual_masks, len(sample.inputs))
    xs = tuple(x if i in read else outlined(x) for i, x in enumerate(sample.inputs))
    return (y if output_read(residual_masks) else outlined(y)), xs


def test_rule_reads_only_its_residuals(sample: Sample) -> None:
    """What `residuals` omits may be freed by the time the rule runs: only its shape and dtype are left."""
    y = sample.run()
    ybar = cotangent(y)
    for position in sample.smooth:
        remembered_y, remembered = saved(sample, y, sample.primitive.residual_masks[position])
        with_less = sample.vjp(position, ybar, remembered_y, remembered)
        np.testing.assert_array_equal(with_less, sample.vjp(position, ybar, y, sample.inputs))


def test_rule_reads_all_of_its_residuals(sample: Sample) -> None:
    """What `residuals` names is kept in memory until the backward pass, so the rule must need it."""
    y = sample.run()
    primitive = sample.primitive
    for position in sample.smooth:
        residual_masks = primitive.residual_masks[position]
        flags = (*READS_INPUT[: len(sample.inputs)], READS_OUTPUT)
        for flag in [each for each in flags if residual_masks & each]:
            # Where one rule serves every input, its residuals are declared for any of them.
            rules = sample.smooth if isinstance(primitive.rules, EveryInput) else [position]
            assert any(fails_without(sample, y, other, residual_masks & ~flag) for other in rules)


def fails_without(sample: Sample, y: Any, position: int, residual_masks: int) -> bool:
    remembered_y, remembered = saved(sample, y, residual_masks)
    try:
        sample.vjp(position, cotangent(y), remembered_y, remembered)
    except (TypeError, AttributeError, ValueError):
        return True
    return False

"""All that can be asked of an op at once: value, gradient, second gradient, forward mode.

What TensorFlow refuses is part of the answer: the name of the exception stands where the numbers would.
"""

from collections.abc import Callable
from typing import Any

from programs.case import Program

REFUSALS = (LookupError, NotImplementedError, ValueError)


def weighted_sum(tf: Any, np: Any, y: Any) -> Any:
    """A real scalar in which each element has a weight of its own, so that no mix-up goes unseen."""
    parts = [tf.math.real(y), tf.math.imag(y)] if y.dtype.is_complex else [y]
    total = 0.0
    for turn, part in enumerate(parts):
        size = int(np.prod(part.shape))
        weights = np.arange(1.0 + turn, size + 1.0 + turn).reshape(part.shape) / max(size, 1)
        total += tf.reduce_sum(part * tf.constant(weights, part.dtype))
    return total


def or_refused(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except REFUSALS as error:
        kind = next(each for each in REFUSALS if isinstance(error, each))
        return f"raises {kind.__name__}"


def slopes(
    op: Callable[..., Any],
    *inputs: Any,
    dtype: str = "float64",
    second: bool = True,
    forward: bool = True,
) -> Program:
    """The program that asks all of `op(tf, *tensors)`; inputs that are no lists go in as they are."""

    def program(tf: Any, np: Any) -> Any:
        xs = [
            tf.constant(each, getattr(tf, dtype)) if isinstance(each, list | float) else each
            for each in inputs
        ]
        watched = [x for x in xs if tf.is_tensor(x)]
        answers: dict[str, Any] = {}
        with tf.GradientTape() as outer:
            outer.watch(watched)
            with tf.GradientTape(persistent=True) as inner:
                inner.watch(watched)
                ys = op(tf, *xs)
                parts = list(ys) if isinstance(ys, list | tuple) else [ys]
                smooth = [y for y in parts if y.dtype.is_floating or y.dtype.is_complex]
                # A square, so that the second order is not zero where the op is linear.
                loss = sum(weighted_sum(tf, np, y * y) for y in smooth)
            first = or_refused(lambda: inner.gradient(loss, watched))
            slope = 0.0
            if isinstance(first, list):
                found = [each for each in first if each is not None]
                slope = sum(weighted_sum(tf, np, tf.convert_to_tensor(each)) for each in found)
        answers["value"] = ys
        answers["gradient"] = first
        if second and tf.is_tensor(slope):
            answers["second"] = or_refused(lambda: outer.gradient(slope, watched))
        if forward:
            answers["forward"] = or_refused(lambda: _pushed(tf, np, op, xs, watched))
        return answers

    return program


def _pushed(tf: Any, np: Any, op: Callable[..., Any], xs: list[Any], watched: list[Any]) -> Any:
    tangents = []
    for x in watched:
        numbers = np.arange(1.0, np.size(x.numpy()) + 1).reshape(x.shape) / 7
        tangents.append(tf.constant(np.sin(numbers), x.dtype))
    with tf.autodiff.ForwardAccumulator(watched, tangents) as accumulator:
        ys = op(tf, *xs)
    parts = list(ys) if isinstance(ys, list | tuple) else [ys]
    return [accumulator.jvp(y) for y in parts]

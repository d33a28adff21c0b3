"""The checks of lesson 1."""

import minitape as tf
from minitape.course.failing import Failed
from minitape.trace import events


def measured(f, at, step=0.01):
    """Return the slope of f at a point, computed as rise over run in float64."""
    low, high = (tf.constant(at + move, tf.float64) for move in (-step, step))
    return (float(f(high)) - float(f(low))) / (2 * step)


def by_tape(f, at):
    x = tf.Variable(at)
    with tf.GradientTape() as tape:
        y = f(x)
    if not tf.is_tensor(y):
        raise Failed(
            f"`f({at:.4g})` returned a {type(y).__name__}, but a tape follows only tensors.",
            fix="compute the result of `f` from its `x`, with `+ - * / **` or with ops from `tf`",
        )
    return tape.gradient(y, x)


def has_slope_27_at_3(student, draw):
    """at 3 the slope is 27"""
    slope = by_tape(student.f, 3.0)
    if slope is None:
        raise Failed(
            "The slope of `f` at 3 is None, because the result of `f` does not depend on its `x`.",
            fix="use `x` in the value that `f` returns",
        )
    if abs(float(slope) - 27.0) > 0.01:
        raise Failed(
            f"The slope of `f` at 3 should be 27, but it is {float(slope):.6g}.",
            fix="take the derivative of your `f` on paper, insert x = 3, and change the factor that is too large or too small",
        )


def is_no_line(student, draw):
    """at other points, the slope is different"""
    at = float(draw.uniform([], 3.5, 6.0))
    slope = by_tape(student.f, at)
    if slope is None or abs(float(slope) - 27.0) < 0.01:
        raise Failed(
            f"`f` is a straight line: at {at:.4g}, its slope is 27 too.",
            fix="use `x` twice in a product, or use a power of `x`",
        )


def touches(student, draw):
    """the line touches `f`, for random functions and points"""
    for _ in range(3):
        a, b, c, at = (float(draw.uniform([], low, 2.0)) for low in (0.5, -2.0, 0.5, -2.0))

        def f(x, a=a, b=b, c=c):
            return a * x * x + b * x + tf.sin(c * x)

        told = f"a·x² + b·x + sin(c·x) with a={a:.4g}, b={b:.4g}, c={c:.4g}, at {at:.4g}"
        answer = student.tangent(f, at)
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise Failed(
                f"`tangent` should return two numbers, but it returned `{answer!r}`.",
                fix="end the function with `return slope, intercept`",
            )
        if any(each is None for each in answer):
            raise Failed(
                f"For {told}, a number of the tangent is None, because the tape did not follow `x`.",
                fix="make `x` a `tf.Variable`, or call `tape.watch(x)` in the block before you compute `f(x)`",
            )
        slope, intercept = (float(each) for each in answer)
        wanted = measured(f, at, 1e-4)
        if abs(slope - wanted) > 2e-3 * max(1.0, abs(wanted)):
            raise Failed(
                f"For {told}, rise over run gives the slope {wanted:.5g}, but your slope is {slope:.5g}.",
                fix="ask a tape for the gradient of `f(x)` with respect to `x`, where `x` holds the value of `at`",
            )
        height = float(f(tf.constant(at, tf.float64)))
        if abs(slope * at + intercept - height) > 2e-3 * max(1.0, abs(height)):
            raise Failed(
                f"For {told}, your line has the right slope. At {at:.4g}, however, the height of your line is "
                f"{slope * at + intercept:.5g}, and the height of `f` is {height:.5g}.",
                fix="solve slope · at + intercept = f(at) for the intercept",
            )


def comes_from_a_tape(student, draw):
    """the slope comes from a tape"""
    at = draw.uniform([], 0.5, 2.0)
    with tf.debug.record() as recording:
        student.tangent(lambda x: x * x, at)
    if not recording.trace.of(events.GradientEvent):
        raise Failed(
            "Your function did not ask a tape for a gradient, so its slope comes from somewhere else.",
            fix="compute `f(x)` in a block `with tf.GradientTape() as tape:`, and then call `tape.gradient(y, x)`",
        )

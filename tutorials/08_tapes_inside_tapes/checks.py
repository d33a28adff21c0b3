"""The checks of lesson 8, by finite differences in float64."""

import numpy as np

import minitape as tf
from minitape.course.failing import Failed
from minitape.trace import events


def close(found, expected):
    return np.allclose(np.asarray(found), expected, rtol=5e-3, atol=5e-3)


def told(found):
    if found is None:
        return "None"
    return np.array2string(np.asarray(found), precision=4, separator=", ")


def bends_of_any_curve(student, draw):
    """The slope of a random curve, and the slope of the slope."""
    for _ in range(3):
        p, q, at = draw.uniform((), 0.5, 2.0), draw.uniform((), -2.0, 2.0), draw.uniform((), 0.5, 2.0)

        def f(x, p=p, q=q):
            return p * x * x * x + q * x * x

        def by_hand(x, p=p, q=q):
            return p * x**3 + q * x**2

        h = 1e-3
        slope = (by_hand(at + h) - by_hand(at - h)) / (2 * h)
        bend = (by_hand(at + h) - 2 * by_hand(at) + by_hand(at - h)) / h**2
        answer = student.two_slopes(f, tf.constant(at))
        curve = f"For {p:.3g}·x³ + {q:.3g}·x² at {at:.3g}"
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise Failed(f"two_slopes should return two slopes; it returned {answer!r}.", fix="return slope, slope_of_slope")
        for name, found, expected in (("slope", answer[0], slope), ("slope of the slope", answer[1], bend)):
            if found is None:
                raise Failed(
                    f"{curve}: the {name} is None; by finite differences it is {expected:.4g}.",
                    fix="check for each of the two tapes: does it watch x?",
                )
            if not close(found, expected):
                raise Failed(
                    f"{curve}: the {name} is {told(found)}; by finite differences it is {expected:.4g}.",
                    fix="ask the inner tape about y, and the outer one about the slope",
                )


def the_gradient_changes_along_v(student, draw):
    """The change of the gradient along v, by finite differences."""
    for _ in range(3):
        n = draw.whole(2, 4)
        x, v, k = draw.uniform((n,), -1.5, 1.5), draw.uniform((n,), -2.0, 2.0), draw.uniform((n,), 0.5, 2.0)

        def f(x, k=k):
            return tf.reduce_sum(k * x**3) + tf.reduce_sum(x) ** 2

        def gradient(x, k=k):
            return 3.0 * np.float64(k) * x**2 + 2.0 * np.sum(x)

        h, at, way = 1e-4, np.float64(x), np.float64(v)
        expected = (gradient(at + h * way) - gradient(at - h * way)) / (2 * h)
        found = student.along(f, tf.Variable(x), tf.constant(v))
        where = f"f(x) = sum(k·x³) + sum(x)², n = {n}, x = {told(x)}, v = {told(v)}"
        if found is None:
            raise Failed(f"{where}: along returned None.", fix="ask the inner tape inside the block of the outer one")
        if np.shape(found) != (n,):
            raise Failed(
                f"{where}: along returned the shape {np.shape(found)}; the Hessian times v has {n} entries, like v.",
                fix="compute one number from the gradient and v before you ask the outer tape",
            )
        if close(found, expected):
            continue
        seen = f"{where}: the gradient changes by {told(expected)}, and along returned {told(found)}."
        if close(found, gradient(at)):
            raise Failed(f"{seen} That is the gradient itself.", fix="a second tape must record how the gradient was computed")
        ones = (gradient(at + h) - gradient(at - h)) / (2 * h)
        if close(found, ones):
            raise Failed(f"{seen} That is the Hessian times (1, 1, ...).", fix="use v before you ask the outer tape")
        if close(found, ones * way):
            raise Failed(
                f"{seen} That multiplies by v too late, element by element.",
                fix="inside the outer block, compute one number: the sum of gradient times v",
            )
        raise Failed(seen, fix="let the outer tape differentiate the sum of gradient times v")


def the_hessian_is_never_computed(student, draw):
    """two backward passes, and no table of second derivatives"""
    n = 7
    x, v = tf.Variable(draw.uniform((n,), 0.5, 1.5)), tf.constant(draw.uniform((n,), -2.0, 2.0))
    with tf.debug.record() as recording:
        student.along(lambda x: tf.reduce_sum(x**3) + tf.reduce_sum(x) ** 2, x, v)
    calls = [each for each in recording.trace.of(events.GradientEvent) if each.inside is None]
    if any(each.api != "gradient" for each in calls):
        raise Failed(
            f"along computes a table of {n} × {n} numbers, and {n} are needed.",
            fix="make one number of the gradient and v first: then `gradient` is enough",
        )
    if len(calls) > 2:
        raise Failed(
            f"For {n} numbers, along asks its tapes {len(calls)} times; twice is enough for any size.",
            fix="ask the outer tape once, about one number",
        )

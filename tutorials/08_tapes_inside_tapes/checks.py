"""The checks of lesson 8, by finite differences in float64."""

import math

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
    """the derivative of a random curve, and its second derivative"""
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
            raise Failed(f"`two_slopes` should return two derivatives, but it returned `{answer!r}`.", fix="return the derivative and the second derivative")
        for name, found, expected in (("derivative", answer[0], slope), ("second derivative", answer[1], bend)):
            if found is None:
                raise Failed(
                    f"{curve}: the {name} is None, but by finite differences it is {expected:.4g}.",
                    fix="check for each of the two tapes whether it watches `x`",
                )
            if not close(found, expected):
                raise Failed(
                    f"{curve}: the {name} is {told(found)}, but by finite differences it is {expected:.4g}.",
                    fix="ask the inner tape for the gradient of `y`, and the outer tape for the gradient of this gradient",
                )


def the_gradient_changes_along_v(student, draw):
    """the change of the gradient along `v`, by finite differences"""
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
            raise Failed(f"{where}: `along` returned None.", fix="ask the inner tape inside the block of the outer tape")
        if np.shape(found) != (n,):
            raise Failed(
                f"{where}: `along` returned a result of shape {np.shape(found)}, but the Hessian times `v` has {n} entries, like `v`.",
                fix="compute one number from the gradient and `v` before you ask the outer tape",
            )
        if close(found, expected):
            continue
        seen = f"{where}: the gradient changes by {told(expected)}, but `along` returned {told(found)}."
        if close(found, gradient(at)):
            raise Failed(f"{seen} This is the gradient itself.", fix="let a second tape record how the gradient was computed")
        ones = (gradient(at + h) - gradient(at - h)) / (2 * h)
        if close(found, ones):
            raise Failed(f"{seen} This is the Hessian times (1, 1, ...).", fix="use `v` before you ask the outer tape")
        if close(found, ones * way):
            raise Failed(
                f"{seen} Your code multiplies by `v` too late, element by element.",
                fix="compute one number inside the outer block: the sum of gradient times `v`",
            )
        raise Failed(seen, fix="let the outer tape differentiate the sum of gradient times `v`")


def the_hessian_is_never_computed(student, draw):
    """two backward passes, and no matrix of second derivatives"""
    n = 7
    x, v = tf.Variable(draw.uniform((n,), 0.5, 1.5)), tf.constant(draw.uniform((n,), -2.0, 2.0))
    with tf.debug.record() as recording:
        student.along(lambda x: tf.reduce_sum(x**3) + tf.reduce_sum(x) ** 2, x, v)
    calls = [each for each in recording.trace.of(events.GradientEvent) if each.inside is None]
    if any(each.api != "gradient" for each in calls):
        raise Failed(
            f"`along` computes a matrix of {n} × {n} numbers, but only {n} numbers are needed.",
            fix="first compute one number from the gradient and `v`, so that `gradient` is enough",
        )
    if len(calls) > 2:
        raise Failed(
            f"For {n} numbers, `along` asks its tapes {len(calls)} times, but twice is enough for any size.",
            fix="ask the outer tape once, for the gradient of one number",
        )


# --- payments that a tape records ---


def curve_of_values(student, draw):
    """Return a curve p·x³ + exp(q·x) for objects of class Value, a phrase for it, a point, and its first three derivatives there."""
    p, q, at = draw.uniform((), 0.5, 2.0), draw.uniform((), 0.5, 1.5), draw.uniform((), 0.5, 1.5)

    def f(x):
        return p * x * x * x + student.exp(q * x)

    e = math.exp(q * at)
    derivatives = [3 * p * at**2 + q * e, 6 * p * at + q**2 * e, 6 * p + q**3 * e]
    return f, f"{p:.3g}·x³ + exp({q:.3g}·x) at {at:.3g}", at, derivatives


def exact(what, found, wanted, fix, fix_none):
    """Raise unless a Value has the expected number; a tape computes it exactly, unlike finite differences."""
    if found is None:
        raise Failed(f"{what} should be {wanted:.6g}, but it is None.", fix=fix_none)
    if not hasattr(found, "number"):
        raise Failed(f"{what} should be a `Value`, but it is {found!r}.", fix="return what the tape returns, without a conversion")
    if not math.isclose(found.number, wanted, rel_tol=1e-10):
        if math.isclose(found.number, wanted, rel_tol=1e-4):
            fix = "do not use differences of two values, which have an error, but ask tapes, which are exact"
        raise Failed(f"{what} should be {wanted:.9g}, but it is {found.number:.9g}.", fix=fix)


def values_have_their_slope(student, draw):
    """the first derivative is correct, and `exp` has a record"""
    f, curve, at, (wanted, _, _) = curve_of_values(student, draw)
    x = student.Value(at)
    with student.Tape() as tape:
        y = student.exp(x)
    none = "let `exp` write a record, because without a record no path leads back through `exp`"
    exact(f"The derivative of exp at {at:.4g}", tape.gradient(y, x), math.exp(at), "remember from lesson 2, exercise 3, that `exp` keeps its output", none)
    if len(tape.records) != 1:
        raise Failed(f"One call to `exp` wrote {len(tape.records)} records.", fix="write one record for one op, and use what `exp` has already computed")
    with student.Tape() as tape:
        y = f(x)
    fix = "work out what each op pays to its inputs if its output receives 1"
    exact(f"The derivative of {curve}", tape.gradient(y, x), wanted, fix, fix)


def payments_are_recorded(student, draw):
    """an outer tape around the backward pass differentiates the payments of `mul` and `exp`"""
    at = draw.uniform((), 0.5, 1.5)
    fix = "find the `Value` that holds this number, because a record of plain numbers gives the outer tape no path back"
    for name, f, first, wanted in (("x · x", lambda x: x * x, 2.0 * at, 2.0), ("exp", student.exp, *[math.exp(at)] * 2)):
        x = student.Value(at)
        with student.Tape() as outer:
            with student.Tape() as inner:
                y = f(x)
            slope = inner.gradient(y, x)
        none = f"work out what {name} pays to `x` if its output receives 1"
        exact(f"The derivative of {name} at {at:.4g}", slope, first, none, none)
        exact(f"The second derivative of {name} at {at:.4g}", outer.gradient(slope, x), wanted, fix, fix)


def second_asks_two_tapes(student, draw):
    """`second` returns the second derivative, and a third tape can differentiate it"""
    f, curve, at, (_, wanted, third) = curve_of_values(student, draw)
    fix = "ask the inner tape for the derivative of `f`, and the outer tape for the derivative of this derivative"
    none = "keep the outer tape open while the inner tape answers"
    exact(f"The result of `second` for {curve}", student.second(f, student.Value(at)), wanted, fix, none)
    x = student.Value(at)
    with student.Tape() as tape:
        found = student.second(f, x)
    fix = "compute the second derivative only with objects of the class `Value` and with tapes"
    exact(f"The derivative of `second` for {curve}", tape.gradient(found, x), third, fix, fix)


def a_line_does_not_bend(student, draw):
    """the second derivative of a line is None, as on a real tape"""
    slope = draw.uniform((), 1.5, 4.0)
    found = student.second(lambda x: slope * x, student.Value(1.0))
    if found is not None:
        raise Failed(
            f"The derivative of {slope:.3g}·x does not depend on `x`, so `second` should return None, as a real tape does. "
            f"But it returned {getattr(found, 'number', found)!r}.",
            fix="return what the outer tape returns",
        )

"""The checks of lesson 11."""

import numpy as np

import minitape as tf
from minitape.course.failing import Failed


def by_tape(f, at):
    """The value and the gradient of the student's f at a point."""
    x = tf.Variable(at)
    with tf.GradientTape() as tape:
        y = f(x)
    if not tf.is_tensor(y):
        raise Failed(
            f"At {at:.5g} the function returned a {type(y).__name__}, but a tape follows only tensors.",
            fix="return a tensor: compute with ops of tf",
        )
    return y, tape.gradient(y, x)


def same(what, at, wanted, found, fix):
    """Raise unless the number that was found is the one that was wanted."""
    if found is None:
        raise Failed(f"{what} at {at:.5g} should be {wanted:.5g}; it is None.", fix=fix)
    number = float(found)
    if not np.isclose(number, wanted, rtol=2e-3, atol=1e-5):
        raise Failed(f"{what} at {at:.5g} should be {wanted:.5g}; it is {number:.5g}.", fix=fix)


# --- ex1 ---


def survives_large_numbers(student, draw):
    """Loss and slope are right from -300 to 300."""
    for low, high in ((-300.0, -95.0), (-3.0, 3.0), (95.0, 300.0)):
        at = float(draw.uniform([], low, high))
        value, slope = by_tape(student.loss, at)
        fix = "follow z = " + f"{at:.5g}" + " through your lines: which one becomes inf, or loses z?"
        same("The loss", at, np.logaddexp(0.0, -at), value, fix)
        same("The slope of the loss", at, -np.exp(-np.logaddexp(0.0, at)), slope, fix)
    _, slope = by_tape(student.loss, 0.0)
    fix = "the curve is smooth there, but a part of your formula has a kink: give the slope its own formula"
    same("The slope of the loss", 0.0, -0.5, slope, fix)


def works_in_the_middle(student, draw):
    """The rule multiplies by the gradient that it receives."""
    at, factor = float(draw.uniform([], -2.0, 2.0)), float(draw.uniform([], 2.0, 5.0))
    _, slope = by_tape(lambda z: factor * student.loss(z), at)
    wanted = -factor * np.exp(-np.logaddexp(0.0, at))
    fix = "ybar is not always 1: what must the rule do with it?"
    same(f"The slope of {factor:.4g} · loss", at, wanted, slope, fix)


# --- ex2 ---


def root_has_its_slope(student, draw):
    """The root and its slope are right, at negative numbers too."""
    for low, high in ((0.5, 20.0), (-20.0, -0.5)):
        at = float(draw.uniform([], low, high))
        value, slope = by_tape(student.cube_root, at)
        same("The cube root", at, np.cbrt(at), value, "np.cbrt supports negative numbers, ** does not")
        fix = "solve 3 s² · ds = dx for ds/dx; s² is positive even where x is negative"
        same("Its slope", at, np.cbrt(at) / (3.0 * at), slope, fix)


def root_works_in_the_middle(student, draw):
    """The rule multiplies by the gradient that it receives."""
    at, factor = float(draw.uniform([], 0.5, 3.0)), float(draw.uniform([], 2.0, 5.0))
    _, slope = by_tape(lambda x: factor * student.cube_root(x * x), at)
    wanted = factor * (2.0 / 3.0) * at ** (-1.0 / 3.0)
    fix = "ybar is not always 1: what must the rule do with it?"
    same(f"The slope of {factor:.4g} · cube_root(x²)", at, wanted, slope, fix)


def root_has_a_second_slope(student, draw):
    """The gradient has a gradient, and it is right."""
    for low, high in ((0.5, 8.0), (-8.0, -0.5)):
        at = float(draw.uniform([], low, high))
        x = tf.Variable(at)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = student.cube_root(x)
            slope = inner.gradient(y, x)
        second = None if slope is None else outer.gradient(slope, x)
        fix = "compute s in the rule with an op that has a rule; you have just written one"
        same("The second derivative", at, -2.0 / 9.0 * np.cbrt(at) / at**2, second, fix)


# --- ex3 ---


def all_rules_tell_the_truth(student, draw):
    """Each rule is right in the middle of a program, where ybar is not 1."""
    at, factor = float(draw.uniform([], 0.5, 2.0)), float(draw.uniform([], 2.0, 5.0))
    values = {"square": at * at, "inverse": 1.0 / at, "growth": np.exp(at)}
    slopes = {"square": 2.0 * at, "inverse": -1.0 / at**2, "growth": np.exp(at)}
    for name, value in values.items():
        op = getattr(student, name)
        found, slope = by_tape(lambda x, op=op: factor * op(x), at)
        same(f"{factor:.4g} · {name}", at, factor * value, found, "keep the values as in the original file")
        fix = f"multiply the result of {name} by 3 and check again, by the tape and by finite differences"
        same(f"The slope of {factor:.4g} · {name}", at, factor * slopes[name], slope, fix)


# --- ex4 ---


def listed(numbers):
    return [float(f"{number:.4g}") for number in np.asarray(numbers)]


def entropy_owes_nothing_at_zero(student, draw):
    """Value and gradient are right, with a zero among the probabilities."""
    parts = draw.uniform([4], 0.1, 1.0)
    parts[draw.whole(0, 3)] = 0.0
    parts = (parts / parts.sum()).astype("float32")
    p = tf.Variable(parts)
    with tf.GradientTape() as tape:
        h = student.entropy(p)
    slope = tape.gradient(h, p)
    inside = np.where(parts > 0.0, parts, 1.0)
    told = f"For p = {listed(parts)}"
    true = -np.sum(parts * np.log(inside))
    if abs(float(h) - true) > 1e-4:
        raise Failed(
            f"{told} the entropy should be {true:.5g}; it is {float(h):.5g}.",
            fix="keep the outer `where`, and -p * log(p) where p > 0",
        )
    wanted = np.where(parts > 0.0, -np.log(inside) - 1.0, 0.0)
    found = None if slope is None else slope.numpy()
    if found is None or not np.allclose(found, wanted, atol=1e-3):
        shown = None if found is None else listed(found)
        raise Failed(
            f"{told} the gradient should be {listed(wanted)}; it is {shown}.",
            fix="look at the number that goes into the log where p is 0",
        )

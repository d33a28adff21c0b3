"""The checks of lesson 11."""

import math

import numpy as np

import minitape as tf
from minitape.course.failing import Failed


def by_tape(f, at):
    """Return the value and the gradient of the student's f at a point."""
    x = tf.Variable(at)
    with tf.GradientTape() as tape:
        y = f(x)
    if not tf.is_tensor(y):
        raise Failed(
            f"At {at:.5g}, the function returned a {type(y).__name__}, but a tape follows only tensors.",
            fix="compute with ops from `tf`, so that the function returns a tensor",
        )
    return y, tape.gradient(y, x)


def same(what, at, wanted, found, fix):
    """Raise unless the number that was found is the expected one."""
    if found is None:
        raise Failed(f"{what} at {at:.5g} should be {wanted:.5g}, but it is None.", fix=fix)
    number = float(found)
    if not np.isclose(number, wanted, rtol=2e-3, atol=1e-5):
        raise Failed(f"{what} at {at:.5g} should be {wanted:.5g}, but it is {number:.5g}.", fix=fix)


# --- ex1 ---


def survives_large_numbers(student, draw):
    """the loss and its derivative are correct from -300 to 300"""
    for low, high in ((-300.0, -95.0), (-3.0, 3.0), (95.0, 300.0)):
        at = float(draw.uniform([], low, high))
        value, slope = by_tape(student.loss, at)
        fix = "follow z = " + f"{at:.5g}" + " through your lines, and find the line that returns inf or loses `z`"
        same("The loss", at, np.logaddexp(0.0, -at), value, fix)
        same("The derivative of the loss", at, -np.exp(-np.logaddexp(0.0, at)), slope, fix)
    _, slope = by_tape(student.loss, 0.0)
    fix = "give the derivative its own formula, because a part of your formula has a kink where the curve is smooth"
    same("The derivative of the loss", 0.0, -0.5, slope, fix)


def works_in_the_middle(student, draw):
    """the rule multiplies by the gradient that it receives"""
    at, factor = float(draw.uniform([], -2.0, 2.0)), float(draw.uniform([], 2.0, 5.0))
    _, slope = by_tape(lambda z: factor * student.loss(z), at)
    wanted = -factor * np.exp(-np.logaddexp(0.0, at))
    fix = "work out what the rule must do with `ybar`, which is not always 1"
    same(f"The derivative of {factor:.4g} · loss", at, wanted, slope, fix)


# --- ex2 ---


def root_has_its_slope(student, draw):
    """the root and its derivative are correct, also for negative numbers"""
    for low, high in ((0.5, 20.0), (-20.0, -0.5)):
        at = float(draw.uniform([], low, high))
        value, slope = by_tape(student.cube_root, at)
        same("The cube root", at, np.cbrt(at), value, "use `np.cbrt`, which supports negative numbers, instead of `**`")
        fix = "solve 3 s² · ds = dx for ds/dx, and remember that s² is positive even where x is negative"
        same("The derivative of the cube root", at, np.cbrt(at) / (3.0 * at), slope, fix)


def root_works_in_the_middle(student, draw):
    """the rule multiplies by the gradient that it receives"""
    at, factor = float(draw.uniform([], 0.5, 3.0)), float(draw.uniform([], 2.0, 5.0))
    _, slope = by_tape(lambda x: factor * student.cube_root(x * x), at)
    wanted = factor * (2.0 / 3.0) * at ** (-1.0 / 3.0)
    fix = "work out what the rule must do with `ybar`, which is not always 1"
    same(f"The derivative of {factor:.4g} · cube_root(x²)", at, wanted, slope, fix)


def root_has_a_second_slope(student, draw):
    """the gradient has a gradient, and it is correct"""
    for low, high in ((0.5, 8.0), (-8.0, -0.5)):
        at = float(draw.uniform([], low, high))
        x = tf.Variable(at)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = student.cube_root(x)
            slope = inner.gradient(y, x)
        second = None if slope is None else outer.gradient(slope, x)
        fix = "compute `s` in the rule with an op that has a rule; you have just written one"
        same("The second derivative", at, -2.0 / 9.0 * np.cbrt(at) / at**2, second, fix)


# --- ex3 ---


def all_rules_tell_the_truth(student, draw):
    """each rule is correct in the middle of a program, where `ybar` is not 1"""
    at, factor = float(draw.uniform([], 0.5, 2.0)), float(draw.uniform([], 2.0, 5.0))
    values = {"square": at * at, "inverse": 1.0 / at, "growth": np.exp(at)}
    slopes = {"square": 2.0 * at, "inverse": -1.0 / at**2, "growth": np.exp(at)}
    for name, value in values.items():
        op = getattr(student, name)
        found, slope = by_tape(lambda x, op=op: factor * op(x), at)
        same(f"{factor:.4g} · {name}", at, factor * value, found, "restore the values of the original file")
        fix = f"multiply the result of `{name}` by 3, and check again with the tape and with finite differences"
        same(f"The derivative of {factor:.4g} · {name}", at, factor * slopes[name], slope, fix)


# --- ex4 ---


def listed(numbers):
    return [float(f"{number:.4g}") for number in np.asarray(numbers)]


def entropy_owes_nothing_at_zero(student, draw):
    """value and gradient are correct, with a zero among the probabilities"""
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
            f"{told}, the entropy should be {true:.5g}, but it is {float(h):.5g}.",
            fix="keep the outer `tf.where`, and keep `-p * log(p)` where p > 0",
        )
    wanted = np.where(parts > 0.0, -np.log(inside) - 1.0, 0.0)
    found = None if slope is None else slope.numpy()
    if found is None or not np.allclose(found, wanted, atol=1e-3):
        shown = None if found is None else listed(found)
        raise Failed(
            f"{told}, the gradient should be {listed(wanted)}, but it is {shown}.",
            fix="look at the number that the log receives where `p` is 0",
        )


# --- ex6 ---


def by_table(student, f, at, order=1):
    """Return the derivative of f at a number, of order 1 or 2, from the student's tape."""
    x = student.Value(at)
    with student.Tape() as outer:
        with student.Tape() as inner:
            y = f(x)
        slope = inner.gradient(y, x)
        if order == 1 or slope is None:
            return None if slope is None else float(getattr(slope, "number", slope))
    if not isinstance(slope, student.Value):
        raise Failed(f"A cotangent is `{slope!r}`.", fix="return objects of the class `Value` from a rule, as the ops do")
    bend = outer.gradient(slope, x)
    return None if bend is None else float(getattr(bend, "number", bend))


DERIVATIVES = {  # of each op with one input: the first and the second
    "sin": (math.cos, lambda x: -math.sin(x)),
    "cos": (lambda x: -math.sin(x), lambda x: -math.cos(x)),
    "exp": (math.exp, math.exp),
}


def rules_are_in_the_table(student, draw):
    """each op has a rule, and the rule uses `ybar`"""
    factor = draw.uniform([], 2.0, 4.0)
    for op, (first, _) in DERIVATIVES.items():
        at = draw.uniform([], 0.3, 1.2)
        rule = student.OPS[op][1]
        x, ybar = student.Value(at), student.Value(factor)
        y = student.run(op, x)
        try:
            answer = rule(ybar, y, x)
            (found,) = [float(getattr(each, "number", each)) for each in answer]
        except (TypeError, ValueError):
            raise Failed(
                f"The rule of `{op}` should return a list with one contribution.",
                fix="write a rule that takes `ybar`, `y` and the input, and returns a list as the rule of add does",
            ) from None
        fix = f"work out the derivative of `{op}`, and what the rule must do with `ybar`"
        same(f"With ȳ = {factor:.4g}, the contribution of {op}", at, factor * first(at), found, fix)


def looks_up_the_rule(student, draw):
    """an op that is new in the table works without a change in `walk`"""
    at, factor = draw.uniform([], 0.5, 2.0), draw.uniform([], 2.0, 4.0)
    student.OPS["seven_times"] = (lambda a: 7.0 * a, lambda ybar, y, a: [7.0 * ybar])
    student.OPS["volume"] = (lambda a, b, c: a * b * c, lambda ybar, y, a, b, c: [ybar * b * c, ybar * a * c, ybar * a * b])
    fix = "look up the rule in the table, under the name of the op in the record, without a branch for each op"
    try:
        wanted, found = 7.0 * factor, by_table(student, lambda x: factor * student.run("seven_times", x), at)
        same(f"With the new op seven_times in `OPS`, the derivative of {factor:.4g} · seven_times(x)", at, wanted, found, fix)
        wanted, found = 3.0 * factor, by_table(student, lambda x: student.run("volume", 3.0, x, factor), at)
        same(f"With the new op volume in `OPS`, the derivative of volume(3, x, {factor:.4g})", at, wanted, found, fix)
    finally:
        del student.OPS["seven_times"], student.OPS["volume"]


def contributions_add_up(student, draw):
    """the contributions to a value that was used twice add up"""
    at = draw.uniform([], 0.3, 0.9)
    fix = "add the contribution to the cotangent if `totals` already has a cotangent for this id"
    same("The derivative of x · x", at, 2.0 * at, by_table(student, lambda x: x * x, at), fix)
    wanted = math.sin(at * at) + 2.0 * at * at * math.cos(at * at)
    same("The derivative of x · sin(x · x)", at, wanted, by_table(student, lambda x: x * student.run("sin", x * x), at), fix)

    def fan(x):
        return (x + x) + (x + x) * x

    same("The derivative of (x + x) + (x + x) · x", at, 2.0 + 4.0 * at, by_table(student, fan, at), fix)


def rules_are_made_of_ops(student, draw):
    """the gradient has a gradient, because the rules are written with ops"""
    for op, (_, second) in DERIVATIVES.items():
        at = draw.uniform([], 0.3, 1.2)
        fix = "use `run` or `y` in the rule, because a plain number gives an outer tape no path back to x"
        found = by_table(student, lambda x, op=op: student.run(op, x), at, order=2)
        same(f"The second derivative of {op}", at, second(at), found, fix)

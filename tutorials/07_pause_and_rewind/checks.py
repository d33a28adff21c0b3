"""The checks of lesson 7, by finite differences."""

import minitape as tf
from minitape.course.failing import Failed

XS, YS = (1.0, 2.0, 3.0), (1.0, 5.0, 4.0)


def central_difference(f, at, step=1e-3):
    return (f(at + step) - f(at - step)) / (2.0 * step)


def agree(found, expected):
    return abs(float(found) - expected) <= 1e-2 + 2e-3 * abs(expected)


def told(found):
    return "None" if found is None else f"{float(found):.4g}"


def both_numbers_are_right(student, draw):
    """the derivative of the loss, and the largest error"""
    for _ in range(3):
        w = draw.uniform((), -2.0, 4.0)
        slope, worst = student.step(tf.Variable(w))
        errors = [w * x - y for x, y in zip(XS, YS, strict=True)]
        expected = central_difference(
            lambda v: sum((v * x - y) ** 2 for x, y in zip(XS, YS, strict=True)) / 3.0, w
        )
        if slope is None or not agree(slope, expected):
            raise Failed(
                f"`step({w:.4g})`: the derivative of the loss is {expected:.4g}, but yours is {told(slope)}.",
                fix="keep only the line with `worst` off the tape",
            )
        if not agree(worst, max(map(abs, errors))):
            raise Failed(
                f"`step({w:.4g})`: the largest error is {max(map(abs, errors)):.4g}, but yours is {told(worst)}.",
                fix="compute `worst` as before, because the pause does not change any number",
            )


def forgets_only_what_is_large(student, draw):
    """the derivative of both parts if the first part is small, otherwise of only the second part"""
    drawn = [draw.uniform((), 1.0, 3.0) * (1.0 if draw.whole(0, 1) else -1.0) for _ in range(3)]
    for w in (*drawn, 2.0):
        first = 10.0 * w * w
        both = central_difference(lambda v: 10.0 * v * v + 3.0 * v, w)
        cases = {first + 5.0: both, first - 5.0: 3.0}
        if w == 2.0:  # a limit that the first part meets exactly
            cases[first] = both
        for limit, expected in cases.items():
            found = student.slope(tf.constant(w), limit)
            size = "above the limit, so only the second part counts" if first > limit else "not above the limit, so both parts count"
            if found is None:
                raise Failed(
                    f"`slope({w:.4g}, limit={limit:.4g})` is None. The first part, {first:.4g}, is {size}. The result should be {expected:.4g}.",
                    fix="think about what the tape still watches after a reset: `w` is a constant, like `c` in the section \"Rewind\" of the lesson",
                )
            if not agree(found, expected):
                raise Failed(
                    f"`slope({w:.4g}, limit={limit:.4g})` is {told(found)}. The first part, {first:.4g}, is {size}. The result should be {expected:.4g}.",
                    fix="compare the first part with the limit, and reset only if it is larger",
                )


def the_goal_stands_still(student, draw):
    """the derivative of the loss along the path through the guess alone"""
    for _ in range(3):
        w = draw.uniform((), -2.0, 2.0)
        goal = 1.0 + 0.9 * w * 2.0
        expected = central_difference(lambda v: (goal - 1.5 * v) ** 2, w)
        both = central_difference(lambda v: (1.0 + 1.8 * v - 1.5 * v) ** 2, w)
        other = central_difference(lambda v: (1.0 + 1.8 * v - 1.5 * w) ** 2, w)
        found = student.slope(tf.Variable(w))
        if found is not None and agree(found, expected):
            continue
        seen = f"`slope({w:.4g})` is {told(found)}, but with a constant goal it is {expected:.4g}."
        if found is None:
            raise Failed(f"{seen} In your code, both the guess and the goal are constant.", fix="cut only the goal, because the guess must move")
        if agree(found, both):
            raise Failed(f"{seen} In your code, both the guess and the goal move.", fix="find the value that should be a plain number, and cut its history there")
        if agree(found, other):
            raise Failed(f"{seen} Your code keeps the guess constant and lets the goal move.", fix="cut the other value")
        raise Failed(seen, fix="keep the formulas, and cut only the path through the goal")

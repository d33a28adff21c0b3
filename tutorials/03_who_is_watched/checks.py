"""The checks of lesson 3."""

import math

import minitape as tf
from minitape.course.failing import Failed


def looks_at_x1_only(student, draw):
    """the derivative of softplus for `x1`, and None for `x0`, at random points"""
    for _ in range(3):
        at = draw.uniform([], -2.0, 2.0)
        x0, x1 = tf.Variable(draw.uniform([], -1.0, 1.0)), tf.Variable(at)
        answer = student.slopes(x0, x1)
        if not isinstance(answer, dict) or set(answer) != {"x0", "x1"}:
            raise Failed(
                '`slopes` should return a dictionary with "x0" and "x1".', fix="restore the original `return` line"
            )
        if answer["x1"] is None:
            raise Failed(
                f"At x1 = {at:.4g}, the gradient with respect to `x1` is None, so the tape does not watch `x1`.",
                fix="make the tape watch `x1` in the first line of the block",
            )
        wanted = 1.0 / (1.0 + math.exp(-at))
        if abs(float(answer["x1"]) - wanted) > 1e-3:
            raise Failed(
                f"At x1 = {at:.4g}, the derivative of softplus is {wanted:.5g}, but yours is {float(answer['x1']):.5g}.",
                fix="compute `y` as in the original file, with the ops `tf.math.sin` and `tf.nn.softplus`",
            )
        if answer["x0"] is not None:
            raise Failed(
                "The gradient with respect to `x0` is not None, so the tape watched `x0` too.",
                fix="open the tape so that it watches no variable automatically; see `minitape explain MT104`",
            )


def keeps_the_four_as_they_were(student, draw):
    """the four sources are created as in the original file"""
    is_variable = [isinstance(each, tf.Variable) for each in four_of(student)]
    values = [float(each) for each in four_of(student)]
    if is_variable != [True, True, False, False] or student.scale.trainable or values != [3.0, 2.0, 1.0, 6.0]:
        raise Failed(
            "`weight`, `scale`, `shift` and `data` are not created as in the original file.",
            fix="restore the four lines that create them, and call `watch` instead",
        )
    wanted = [6.0, 4.0, 2.0, 12.0]
    slopes = [None if each is None else float(each) for each in student.slopes]
    if None not in slopes and slopes != wanted:
        raise Failed(
            f"The gradients are {slopes}, but with this loss they should be {wanted}.",
            fix="compute the loss as in the original file, below the calls to `watch`",
        )


def four_of(student):
    return student.weight, student.scale, student.shift, student.data

"""The checks of lesson 12."""

import numpy as np

import minitape as tf
from minitape.course.failing import Failed


def listed(value):
    """Return the numbers with four digits."""
    numbers = value.numpy() if hasattr(value, "numpy") else value
    return [float(f"{number:.4g}") for number in np.ravel(numbers)]


def same(what, wanted, found, fix):
    """Raise unless an array has the expected values."""
    if not np.allclose(found, wanted, rtol=1e-4, atol=1e-5):
        raise Failed(f"{what} should be {listed(wanted)}, but it is {listed(found)}.", fix=fix)


def all_variables(values, what):
    for value in values:
        if not isinstance(value, tf.Variable):
            raise Failed(
                f"After the call, `{what}` contains a {type(value).__name__} that is not a variable.",
                fix="change the variable itself, with `assign`, `assign_sub` or `assign_add`",
            )


# --- ex1 ---


def moves_against_the_gradient(student, draw):
    """each variable changes by -rate times its gradient"""
    rate = draw.uniform([], 0.1, 0.9)
    before = [draw.uniform([3], -1.0, 1.0), draw.uniform([2], -1.0, 1.0)]
    gradients = [draw.uniform([3], -1.0, 1.0), draw.uniform([2], -1.0, 1.0)]
    parameters = [tf.Variable(each) for each in before]
    held = list(parameters)
    student.update(held, [tf.constant(each) for each in gradients], rate)
    all_variables(held, "parameters")
    for variable, was, gradient in zip(parameters, before, gradients, strict=True):
        told = f"After an update from {listed(was)} with the gradient {listed(gradient)} and the rate {rate:.3g}, a variable"
        if np.array_equal(variable.numpy(), was):
            raise Failed(
                f"{told} still has its old value.",
                fix="use a method of the variable, because an assignment to the name does not change the variable",
            )
        same(told, was - rate * gradient, variable, "subtract rate · gradient once")


def loss_falls(student, draw):
    """the loss on the half moons falls below 0.2"""
    last = student.losses[-1]
    if not last < 0.2:
        raise Failed(
            f"The loss should end below 0.2, but it ends at {last:.3g}.",
            fix="look at the printed losses, and find out whether they fall, rise or stay the same",
        )


# --- ex2 ---


def rolls_like_a_ball(student, draw):
    """velocities and variables follow the two lines in each step"""
    rate, friction = draw.uniform([], 0.1, 0.5), draw.uniform([], 0.5, 0.9)
    shapes = ([], [3])
    places = [np.float32(draw.uniform(shape, -1.0, 1.0)) for shape in shapes]
    speeds = [np.zeros(shape, "float32") for shape in shapes]
    parameters = [tf.Variable(each) for each in places]
    velocities = [tf.Variable(each) for each in speeds]
    for turn in range(1, 5):
        gradients = [np.float32(draw.uniform(shape, -1.0, 1.0)) for shape in shapes]
        student.roll(parameters, list(map(tf.constant, gradients)), velocities, rate, friction)
        all_variables(parameters, "parameters")
        all_variables(velocities, "velocities")
        for i, gradient in enumerate(gradients):
            speeds[i] = friction * speeds[i] + gradient
            places[i] = places[i] - rate * speeds[i]
            told = f"with the rate {rate:.3g} and the friction {friction:.3g}, a"
            fix = "compute the velocity in the first line, and store it for the next step with `assign`"
            same(f"In step {turn}, {told} velocity", speeds[i], velocities[i], fix)
            fix = "subtract the *new* velocity, times the rate, in the second line"
            same(f"In step {turn}, {told} variable", places[i], parameters[i], fix)


def the_ball_arrives(student, draw):
    """after 60 steps, the ball is closer than 0.05"""
    if not student.distance < 0.05:
        raise Failed(
            f"After 60 steps, the distance of the ball should be less than 0.05, but it is {student.distance:.3g}.",
            fix="keep the rate, the friction and the number of steps, and fix the two lines",
        )


# --- ex3 ---


def stops_in_time_and_goes_back(student, draw):
    """training stops after `patience` steps without a new best, and restores the best values"""
    patience, best_at = draw.whole(2, 5), draw.whole(3, 9)
    losses = [1.0 - 0.05 * turn for turn in range(best_at)]
    losses += [losses[-1] + 0.01 * (turn % 3 + 1) for turn in range(400)]
    # a short rise before the best epoch: patience starts again after each new best
    losses[best_at - 2] = losses[best_at - 3] + 0.02 if best_at >= 3 else losses[best_at - 2]
    w, b = tf.Variable([0.0, 0.0]), tf.Variable(0.0)
    turns = [0]

    def step():
        turns[0] += 1
        w.assign([float(turns[0]), -float(turns[0])])
        b.assign_add(1.0)

    def measure():
        return losses[turns[0] - 1]

    returned = student.train(step, measure, [w, b], patience)
    told = f"a patience of {patience} and the best loss in step {best_at}"
    if turns[0] != best_at + patience:
        raise Failed(
            f"With {told}, there should be {best_at + patience} steps, but your function made {turns[0]}.",
            fix="count the steps since the last new best loss, and reset the count to 0 at each new best loss",
        )
    if returned != turns[0]:
        raise Failed(
            f"With {told}, `train` made {turns[0]} steps, but returned {returned!r}.",
            fix="return the number of all steps, including those after the best step",
        )
    same(
        f"With {told}, the first parameter, which counts steps,",
        [float(best_at), -float(best_at)],
        w,
        "copy the *values* at the best step, and assign them at the end, because the variables keep changing",
    )
    same(f"With {told}, the second parameter", best_at, b, "restore all parameters, not only the first one")

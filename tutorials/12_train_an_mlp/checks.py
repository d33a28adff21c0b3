"""The checks of lesson 12."""

import numpy as np

import minitape as tf
from minitape.course.failing import Failed


def listed(value):
    """Numbers with four digits."""
    numbers = value.numpy() if hasattr(value, "numpy") else value
    return [float(f"{number:.4g}") for number in np.ravel(numbers)]


def same(what, wanted, found, fix):
    """Raise unless an array is the one that was wanted."""
    if not np.allclose(found, wanted, rtol=1e-4, atol=1e-5):
        raise Failed(f"{what} should be {listed(wanted)}; it is {listed(found)}.", fix=fix)


def all_variables(values, what):
    for value in values:
        if not isinstance(value, tf.Variable):
            raise Failed(
                f"{what} holds a {type(value).__name__} after the call, not a variable.",
                fix="change the variable itself: assign, assign_sub, assign_add",
            )


# --- ex1 ---


def moves_against_the_gradient(student, draw):
    """Each variable moves by -rate times its gradient."""
    rate = draw.uniform([], 0.1, 0.9)
    before = [draw.uniform([3], -1.0, 1.0), draw.uniform([2], -1.0, 1.0)]
    gradients = [draw.uniform([3], -1.0, 1.0), draw.uniform([2], -1.0, 1.0)]
    parameters = [tf.Variable(each) for each in before]
    held = list(parameters)
    student.update(held, [tf.constant(each) for each in gradients], rate)
    all_variables(held, "parameters")
    for variable, was, gradient in zip(parameters, before, gradients, strict=True):
        told = f"A variable at {listed(was)} with gradient {listed(gradient)} and rate {rate:.3g}"
        if np.array_equal(variable.numpy(), was):
            raise Failed(
                f"{told} did not change.",
                fix="assigning a new tensor to the name does not change the variable: which method does?",
            )
        same(told, was - rate * gradient, variable, "subtract rate · gradient, once")


def loss_falls(student, draw):
    """The loss of the moons falls below 0.2."""
    last = student.losses[-1]
    if not last < 0.2:
        raise Failed(
            f"The loss should end below 0.2; it ends at {last:.3g}.",
            fix="look at the printed losses: do they fall, stay, or rise?",
        )


# --- ex2 ---


def rolls_like_a_ball(student, draw):
    """Velocities and variables follow the two lines, step after step."""
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
            told = f"with rate {rate:.3g} and friction {friction:.3g}, a"
            fix = "the first line computes the velocity: keep it for the next step, with assign"
            same(f"In step {turn}, {told} velocity", speeds[i], velocities[i], fix)
            fix = "the second line uses the *new* velocity, and subtracts it"
            same(f"In step {turn}, {told} variable", places[i], parameters[i], fix)


def the_ball_arrives(student, draw):
    """After 60 steps the ball is nearer than 0.05."""
    if not student.distance < 0.05:
        raise Failed(
            f"After 60 steps the ball should be nearer than 0.05; it is {student.distance:.3g} away.",
            fix="keep the rate, the friction and the number of steps; fix the two lines",
        )


# --- ex3 ---


def stops_in_time_and_goes_back(student, draw):
    """Training stops after its patience, and the best values are back."""
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
    told = f"patience {patience}, the best loss in step {best_at}"
    if turns[0] != best_at + patience:
        raise Failed(
            f"With {told}, there should be {best_at + patience} steps; you made {turns[0]}.",
            fix="count the steps since the last new best; a new best sets the count to 0",
        )
    if returned != turns[0]:
        raise Failed(
            f"With {told}, train made {turns[0]} steps, but returned {returned!r}.",
            fix="return the number of all steps, with the last ones",
        )
    same(
        f"With {told}: the first parameter, which counts steps,",
        [float(best_at), -float(best_at)],
        w,
        "keep the *values* of the best step, and assign them at the end; the variables keep changing",
    )
    same(f"With {told}: the second parameter", best_at, b, "restore all parameters, not only one")

"""The checks of lesson 13."""

import ast

import numpy as np

import minitape as tf
from minitape.course.failing import Failed

# The nine parameters and their shapes.
SHAPES = {
    "scale": (2,),
    "w_hidden": (2, 12),
    "b_hidden": (12,),
    "w_inside": (12, 1),
    "b_inside": (1,),
    "w_far": (12, 1),
    "b_far": (1,),
    "w_side": (12, 3),
    "b_side": (3,),
}


def trained(student, seed, steps):
    """Return the parameters after the given number of steps, by name, as variables."""
    answer = student.train(seed, steps)
    if not isinstance(answer, tuple) or len(answer) != 2 or not isinstance(answer[0], dict):
        raise Failed(
            "`train` should return the parameters and the list of losses, but it returned something else.",
            fix="keep the last line of `train`, which is `return p, losses`",
        )
    parameters = answer[0]
    for name, shape in SHAPES.items():
        if name not in parameters or tuple(parameters[name].shape) != shape:
            raise Failed(
                f"The parameter {name!r}, of shape {shape}, is not among the parameters that `train` returns.",
                fix="fix the faults without adding, removing or reshaping a parameter",
            )
    return parameters


def numbers(parameters):
    return {name: np.array(parameters[name].numpy()) for name in SHAPES}


def every_parameter_learns_in_every_step(student, draw):
    """all nine parameters change in each of the first steps, for three seeds"""
    for _ in range(3):
        seed = draw.whole(0, 10_000)
        before = numbers(trained(student, seed, 0))
        for step in (1, 2, 3):
            parameters = trained(student, seed, step)
            after = numbers(parameters)
            still = [name for name in SHAPES if np.array_equal(before[name], after[name])]
            if still:
                raise Failed(
                    f"With seed {seed}, in step {step}, {len(still)} of 9 parameters did not change: "
                    f"{', '.join(still)}.",
                    fix=f"follow `{still[0]}` through the program: find out where it is created, used, differentiated and updated",
                )
            tensors = [name for name in SHAPES if not isinstance(parameters[name], tf.Variable)]
            if tensors:
                raise Failed(
                    f"After step {step}, `{tensors[0]}` is a {type(parameters[tensors[0]]).__name__} "
                    "and not a variable, so no tape will watch it.",
                    fix="change the variable itself, not what the name refers to",
                )
            before = after


def a_none_would_be_seen(student, draw):
    """no call to `gradient` asks for zeros instead of None"""
    for tree in student.trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword) and node.arg == "unconnected_gradients":
                raise Failed(
                    f"On line {node.value.lineno}, zeros still replace None. "
                    "You would not notice the next lost gradient either.",
                    fix="call `tape.gradient(loss, p)`, so that a lost gradient is None",
                )


def true_loss(p, data):
    """Return the three losses of the task, computed without the student's program."""
    x, inside, far, side = (np.asarray(each, "float64") for each in data)
    hidden = np.tanh((x * p["scale"]) @ p["w_hidden"] + p["b_hidden"])
    score = hidden @ p["w_inside"] + p["b_inside"]
    of_inside = np.mean(np.logaddexp(0.0, score) - inside * score)
    of_far = np.mean((hidden @ p["w_far"] + p["b_far"] - far) ** 2)
    scores = hidden @ p["w_side"] + p["b_side"]
    picked = scores[np.arange(len(scores)), side.astype(int)]
    of_side = np.mean(np.logaddexp.reduce(scores, axis=1) - picked)
    return {"inside": of_inside, "far": of_far, "side": of_side}


def loss_comes_down(student, draw):
    """after 60 steps, the sum of the three losses is below 1.4, for three seeds"""
    for _ in range(3):
        seed = draw.whole(0, 10_000)
        parts = true_loss(numbers(trained(student, seed, 60)), student.make_data(seed))
        total = sum(parts.values())
        if not total < 1.4:
            told = ", ".join(f"{name} {part:.2f}" for name, part in parts.items())
            raise Failed(
                f"With seed {seed}, the loss after 60 steps is {total:.2f} ({told}), but it should be "
                "below 1.4. (The value for side is its cross entropy.)",
                fix="look first at the largest of the three values",
            )

"""The checks of lesson 4."""

import minitape as tf
from minitape.course.failing import Failed


def close(ours, right):
    return abs(ours - right) <= 1e-3 + 2e-3 * abs(right)


def has_the_right_labels(student, draw):
    """`dz_dx` and `dz_dy` are correct at random points"""
    for _ in range(3):
        at = draw.uniform([], 0.5, 2.5)
        answer = student.slopes(tf.constant(at))
        if not isinstance(answer, dict) or set(answer) != {"dz_dx", "dz_dy"}:
            raise Failed(
                f"`slopes` should return a dictionary with dz_dx and dz_dy, but it returned `{answer!r}`.",
                fix='ask the tape for a dictionary of sources: `{"dz_dx": ..., "dz_dy": ...}`',
            )
        for name, right in {"dz_dx": 4 * at**3, "dz_dy": 2 * at**2}.items():
            if answer[name] is None:
                raise Failed(f"At x = {at:.4g}, `{name}` is None.", fix="keep `tape.watch(x)` at the start of the block")
            if not close(float(answer[name]), right):
                raise Failed(
                    f"At x = {at:.4g}, `{name}` is {right:.5g}, but yours is {float(answer[name]):.5g}.",
                    fix=f"find the source with that name: `{name}` is the gradient of `z` with respect to `{name[-1]}`",
                )


def drawn_function(draw, entries, inputs):
    """Return a random function in which each output depends on each input."""
    weights = tf.constant(draw.uniform([entries, inputs], -1.5, 1.5))

    def f(x):
        return tf.linalg.matvec(tf.cast(weights, x.dtype), tf.sin(x)) + tf.reduce_prod(x)

    return f


def differences(f, x, k):
    """Return the gradient of entry k of f(x), by finite differences in float64."""
    x, step, slopes = tf.cast(x, tf.float64), 1e-5, []
    for i in range(x.shape[0]):
        move = step * tf.one_hot(i, x.shape[0], dtype=tf.float64)
        slopes.append(float(f(x + move)[k] - f(x - move)[k]) / (2 * step))
    return slopes


def held(answer, right, what, ask):
    """Compare a tensor of derivatives with the right ones, entry by entry."""
    if answer is None or isinstance(answer, (list, tuple)) and any(each is None for each in answer):
        raise Failed(f"{what}: the answer is None.", fix="make each tape watch `x`")
    shape = tuple(tf.convert_to_tensor(answer).shape)
    if shape != (len(right),):
        raise Failed(f"{what}: the answer has the shape {shape}, but it should have the shape {(len(right),)}.", fix=ask)
    for i, (ours, theirs) in enumerate(zip(tf.convert_to_tensor(answer).numpy().tolist(), right)):
        if not close(ours, theirs):
            raise Failed(
                f"{what}: with respect to x[{i}], the derivative is {theirs:.5g} by finite differences, but yours is {ours:.5g}.", fix=ask
            )


def is_of_entry_k_only(student, draw):
    """`slopes_of_one` agrees with finite differences, for random functions, points and entries"""
    for entries, inputs in ((2, 3), (4, 2), (3, 3)):
        f, x, k = drawn_function(draw, entries, inputs), draw.tensor([inputs]), draw.whole(0, entries - 1)
        what = f"For a function from {inputs} to {entries} numbers, entry {k}"
        ask = "let the backward pass begin with a weight for each entry of `y`: 1 for entry k, and 0 for the others"
        held(student.slopes_of_one(f, x, k), differences(f, x, k), what, ask)


def is_each_by_its_own(student, draw):
    """`own_slopes` agrees with finite differences, for random functions that mix their inputs"""
    for size in (2, 4):
        f, x = drawn_function(draw, size, size), draw.tensor([size])
        right = [differences(f, x, i)[i] for i in range(size)]
        ask = "for each i, compute the gradient of entry i alone, and take only entry i of that gradient"
        held(student.own_slopes(f, x), right, f"For a function from {size} to {size} numbers", ask)

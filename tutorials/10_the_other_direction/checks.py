"""The checks of lesson 10: Jacobians by finite differences, and how often a function ran."""

import numpy as np

import minitape as tf
from minitape.course.failing import Failed

STEP = 1e-2  # of quadratic and cubic functions, in float32


def close(found, expected):
    return np.allclose(np.asarray(found), expected, rtol=1e-2, atol=1e-2)


def told(table):
    if table is None:
        return "None"
    return np.array2string(np.asarray(table), precision=3, suppress_small=True, separator=", ").replace("\n", "")


class Counted:
    """A function that counts its runs."""

    def __init__(self, f):
        self.f, self.runs = f, 0

    def __call__(self, x):
        self.runs += 1
        return self.f(x)


def without_a_tape(function, *args):
    """Return the result of a function that opens no tape.

    Raises:
        Failed: The function opened a tape.
    """

    def refuse(*_, **__):
        raise Failed(
            f"`{function.__name__}` opened a tape, but this function may use only forward mode.",
            fix="use `tf.autodiff.ForwardAccumulator` instead of the tape, as in the lesson",
        )

    usual, tf.GradientTape = tf.GradientTape, refuse
    try:
        return function(*args)
    finally:
        tf.GradientTape = usual


def _problem(draw):
    """Return a quadratic function with n inputs and a different number m of outputs, a point, and the Jacobian by differences."""
    n = draw.whole(2, 3)
    m = n + draw.whole(1, 2)
    flat, bent, x = draw.uniform((m, n)), draw.uniform((m, n)), draw.uniform((n,))

    def f(x):
        return tf.linalg.matvec(tf.constant(flat), x) + tf.linalg.matvec(tf.constant(bent), x * x)

    def by_hand(x):
        return flat @ x + bent @ (x * x)

    steps = np.eye(n) * STEP
    table = np.stack([(by_hand(x + s) - by_hand(x - s)) / (2.0 * STEP) for s in steps], axis=1)
    return f, x, table


def _compare(name, found, table):
    m, n = table.shape
    where = f"`{name}`, for {n} inputs and {m} outputs"
    if found is None:
        raise Failed(f"{where}: the function returned None.", fix="return the Jacobian")
    if np.shape(found) == (n, m) and close(np.transpose(found), table):
        raise Failed(f"{where}: rows and columns are swapped, so the shape is {(n, m)}.", fix="stack along the other axis")
    if np.shape(found) != (m, n):
        raise Failed(f"{where}: the function returned a result of shape {np.shape(found)}, but its shape should be {(m, n)}.", fix="stack the list that you collected")
    if not close(found, table):
        summed = close(found, np.broadcast_to(table.sum(axis=0), (m, n)))
        raise Failed(
            f"{where}: by finite differences, the Jacobian is {told(table)}, but the function returned {told(found)}."
            + (" Each row of the result is the sum of all rows." if summed else ""),
            fix="find the output that belongs to a row, or the input that belongs to a column, and pass it to the tape or to the accumulator",
        )


def rows_by_walking_back(student, draw):
    """one run, and one backward pass for each output"""
    f, x, table = _problem(draw)
    f = Counted(f)
    _compare("by_rows", student.by_rows(f, tf.constant(x)), table)
    if f.runs not in (1, len(table)):
        raise Failed(
            f"`by_rows` ran `f` {f.runs} times for {len(table)} outputs and {len(x)} inputs, which is not reverse mode.",
            fix="run `f` once under a persistent tape, and ask the tape once for each output",
        )


def columns_by_running_forward(student, draw):
    """one run for each input"""
    f, x, table = _problem(draw)
    f = Counted(f)
    _compare("by_columns", without_a_tape(student.by_columns, f, tf.constant(x)), table)
    if f.runs != len(x):
        raise Failed(
            f"`by_columns` ran `f` {f.runs} times, but forward mode needs one run for each of the {len(x)} inputs.",
            fix="open one `ForwardAccumulator` for each input, and run `f` in its block",
        )


def energy(x):
    return tf.reduce_sum(tf.linspace(tf.constant(0.5, x.dtype), 1.5, 24) * x**2)


def the_orbit_moves(student, draw):
    """all 24 speeds, by finite differences in time"""
    springs = np.linspace(0.5, 1.5, 24)
    for _ in range(3):
        t = draw.uniform((), -3.0, 3.0)
        expected = (np.sin(springs * (t + 1e-4)) - np.sin(springs * (t - 1e-4))) / 2e-4
        found = without_a_tape(student.orbit_slopes, tf.constant(t))
        if np.shape(found) != (24,):
            raise Failed(
                f"`orbit_slopes({t:.4g})` returned {'None' if found is None else f'a result of shape {np.shape(found)}'}, but there are 24 planets.",
                fix="ask for the tangent of all positions at once",
            )
        if not close(found, expected):
            raise Failed(
                f"`orbit_slopes({t:.4g})` starts with {told(np.asarray(found)[:3])}, but by finite differences it starts with {told(expected[:3])}.",
                fix="use the direction 1, because `t` changes by 1",
            )


def the_gradient_changes_along_v(student, draw):
    """the change of the gradient along `v`, by finite differences"""
    for _ in range(3):
        n = draw.whole(2, 4)
        x, v, k = draw.uniform((n,), -1.5, 1.5), draw.uniform((n,)), draw.uniform((n,), 0.5, 2.0)

        def f(x, k=k):
            return tf.reduce_sum(k * x**3) + tf.reduce_sum(x) ** 2

        def gradient(x, k=k):
            return 3.0 * np.float64(k) * x**2 + 2.0 * np.sum(x)

        at, way = np.float64(x), np.float64(v)
        expected = (gradient(at + 1e-4 * way) - gradient(at - 1e-4 * way)) / 2e-4
        found = student.along(f, tf.constant(x), tf.constant(v))
        seen = f"f(x) = sum(k·x³) + sum(x)², n = {n}: the gradient changes by {told(expected)}, but `along` returned {told(found)}."
        if found is None:
            raise Failed(seen, fix="ask the tape inside the block of the accumulator")
        if np.shape(found) != (n,) or not close(found, expected):
            same = np.shape(found) == (n,) and close(found, gradient(at))
            raise Failed(
                seen + (" This is the gradient itself." if same else ""),
                fix="let `x` change along `v`, compute the gradient inside the block, and ask for the change of the gradient",
            )

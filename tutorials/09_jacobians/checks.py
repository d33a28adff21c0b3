"""The checks of lesson 9, by finite differences."""

import numpy as np

import minitape as tf
from minitape.course.failing import Failed

STEP = 1e-2  # of quadratic and cubic functions, in float32


def table_by_differences(f, x):
    """Return how each output changes with each input: the shape of the output, then the shape of x."""
    columns = []
    for index in np.ndindex(x.shape):
        move = np.zeros(x.shape, np.float32)
        move[index] = STEP
        up, down = f(tf.constant(x + move)).numpy(), f(tf.constant(x - move)).numpy()
        columns.append((up - down) / (2.0 * STEP))
    return np.stack(columns, axis=-1).reshape((*np.shape(columns[0]), *x.shape))


def close(found, expected):
    return np.allclose(np.asarray(found), expected, rtol=1e-2, atol=1e-2)


def told(table):
    return np.array2string(np.asarray(table), precision=3, suppress_small=True, separator=", ").replace("\n", "")


def the_table_of_second_derivatives(student, draw):
    """each entry of the Hessian, by finite differences of the known gradient"""
    for _ in range(3):
        n = draw.whole(2, 3)
        x, k, m = draw.uniform((n,), -1.5, 1.5), draw.uniform((n,), 0.5, 2.0), draw.uniform((n, n))

        def f(x, k=k, m=m):
            return tf.reduce_sum(k * x**3) + tf.reduce_sum(x * tf.linalg.matvec(tf.constant(m), x))

        def slope(x, k=k, m=m):
            return 3.0 * k * x**2 + (m + m.T) @ x

        steps = np.eye(n) * 1e-3
        expected = np.stack([(slope(x + s) - slope(x - s)) / 2e-3 for s in steps], axis=1)
        found = student.hessian(f, tf.Variable(x))
        where = f"A cubic f of {n} numbers"
        if found is None:
            raise Failed(f"{where}: `hessian` returned None.", fix="ask the inner tape inside the block of the outer tape")
        if np.shape(found) != (n, n):
            added = np.shape(found) == (n,) and close(found, expected.sum(axis=0))
            raise Failed(
                f"{where}: `hessian` returned a result of shape {np.shape(found)}, but the Hessian has the shape {(n, n)}."
                + (" The result is the sum of the rows of the Hessian." if added else ""),
                fix="find the method of a tape that returns all rows, without adding them up",
            )
        if not close(found, expected):
            raise Failed(
                f"{where}: by finite differences, the Hessian is {told(expected)}, but `hessian` returned {told(found)}.",
                fix="take the Jacobian of the gradient, not of `y`",
            )


def the_mirror_is_compared(student, draw):
    """matrices with a known asymmetry, and symmetric matrices"""
    for _ in range(3):
        n = draw.whole(2, 4)
        half = draw.uniform((n, n))
        even, off = half + half.T, draw.uniform((), 0.5, 3.0)
        table = even.copy()
        sign = 1.0 if draw.whole(0, 1) else -1.0
        table[0, n - 1] += sign * off
        for each, expected in ((even, 0.0), (table, off)):
            found = student.lopsided(tf.constant(each))
            if np.shape(found) != () or not close(found, expected):
                raise Failed(
                    f"`lopsided({told(each)})` returned {told(found)}, but the largest difference is {expected:.3g}.",
                    fix="subtract the transpose from the matrix, and remember that a difference can be negative",
                )


def _curves(draw, rows, n):
    """Return functions of a batch, and for each of them whether its rows are independent."""
    w = draw.uniform((n, 2), 0.5, 2.0)
    order = list(range(1, rows)) + [0]
    return [
        ("x²", lambda x: x * x, True),
        ("a layer, x @ w", lambda x: tf.matmul(x, tf.constant(w)), True),
        ("softmax over each row", lambda x: tf.nn.softmax(x, axis=1), True),
        ("x minus the mean of its row", lambda x: x - tf.reduce_mean(x, axis=1, keepdims=True), True),
        ("x minus the mean of the batch", lambda x: x - tf.reduce_mean(x, axis=0), False),
        ("softmax over the batch", lambda x: tf.nn.softmax(x, axis=0), False),
        ("sums that grow down the batch", lambda x: tf.cumsum(x, axis=0), False),
        ("the rows in another order", lambda x: tf.gather(x, order), False),
        ("x² times the mean of the batch", lambda x: x * x * tf.reduce_mean(x, axis=0), False),
    ]


def each_curve_is_judged_rightly(student, draw):
    """functions with independent rows, and functions without"""
    rows, n = draw.whole(2, 4), draw.whole(2, 3)
    x = draw.uniform((rows, n), 0.5, 2.0)
    for name, f, apart in _curves(draw, rows, n):
        found = student.can_be_trusted(f, tf.constant(x))
        if bool(found) != apart:
            said = "is correct" if apart else "is wrong"
            raise Failed(
                f"For {name}, with {rows} rows of {n}, `batch_jacobian` {said}, but `can_be_trusted` returned {found}.",
                fix="find out which blocks of the whole Jacobian must be zero",
            )


def own_rows_only(student, draw):
    """the blocks on the diagonal of the whole Jacobian, by finite differences"""
    rows, n = draw.whole(2, 4), draw.whole(2, 3)
    x = draw.uniform((rows, n), 0.5, 2.0)
    for name, f, _ in _curves(draw, rows, n):
        whole = table_by_differences(f, x)
        expected = np.stack([whole[i, :, i] for i in range(rows)])
        found = student.small_tables(f, tf.constant(x))
        where = f"{name}, {rows} rows of {n}"
        if found is None:
            raise Failed(f"{where}: `small_tables` returned None.", fix="watch `x`, and compute `f(x)` in the block")
        if np.shape(found) != expected.shape:
            raise Failed(
                f"{where}: `small_tables` returned a result of shape {np.shape(found)}, but its shape should be {expected.shape}.",
                fix="keep one block of the whole Jacobian for each row",
            )
        if not close(found, expected):
            row = next(i for i in range(rows) if not close(np.asarray(found)[i], expected[i]))
            lies = close(found, whole.sum(axis=0).swapaxes(0, 1))
            raise Failed(
                f"{where}: for row {row}, the Jacobian is {told(expected[row])}, but `small_tables` returned {told(np.asarray(found)[row])}."
                + (" This is the result of `batch_jacobian`, which adds up the derivatives of all rows of the output." if lies else ""),
                fix="take the whole Jacobian, and select the blocks in which both rows are the same",
            )

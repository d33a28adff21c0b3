# %% [markdown]
# # A Hessian and its transpose
#
# Make `hessian(f, x)` return the matrix of second derivatives: entry (i, j) shows how entry i of the gradient
# changes with `x[j]`. In the code below, the second tape calls `gradient`, which returns only the sum of the rows.
#
# Make `lopsided(table)` return the largest difference between the matrix and its transpose. For
# every Hessian, this difference should be 0, because it does not matter which derivative you
# compute first. This makes it a good and cheap test.

# %%
import minitape as tf


# %%
# TODO
def hessian(f, x):
    """Return the second derivatives of f at the variable x, a vector of n numbers: shape (n, n)."""
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = f(x)
        slope = inner.gradient(y, x)
    return outer.jacobian(slope, x)


def lopsided(table):
    """Return the largest difference between an entry and its mirrored entry, a scalar."""
    return tf.reduce_max(tf.abs(table - tf.transpose(table)))


# END


# %%
def f(x):
    return x[0] ** 3 + 2.0 * x[0] * x[1]


print("the Hessian at (1, 2) should be [[6, 2], [2, 0]]:")
print(hessian(f, tf.Variable([1.0, 2.0])).numpy())
print("lopsided by", lopsided(tf.constant([[6.0, 2.0], [2.5, 0.0]])).numpy(), "(should be 0.5)")

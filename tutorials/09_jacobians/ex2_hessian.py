# %% [markdown]
# # A Hessian and its mirror
#
# Make `hessian(f, x)` return the table of second derivatives: entry (i, j) says how slope i moves
# with x[j]. Below, a second tape computes a gradient, and returns the rows added up.
#
# Make `lopsided(table)` return the largest difference between the table and its mirror image.
# For each Hessian this should be 0, because it does not matter which derivative you take first.
# It is a good test that costs nothing.

# %%
import minitape as tf


# %%
# TODO
def hessian(f, x):
    """The second derivatives of f at the variable x, of n numbers: shape (n, n)."""
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = f(x)
        slope = inner.gradient(y, x)
    return outer.gradient(slope, x)


def lopsided(table):
    """The largest difference between an entry and the entry on the other side, a scalar."""
    return tf.constant(0.0)


# END


# %%
def f(x):
    return x[0] ** 3 + 2.0 * x[0] * x[1]


print("the table at (1, 2) should be [[6, 2], [2, 0]]:")
print(hessian(f, tf.Variable([1.0, 2.0])).numpy())
print("lopsided by", lopsided(tf.constant([[6.0, 2.0], [2.5, 0.0]])).numpy(), "(should be 0.5)")

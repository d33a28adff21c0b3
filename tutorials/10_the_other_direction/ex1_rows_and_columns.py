# %% [markdown]
# # The same Jacobian twice
#
# A function with n inputs and m outputs has a Jacobian with m rows and n columns. Compute it in two ways:
#
# - `by_rows(f, x)` uses one backward pass for each output. `f` runs once.
# - `by_columns(f, x)` uses one forward pass for each input. It opens no tape.
#
# Do not call `jacobian` in this exercise, because you are writing it. `tf.stack(list, axis=...)` creates
# a matrix from a list, and `tf.one_hot(i, n)` is a direction, with 1 at index i and 0 everywhere else.

# %%
import minitape as tf


# %%
# TODO
def by_rows(f, x):
    """Return the Jacobian of f at the constant x: shape (m, n), row by row."""
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
    rows = []
    for i in range(len(y)):
        rows.append(tape.gradient(y, x))
    return tf.stack(rows, axis=0)


def by_columns(f, x):
    """Return the same Jacobian, column by column."""
    return tf.zeros([len(f(x)), len(x)])


# END


# %%
def f(x):
    return tf.stack([x[0] ** 2, x[0] * x[1], 5.0 * x[1]])


x = tf.constant([2.0, 3.0])
print("by hand:    [[4, 0], [3, 2], [0, 5]]")
print("by rows:   ", by_rows(f, x).numpy().tolist())
print("by columns:", by_columns(f, x).numpy().tolist())

# %% [markdown]
# # The same table twice
#
# A function with n inputs and m outputs has a table of m rows and n columns. Fill it in two ways:
#
# - `by_rows(f, x)`: one backward pass for each output. f runs once.
# - `by_columns(f, x)`: one forward pass for each input. No tape.
#
# No `jacobian` in this exercise: you are writing it. `tf.stack(list, axis=...)` makes a table from
# a list, and `tf.one_hot(i, n)` is a direction: 1 at index i, else 0.

# %%
import minitape as tf


# %%
# TODO
def by_rows(f, x):
    """The table of f at the constant x: shape (m, n), row by row."""
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
    rows = []
    for i in range(len(y)):
        rows.append(tape.gradient(y, x, output_gradients=tf.one_hot(i, len(y))))
    return tf.stack(rows, axis=0)


def by_columns(f, x):
    """The same table, column by column."""
    columns = []
    for i in range(len(x)):
        with tf.autodiff.ForwardAccumulator(x, tf.one_hot(i, len(x))) as forward:
            y = f(x)
        columns.append(forward.jvp(y))
    return tf.stack(columns, axis=1)


# END


# %%
def f(x):
    return tf.stack([x[0] ** 2, x[0] * x[1], 5.0 * x[1]])


x = tf.constant([2.0, 3.0])
print("by hand:    [[4, 0], [3, 2], [0, 5]]")
print("by rows:   ", by_rows(f, x).numpy().tolist())
print("by columns:", by_columns(f, x).numpy().tolist())

# %% [markdown]
# # Small Jacobians that are always correct
#
# For each row i of a batch, we want to know how *output row i* changes with *input row i*. If the
# rows are independent, `batch_jacobian` returns exactly this. Make `small_tables(f, x)` return it
# for every `f`, even if the rows depend on each other.
#
# `x` is a constant of shape (rows, n), `f` returns a tensor of shape (rows, m), and the answer
# has the shape (rows, m, n). Your function may cost more than `batch_jacobian`.

# %%
import minitape as tf


# %%
def small_tables(f, x):
    """Return for each row how its output changes with its own input: shape (rows, m, n)."""
    # TODO
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.batch_jacobian(y, x)
    # END


# %%
def centered(x):
    return x - tf.reduce_mean(x, axis=0)


x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print("for x²:")
print(small_tables(lambda x: x * x, x).numpy())
print("for the centered x, with 0.5 on both diagonals:")
print(small_tables(centered, x).numpy())

# %% [markdown]
# # Ward B, patient 6: the plain number
#
# This loss has two parts. The tape returns numbers, so all seems well. But if you compute the
# first derivative by hand, it is larger by 0.4.
#
# Fix the block so that `slopes(w)` returns the gradient of the whole loss.

# %%
import minitape as tf


# %%
def slopes(w):
    """Return how the loss changes with each number in the variable w."""
    # TODO
    with tf.GradientTape() as tape:
        fit = tf.reduce_sum((w - 1.0) ** 2)
        size = float(tf.reduce_sum(w * w))
        loss = fit + 0.1 * size
    return tape.gradient(loss, w)
    # END


# %%
def loss_at(a, b):
    return (a - 1) ** 2 + (b - 1) ** 2 + 0.1 * (a * a + b * b)


print("the tape:", slopes(tf.Variable([2.0, -1.0])))
print("the first by hand:", round((loss_at(2.001, -1.0) - loss_at(1.999, -1.0)) / 0.002, 3))

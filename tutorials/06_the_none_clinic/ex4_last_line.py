# %% [markdown]
# # Ward A, patient 4: the last line
#
# The program fits a line to two points, with a small penalty on its steepness. The loss is
# correct, but the gradient of the loss is None.
#
# Fix the block so that `slope(w)` returns the derivative of the loss.

# %%
import minitape as tf

x = tf.constant([1.0, 2.0])
y = tf.constant([2.0, 5.0])


# %%
def slope(w):
    """Return how the loss changes with the steepness w, which is a variable."""
    # TODO
    with tf.GradientTape() as tape:
        fit = tf.reduce_mean((w * x - y) ** 2)
        penalty = 0.5 * w**2
    loss = fit + penalty
    return tape.gradient(loss, w)
    # END


# %%
print("slope:", slope(tf.Variable(1.0)))

# %% [markdown]
# # Ward C, patient 11: the savings book
#
# A gauge follows a signal slowly: each new level is half the old level plus `gain` times the signal. The loss
# measures how far the last level is from 3. How does the loss change with the gain? The tape returns None.
#
# Fix the block so that `slope(gain)` returns the derivative of the loss.

# %%
import minitape as tf

signal = [1.0, 4.0, 2.0]


# %%
def slope(gain):
    """Return how the loss changes with the gain, a variable."""
    # TODO
    level = tf.constant(0.0)
    with tf.GradientTape() as tape:
        for reading in signal:
            level = 0.5 * level + gain * reading
        loss = (level - 3.0) ** 2
    return tape.gradient(loss, gain)
    # END


# %%
print("slope:", slope(tf.Variable(0.5)))

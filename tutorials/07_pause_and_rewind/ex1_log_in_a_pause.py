# %% [markdown]
# # A number for the log
#
# In each step, we want the loss, its derivative, and the largest error
# for the log. The block computes the largest error in the middle, so the
# tape records this computation: two ops that no gradient will ever need.
#
# Keep the line with `worst` where it is, before the loss, but do not let the tape record it.
# `step(w)` returns the derivative of the loss and the largest error.

# %%
import minitape as tf

x = tf.constant([1.0, 2.0, 3.0])
y = tf.constant([1.0, 5.0, 4.0])


# %%
def step(w):
    """Return the derivative of the loss at w, a variable, and the largest error."""
    # TODO
    with tf.GradientTape() as tape:
        error = w * x - y
        worst = tf.reduce_max(tf.abs(error))
        loss = tf.reduce_mean(error**2)
    # END
    return tape.gradient(loss, w), worst


# %%
slope, worst = step(tf.Variable(1.0))
print("derivative:", slope.numpy(), " largest error:", worst.numpy())

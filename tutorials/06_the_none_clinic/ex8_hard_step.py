# %% [markdown]
# # Ward B, patient 8: the hard step
#
# A score above 0 means yes, and any other score means no. The loss counts the wrong answers, and its gradient
# is None. If you nudge `w`, no answer changes, so the count stays the same. A count is piecewise constant.
#
# Make the decision smooth. Instead of yes (1) or no (0), compute the probability of a yes, which
# is 1 / (1 + exp(-score)), and keep the rest. TensorFlow has an op for this curve.

# %%
import minitape as tf

x = tf.constant([-2.0, -1.0, 1.0, 3.0])
truth = tf.constant([0.0, 0.0, 1.0, 1.0])


# %%
def slope(w):
    """Return how the loss changes with w, a variable."""
    # TODO
    with tf.GradientTape() as tape:
        score = w * x - 0.5
        answer = tf.cast(score > 0.0, tf.float32)
        loss = tf.reduce_mean((answer - truth) ** 2)
    return tape.gradient(loss, w)
    # END


# %%
print("slope:", slope(tf.Variable(0.25)))

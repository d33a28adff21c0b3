# %% [markdown]
# # Ward B, patient 8: the hard step
#
# Yes or no: a score above 0 is a yes. The loss counts the wrong answers, and its slope is None.
# Nudge w: no answer flips, the count stays. A count is piecewise constant.
#
# Make the decision soft. In place of yes (1) or no (0) compute the probability of a yes,
# 1 / (1 + exp(-score)), and keep the rest. TensorFlow has an op for this curve.

# %%
import minitape as tf

x = tf.constant([-2.0, -1.0, 1.0, 3.0])
truth = tf.constant([0.0, 0.0, 1.0, 1.0])


# %%
def slope(w):
    """How the loss moves with w, a variable."""
    # TODO
    with tf.GradientTape() as tape:
        score = w * x - 0.5
        answer = tf.sigmoid(score)
        loss = tf.reduce_mean((answer - truth) ** 2)
    return tape.gradient(loss, w)
    # END


# %%
print("slope:", slope(tf.Variable(0.25)))

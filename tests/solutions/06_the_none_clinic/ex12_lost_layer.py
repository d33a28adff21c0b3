# %% [markdown]
# # Ward C, patient 12: the lost layer
#
# The program has two layers, one after the other. Training changes only the second layer, because the gradient
# for the first layer is None. This time, the tape is correct about the program, but the program is wrong.
#
# Fix the block so that `x` goes through the first layer and then through the second layer, and
# `slopes(first, second)` returns a list of two derivatives.

# %%
import minitape as tf

x = tf.constant([0.5, -1.0, 2.0])
y = tf.constant([0.3, -0.6, 0.9])


# %%
def slopes(first, second):
    """Return how the loss changes with the weight of each layer; both weights are variables."""
    # TODO
    with tf.GradientTape() as tape:
        h = tf.tanh(first * x)
        h = tf.tanh(second * h)
        loss = tf.reduce_mean((h - y) ** 2)
    return tape.gradient(loss, [first, second])
    # END


# %%
print("slopes:", slopes(tf.Variable(0.5), tf.Variable(2.0)))

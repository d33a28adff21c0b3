# %% [markdown]
# # Ward B, patient 5: the detour
#
# You have the returns of two stocks over three weeks. The risk is the spread of the weekly
# returns. Of which stock should you hold less? The tape returns None.
#
# Fix the block so that `slopes(weights)` returns the gradient of the risk.

# %%
import minitape as tf

returns = tf.constant([[1.0, 3.0], [2.0, -1.0], [4.0, 2.0]])


# %%
def slopes(weights):
    """Return how the risk changes with each weight; weights is a variable with two numbers."""
    # TODO
    with tf.GradientTape() as tape:
        weekly = tf.reduce_sum(returns * weights, axis=1)
        scatter = tf.math.reduce_variance(weekly)
        risk = tf.sqrt(scatter)
    return tape.gradient(risk, weights)
    # END


# %%
print("slopes:", slopes(tf.Variable([0.5, 0.5])))

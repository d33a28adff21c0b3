# %% [markdown]
# # Ward B, patient 5: the detour
#
# Two shares in three weeks. The risk is how much the returns scatter. Which share should we hold
# less of? The tape says None.
#
# Fix the block so that `slopes(weights)` returns the slopes of the risk.

# %%
import numpy as np

import minitape as tf

returns = tf.constant([[1.0, 3.0], [2.0, -1.0], [4.0, 2.0]])


# %%
def slopes(weights):
    """How the risk moves with each weight; weights is a variable of two numbers."""
    # TODO
    with tf.GradientTape() as tape:
        weekly = tf.reduce_sum(returns * weights, axis=1)
        scatter = np.var(weekly)
        risk = tf.sqrt(scatter)
    return tape.gradient(risk, weights)
    # END


# %%
print("slopes:", slopes(tf.Variable([0.5, 0.5])))

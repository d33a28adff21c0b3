# %% [markdown]
# # Watch as little as possible
#
# Three of the four gradients of the loss are None. Change the block so that the tape computes all four.
#
# - Do not change how the four sources are created.
# - Watch only what has to be watched: the check fails for each unnecessary `watch`.
#
# Your solution is correct when the four gradients are 6.0, 4.0, 2.0 and 12.0.

# %%
import minitape as tf

weight = tf.Variable(3.0)
scale = tf.Variable(2.0, trainable=False)
shift = tf.Variable(0.0) + 1.0
data = tf.constant(6.0)

# %%
# TODO
with tf.GradientTape() as tape:
    loss = weight**2 + scale**2 + shift**2 + data**2
# END

# %%
slopes = tape.gradient(loss, [weight, scale, shift, data])
print([None if slope is None else float(slope) for slope in slopes])

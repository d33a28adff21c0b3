# %% [markdown]
# # As little watching as possible
#
# The loss depends on four numbers. Three of their gradients are None. Change the block so that the tape finds all four.
#
# - Do not change how the four are created.
# - Watch only what needs it: the check fails for each unnecessary `watch`.
#
# It is right when the four gradients are 6.0, 4.0, 2.0 and 12.0.

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

# %% [markdown]
# # Ward C, patient 10: created again
#
# Three beads sit on a wire, with a spring between neighbors. We want only the pull on the middle
# bead, which is the derivative of the energy with respect to `position[1]`. The tape returns None.
#
# Fix the block so that `pull(position)` returns this one derivative as a scalar.

# %%
import minitape as tf


# %%
def pull(position):
    """Return how the energy changes with the middle one of three positions; position is a variable."""
    # TODO
    with tf.GradientTape() as tape:
        stretch = position[1:] - position[:-1]
        energy = tf.reduce_sum(stretch**2)
    return tape.gradient(energy, position[1])
    # END


# %%
print("pull:", pull(tf.Variable([0.0, 1.0, 4.0])))

# %% [markdown]
# # Ward C, patient 10: created again
#
# Three beads on a wire, with a spring between neighbors. We want the pull on the middle bead only:
# the slope of the energy with respect to position[1]. The tape says None.
#
# Fix the block so that `pull(position)` returns that one slope, a scalar.

# %%
import minitape as tf


# %%
def pull(position):
    """How the energy moves with the middle one of three positions; position is a variable."""
    # TODO
    with tf.GradientTape() as tape:
        stretch = position[1:] - position[:-1]
        energy = tf.reduce_sum(stretch**2)
    return tape.gradient(energy, position[1])
    # END


# %%
print("pull:", pull(tf.Variable([0.0, 1.0, 4.0])))

# %% [markdown]
# # Ward A, patient 1: the quiet constant
#
# Which pixel matters most? That is the slope of the score with respect to the picture. The
# picture has four pixels, the score has a formula, and the answer is None.
#
# Fix the block so that `slopes(picture)` returns the four slopes.

# %%
import minitape as tf

weights = tf.constant([0.5, -1.0, 2.0, 0.0])


# %%
def slopes(picture):
    """How much the score moves with each pixel."""
    # TODO
    with tf.GradientTape() as tape:
        tape.watch(picture)
        score = tf.reduce_sum(weights * picture**2)
    return tape.gradient(score, picture)
    # END


# %%
picture = tf.constant([1.0, 2.0, 3.0, 4.0])
print("slopes:", slopes(picture))

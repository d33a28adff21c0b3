# %% [markdown]
# # Ward A, patient 1: the quiet constant
#
# Which pixel matters most? The gradient of the score with respect to the picture answers this
# question. The picture has four pixels, and the score has a formula, but the gradient is None.
#
# Fix the block so that `slopes(picture)` returns the four derivatives.

# %%
import minitape as tf

weights = tf.constant([0.5, -1.0, 2.0, 0.0])


# %%
def slopes(picture):
    """Return how much the score changes with each pixel."""
    # TODO
    with tf.GradientTape() as tape:
        score = tf.reduce_sum(weights * picture**2)
    return tape.gradient(score, picture)
    # END


# %%
picture = tf.constant([1.0, 2.0, 3.0, 4.0])
print("slopes:", slopes(picture))

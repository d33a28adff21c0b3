# %% [markdown]
# # Ward B, patient 7: the integer
#
# How does the area of a square change with its side? Someone noticed that the side is an integer
# and added a cast, but the tape still returns None.
#
# Fix the block so that `slope(side)` returns the derivative
# of the area. The side is a Python number, such as 4.

# %%
import minitape as tf


# %%
def slope(side):
    """Return how the area of a square changes with its side."""
    # TODO
    length = tf.Variable(side)
    with tf.GradientTape() as tape:
        area = tf.cast(length, tf.float32) ** 2
    return tape.gradient(area, length)
    # END


# %%
print("slope:", slope(4))

# %% [markdown]
# # Ward B, patient 7: the integer
#
# The area of a square, and how it moves with the side. Somebody has seen that the side is a whole
# number and has put a cast in. It still says None.
#
# Fix the block, so that `slope(side)` returns the slope of the area. The side comes as a Python
# number: 4, say.

# %%
import minitape as tf


# %%
def slope(side):
    """How the area of a square moves with its side."""
    # TODO
    length = tf.Variable(float(side))
    with tf.GradientTape() as tape:
        area = length**2
    return tape.gradient(area, length)
    # END


# %%
print("slope:", slope(4))

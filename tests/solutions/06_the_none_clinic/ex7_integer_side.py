# %% [markdown]
# # Ward B, patient 7: the integer
#
# The area of a square, and how it moves with the side. Somebody noticed that the side is an integer
# and added a cast. The tape still says None.
#
# Fix the block so that `slope(side)` returns the slope of the area. The side is a Python
# number, such as 4.

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

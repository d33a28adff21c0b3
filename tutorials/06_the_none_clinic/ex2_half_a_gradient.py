# %% [markdown]
# # Ward A, patient 2: half a gradient
#
# This patient looks healthy: the tape returns a number, without any message. But the number is
# wrong, as the line "by hand" shows.
#
# Fix the block so that `slope(x)` returns the whole derivative of y = x² + 3x.

# %%
import minitape as tf


# %%
def slope(x):
    """Return the derivative of x² + 3x at the constant x."""
    # TODO
    with tf.GradientTape() as tape:
        square = x * x
        tape.watch(x)
        y = square + 3.0 * x
    return tape.gradient(y, x)
    # END


# %%
def y_at(x):
    return x**2 + 3.0 * x


print("the tape:", slope(tf.constant(2.0)))
print("by hand: ", round((y_at(2.001) - y_at(1.999)) / 0.002, 3))

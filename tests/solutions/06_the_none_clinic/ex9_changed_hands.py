# %% [markdown]
# # Ward C, patient 9: the name that changed hands
#
# The program moves along the curve y = x³ in steps of 1 and computes the derivative at each
# point. At the first point, the derivative is correct. After that, all derivatives are None.
#
# Fix the block so that `walk(start, steps)` returns the list of derivatives at `start`,
# `start + 1`, `start + 2` and so on.

# %%
import minitape as tf


# %%
def walk(start, steps):
    """Return the derivatives of x³ at start, start + 1 and so on, one for each step; start is a float."""
    slopes = []
    x = tf.Variable(start)
    for _ in range(steps):
        # TODO
        with tf.GradientTape() as tape:
            y = x**3
        slopes.append(tape.gradient(y, x))
        x.assign_add(1.0)
        # END
    return slopes


# %%
for slope in walk(1.0, 3):
    print("slope:", slope)

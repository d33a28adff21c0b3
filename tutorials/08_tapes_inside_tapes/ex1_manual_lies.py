# %% [markdown]
# # The manual is out of date
#
# An old TensorFlow manual shows how to compute a second derivative:
#
#     x = tf.constant(3.0)
#     with tf.GradientTape() as g:
#         with tf.GradientTape() as gg:
#             gg.watch(x)
#             y = x * x
#         dy_dx = gg.gradient(y, x)       # Will compute to 6.0
#     d2y_dx2 = g.gradient(dy_dx, x)      # Will compute to 2.0
#
# In 2018, this code computed both numbers. Today, the second result is None. The function below
# does what the manual shows, for any `f`. Fix the block.

# %%
import minitape as tf


# %%
def two_slopes(f, x):
    """Return the derivative of f at the constant x, and the second derivative."""
    # TODO
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        slope = inner.gradient(y, x)
    return slope, outer.gradient(slope, x)
    # END


# %%
slope, bend = two_slopes(lambda x: x * x, tf.constant(3.0))
print("dy/dx =", slope)
print("d²y/dx² =", bend)

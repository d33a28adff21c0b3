# %% [markdown]
# # The manual lies
#
# An old manual of TensorFlow shows how to get a second derivative:
#
#     x = tf.constant(3.0)
#     with tf.GradientTape() as g:
#         with tf.GradientTape() as gg:
#             gg.watch(x)
#             y = x * x
#         dy_dx = gg.gradient(y, x)       # Will compute to 6.0
#     d2y_dx2 = g.gradient(dy_dx, x)      # Will compute to 2.0
#
# In 2018 that was true. Today the second answer is None. The function below does what the manual
# says, for any f. Fix the block.

# %%
import minitape as tf


# %%
def two_slopes(f, x):
    """The slope of f at the constant x, and the slope of the slope."""
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

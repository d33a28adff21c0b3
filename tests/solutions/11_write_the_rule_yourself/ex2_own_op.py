# %% [markdown]
# # An op that TensorFlow does not have
#
# There is no `tf.cbrt`. NumPy has one, even for negative numbers: the cube root of -8 is -2. But
# the tape does not record NumPy, so the gradient is None.
#
# You know the slope, though. Call the root s. From s³ = x follows 3 s² · ds = dx.
#
# **Task:** make `cube_root` an op with its own rule, with `tf.custom_gradient`. NumPy may still
# compute the value. The gradient must be right wherever the op is used in a program: alone, in
# the middle, at negative numbers, and **twice**: the gradient of the gradient, too.
#
# **Given:** the value. For the second derivative a tape will look at what your *rule* computes.
# What does it see if the rule uses a number that NumPy computed?

# %%
import numpy as np

import minitape as tf


# TODO
@tf.custom_gradient
def cube_root(x):
    s = tf.constant(np.cbrt(x.numpy()))

    def rule(ybar):
        return ybar / (3.0 * cube_root(x) ** 2)

    return s, rule


# END

# %%
x = tf.Variable(8.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = 6.0 * cube_root(x)
    slope = inner.gradient(y, x)
print("6 · cube root of 8:", y.numpy())
print("its slope, 6/12:   ", slope)
if slope is not None:
    print("its bend, -1/24:   ", outer.gradient(slope, x))

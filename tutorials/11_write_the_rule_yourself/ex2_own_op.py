# %% [markdown]
# # An op that TensorFlow does not have
#
# There is no `tf.cbrt`. NumPy has `np.cbrt`, which also supports negative numbers: the cube root
# of -8 is -2. But the tape does not record NumPy functions, so the gradient is None.
#
# However, you know the derivative. Let s be the root. From s³ = x, it follows that 3 s² · ds = dx.
#
# **Task:** Make `cube_root` an op with its own rule, with `tf.custom_gradient`. NumPy may still compute
# the value. The gradient must be correct wherever a program uses the op: alone, in the middle, for
# negative numbers, and **twice**, which means that the gradient of the gradient must be correct too.
#
# **Given:** the value. For the second derivative, an outer tape records what your *rule*
# computes. What can this tape record if the rule uses a number that NumPy computed?

# %%
import numpy as np

import minitape as tf


# TODO
def cube_root(x):
    return tf.constant(np.cbrt(x.numpy()))


# END

# %%
x = tf.Variable(8.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = 6.0 * cube_root(x)
    slope = inner.gradient(y, x)
print("6 · cube root of 8:       ", y.numpy())
print("derivative, 6/12:         ", slope)
if slope is not None:
    print("second derivative, -1/24: ", outer.gradient(slope, x))

# %% [markdown]
# # 9. Jacobians, row by row
#
# `gradient` returns the sum of the rows of a matrix, the Jacobian, and `jacobian` returns the matrix
# itself. Entry (i, j) shows how output i changes with input j. Each row needs its own backward pass.

# %%
import numpy as np

import minitape as tf

np.set_printoptions(precision=4, suppress=True)

# %% [markdown]
# ## The Jacobian
#
# The target has two entries, and each is the square of its own input. Predict the four numbers of
# the Jacobian at (1, 2). Then predict what `gradient` computes from these numbers.

# %%
x = tf.constant([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
print(tape.jacobian(y, x).numpy())
print("the sum of its rows:", tape.gradient(y, x).numpy())

# %% [markdown]
# Now there are two outputs and three inputs: x0² and sin(x1). First predict the shape, and then the last column.

# %%
x = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.stack([x[0] ** 2, tf.sin(x[1])])
print(tape.jacobian(y, x).numpy())

# %% [markdown]
# Run `minitape graph lesson.py --call 3`. It draws the backward pass. `y` itself is a vector of
# two elements, with one axis. Only the *Jacobian* has two axes.
#
# ## The shape of a Jacobian
#
# The shape of a Jacobian is the shape of the target, followed by the shape of the source. Predict
# all three shapes below. Seven examples with five inputs go through a layer with ten outputs.

# %%
x = tf.ones([7, 5])
kernel = tf.Variable(tf.fill([5, 10], 0.1))
scale = tf.Variable(1.0)
with tf.GradientTape(persistent=True) as tape:
    y = tf.nn.relu(scale * (x @ kernel))
print("y:", tuple(y.shape))
print("with respect to the kernel:", tuple(tape.jacobian(y, kernel).shape))
print("with respect to the scale:", tuple(tape.jacobian(y, scale).shape))

# %% [markdown]
# ## The matrix of second derivatives
#
# The Jacobian of a gradient is the Hessian. For x0² · x1, the
# gradient is (2 x0 x1, x0²). Predict the Hessian at (1, 3).

# %%
x = tf.Variable([1.0, 3.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x[0] ** 2 * x[1]
    slope = inner.gradient(y, x)
print(outer.jacobian(slope, x).numpy())

# %% [markdown]
# ## Many small Jacobians
#
# In a batch, each row of the output is often computed only from the same row of the input. Most entries
# of the whole Jacobian are then zero. `batch_jacobian` returns one small Jacobian for each row.

# %%
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
print(tape.batch_jacobian(y, x).numpy())
print("the whole Jacobian has the shape", tuple(tape.jacobian(y, x).shape))

# %% [markdown]
# ## When `batch_jacobian` is wrong
#
# `batch_jacobian` *assumes* that your rows are independent. For each row of the input, it adds up the derivatives
# of all outputs of the batch, because the outputs of other rows should not depend on this row. Here they do: the
# program subtracts the mean of both rows from each row. Predict how `y[0, 0]` changes with `x[0, 0]`.

# %%
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x - tf.reduce_mean(x, axis=0)
print("claimed:", tape.batch_jacobian(y, x).numpy()[0, 0])
print("true:   ", tape.jacobian(y, x).numpy()[0, 0, 0])

# %% [markdown]
# The mean subtracts half of the change, so 0.5 is correct. The derivative of row 0 is +0.5, the derivative of row
# 1 is -0.5, and their sum is 0. There is no error and no warning, but the result is wrong. This happens with
# everything that mixes the rows of a batch, such as batch normalization, a softmax over the wrong axis, or a sort.
#
# Remember: `gradient` adds up the rows, `jacobian` returns them, and `batch_jacobian` trusts you.

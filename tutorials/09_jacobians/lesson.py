# %% [markdown]
# # 9. Jacobians, row by row
#
# `gradient` returns one number for each input: the rows of a table, added up. `jacobian` returns
# the table. Entry (i, j) says how output i moves with input j. Each row needs its own backward pass.

# %%
import numpy as np

import minitape as tf

np.set_printoptions(precision=4, suppress=True)

# %% [markdown]
# ## The table
#
# Two outputs, each the square of its own input. Predict the four numbers at (1, 2), and then what
# `gradient` makes of them.

# %%
x = tf.constant([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
print(tape.jacobian(y, x).numpy())
print("its rows added up:", tape.gradient(y, x).numpy())

# %% [markdown]
# Two outputs of three inputs: x0² and sin(x1). Predict the shape first. Then the last column.

# %%
x = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.stack([x[0] ** 2, tf.sin(x[1])])
print(tape.jacobian(y, x).numpy())

# %% [markdown]
# Look: `minitape graph lesson.py --call 3` draws the backward pass. `y` itself is a vector of two
# elements, with one axis; only the *table* has two axes.
#
# ## The shape of a table
#
# The rule: the shape of the target, then the shape of the source. Predict all three shapes: seven
# examples with five inputs go through a layer with ten outputs.

# %%
x = tf.ones([7, 5])
kernel = tf.Variable(tf.fill([5, 10], 0.1))
scale = tf.Variable(1.0)
with tf.GradientTape(persistent=True) as tape:
    y = tf.nn.relu(scale * (x @ kernel))
print("y:", tuple(y.shape))
print("by the kernel:", tuple(tape.jacobian(y, kernel).shape))
print("by the scale:", tuple(tape.jacobian(y, scale).shape))

# %% [markdown]
# ## The table of second derivatives
#
# The jacobian of a gradient is the Hessian. For x0² · x1 the gradient is (2 x0 x1, x0²). Predict
# the table at (1, 3).

# %%
x = tf.Variable([1.0, 3.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x[0] ** 2 * x[1]
    slope = inner.gradient(y, x)
print(outer.jacobian(slope, x).numpy())

# %% [markdown]
# ## Many small tables
#
# In a batch each row of the output is computed from the same row of the input. The whole table is
# then mostly zeros. `batch_jacobian` returns one small table for each row.

# %%
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
print(tape.batch_jacobian(y, x).numpy())
print("the whole table has the shape", tuple(tape.jacobian(y, x).shape))

# %% [markdown]
# ## And when it lies
#
# It *trusts* that your rows are independent. For each row of the input, it adds up the slopes of all
# outputs of the batch, because the other outputs should not depend on this row. Here they do: each row is compared with the mean
# of all rows. Predict how y[0, 0] moves with x[0, 0]. There are two rows.

# %%
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x - tf.reduce_mean(x, axis=0)
print("claimed:", tape.batch_jacobian(y, x).numpy()[0, 0])
print("true:   ", tape.jacobian(y, x).numpy()[0, 0, 0])

# %% [markdown]
# The mean takes half of it away, so 0.5 is right. Row 0 has +0.5, row 1 has -0.5, and their sum is
# 0. No error, no warning, and plainly wrong. Everything that looks across the batch does this:
# batch normalization, a softmax over the wrong axis, a sort.
#
# Take home: `gradient` adds up, `jacobian` shows all, `batch_jacobian` believes you.

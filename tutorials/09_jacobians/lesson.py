# %% [markdown]
# # 9. Jacobians, row by row
#
# `gradient` adds up the rows of a table. `jacobian` shows the table: entry (i, j) says how output
# i moves with input j. Each row is a walk back of its own; minitape does all of them in one walk.

# %%
import numpy as np

import minitape as tf

np.set_printoptions(precision=4, suppress=True)

# %%
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
print(tape.jacobian(y, x).numpy())

# %% [markdown]
# Two outputs of three inputs: 2 by 3. Nothing depends on the third input, so its column is zero.

# %%
x = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.stack([x[0] ** 2, tf.sin(x[1])])
print(tape.jacobian(y, x).numpy())

# %% [markdown]
# In a batch each row is computed from the same row of the input. `batch_jacobian` gives one small
# table for each, instead of a big one that is mostly zeros.

# %%
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
print(tape.batch_jacobian(y, x).numpy())
print("the whole table has the shape", tuple(tape.jacobian(y, x).shape))

# %% [markdown]
# It trusts you that the rows are independent, and does not check. Here each row is compared with
# the mean of all of them, and `batch_jacobian` is silently wrong.

# %%
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x - tf.reduce_mean(x, axis=0)
print("claimed:", tape.batch_jacobian(y, x).numpy()[0, 0])
print("true:   ", tape.jacobian(y, x).numpy()[0, 0, 0])

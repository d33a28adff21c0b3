# %% [markdown]
# # 5. The life of a tape
#
# You open a tape, it records, you close it, and it answers once. Then it releases its resources.
# Why? The tape must keep the values that the backward pass needs, and keeping them costs memory.
# This lesson shows when the tape releases these values.

# %%
import minitape as tf

# %% [markdown]
# ## See: one answer
#
# Let y = x² and z = y² at 3. The tape answers your first question. Predict what happens with the second question.

# %%
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
    z = y * y

print("dz/dx =", tape.gradient(z, x).numpy())
try:
    tape.gradient(y, x)
except RuntimeError:
    print("the second question: RuntimeError")

# %% [markdown]
# In the backward pass, the tape removed each entry from its list as soon as the entry had paid.
# At the end, the list was empty, and its memory was free.

# %% [markdown]
# ## A tape that keeps its list
#
# A persistent tape keeps its list, so it can answer again: dz/dx = 4x³ and dy/dx = 2x.

# %%
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
    z = y * y

print("dz/dx =", tape.gradient(z, x).numpy())
print("dy/dx =", tape.gradient(y, x).numpy())

# %% [markdown]
# The tape keeps its list for as long as the tape exists. `del tape` releases the list. Make it a
# habit to write `del tape` whenever you use `persistent=True`.

# %%
del tape

# %% [markdown]
# For a vector, the tape returns the same derivatives, one for each entry. Predict all four numbers.

# %%
x = tf.constant([1.0, 3.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
    z = y * y

print("dz/dx =", tape.gradient(z, x).numpy())
print("dy/dx =", tape.gradient(y, x).numpy())
del tape

# %% [markdown]
# ## You often do not need a persistent tape
#
# You can request two gradients in one call, as in lesson 4. For that, a plain tape is enough.

# %%
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
    z = y * y

by_x, by_y = tape.gradient(z, [x, y])
print("dz/dx =", by_x.numpy())
print("dz/dy =", by_y.numpy())

# %% [markdown]
# ## Ask after the block
#
# While the block is open, the tape records. If you ask it for a gradient inside its block,
# the tape also records the backward pass, which wastes memory and time. Therefore, ask after the
# block. The tape does not record what you compute after the block:

# %%
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
late = y * y
print("late with respect to x:", tape.gradient(late, x))

# %% [markdown]
# ## Open again
#
# You can open the same tape a second time. It continues
# where it stopped. Since y = x² and z = 2y, predict dz/dx.

# %%
with tf.GradientTape() as tape:
    y = x * x
between = y + 100.0
with tape:
    z = 2.0 * y
print("dz/dx =", tape.gradient(z, x).numpy())

# %% [markdown]
# ## What it costs
#
# Not every op has to keep values. A product keeps both factors, `exp` keeps its output, and a sum
# keeps nothing (lesson 2, exercise 3). In a terminal with at least 100 columns,
# `minitape trace lesson.py` shows the kept values in the last column. A vector of a million
# float32 numbers that a tape keeps for the backward pass takes 4 MB.
#
# Two habits keep the memory small. First, put only what needs a gradient into the block, and keep
# preparations and statistics out of it. Second, use one tape for each batch instead of one for all.

# %%
data = [tf.fill([1000], float(k)) for k in range(1, 5)]
w = tf.Variable(2.0)

total = 0.0
for batch in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * batch) ** 2)
    total += tape.gradient(loss, w)      # after this line, the tape has released the list of this batch
print("with respect to w, batch by batch:", total.numpy())

# %% [markdown]
# The gradient of a sum is the sum of the gradients. The result is therefore the same, and at no
# time does a tape keep more than the values of one batch.
#
# ## What to take home
#
# - A plain tape answers once, and releases its values during the backward pass.
# - A tape with `persistent=True` can answer again, and keeps all values until `del tape`.
# - You can ask for the gradients with respect to several sources in one call.
# - Keep blocks small, and use one tape for each batch.
#
# Four exercises are waiting. Start with `minitape lesson run 05/ex1`.

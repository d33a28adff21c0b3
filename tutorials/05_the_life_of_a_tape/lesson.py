# %% [markdown]
# # 5. The life of a tape
#
# A tape is opened, it records, it is closed, it answers, and its resources are released. Why? Because it
# must keep the values that the backward pass needs, and that costs memory. This lesson is about
# when it releases them.

# %%
import minitape as tf

# %% [markdown]
# ## See: one answer
#
# y = x² and z = y² at 3. The tape answers the first question. Predict what happens with the second one.

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
# In the backward pass, the tape tore each entry off the list as soon as it had paid. At the end, the
# list was empty, and the memory was free.

# %% [markdown]
# ## A tape that stays
#
# A persistent tape keeps its list and answers again: dz/dx = 4x³ and dy/dx = 2x.

# %%
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
    z = y * y

print("dz/dx =", tape.gradient(z, x).numpy())
print("dy/dx =", tape.gradient(y, x).numpy())

# %% [markdown]
# It keeps the list for as long as the tape exists. `del tape` releases it; make this a habit with
# `persistent=True`.

# %%
del tape

# %% [markdown]
# With a vector, the tape returns the same slopes, one for each entry. Predict four numbers.

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
# ## Often it is not needed
#
# Two sources are one question, as in lesson 4. Pass both at once, and a plain tape will do.

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
# While the block is open, the tape records. If you ask a persistent tape inside its own block,
# it records the backward pass as well, for nothing. So ask after the block. What is computed after
# the block is not recorded:

# %%
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
late = y * y
print("late with respect to x:", tape.gradient(late, x))

# %% [markdown]
# ## Open again
#
# You can open the same tape a second time. It continues where it stopped. Predict: y = x² and then
# z = 2y, so dz/dx is...

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
# Not every op keeps something. A product keeps both factors, exp keeps its output, a sum keeps
# nothing (lesson 2, exercise 3). `minitape trace lesson.py` shows it in the last column, in a
# terminal with 100 columns or more. A vector of a million float32 numbers that waits for the
# backward pass takes 4 MB.
#
# Two habits keep that small. Let a tape see only what needs a gradient: preparations and
# statistics stay out of the block. And use one tape for each batch instead of one for all.

# %%
data = [tf.fill([1000], float(k)) for k in range(1, 5)]
w = tf.Variable(2.0)

total = 0.0
for batch in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * batch) ** 2)
    total += tape.gradient(loss, w)      # the list of this batch is gone after this line
print("with respect to w, batch by batch:", total.numpy())

# %% [markdown]
# The gradient of a sum is the sum of the gradients. So nothing is lost, and at no time does the
# tape keep more than the values of one batch.
#
# ## What to take home
#
# - A plain tape answers once, and releases its values as it goes.
# - `persistent=True` answers again, and keeps all values until `del tape`.
# - Several sources are one question.
# - Small blocks, one tape for each batch.
#
# Four exercises are waiting: `minitape lesson run 05/ex1`.

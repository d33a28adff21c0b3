# %% [markdown]
# # 5. The life of a tape
#
# A tape is opened, it records, it is closed, it answers, and its resources are released. Why? Because it
# has to hold on to numbers that the backward pass needs, and that costs memory. This lesson is about
# when it lets go.

# %%
import minitape as tf

# %% [markdown]
# ## See: one answer
#
# y = x² and z = y² at 3. The first question is answered. Predict what the second one gives.

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
# On the backward pass, each entry was torn off the list as soon as it had paid. When the answer was
# there, the list was empty, and so was the memory.

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
# It keeps it for as long as the tape lives. `del tape` lets go: the habit that goes with
# `persistent=True`.

# %%
del tape

# %% [markdown]
# With a vector the same slopes come out, one for each entry. Predict four numbers.

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
# Two sources are one question, as in lesson 4. Give the tape both at once, and a plain one will do.

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
# While the block is open, the tape records. A persistent tape that is asked inside its own block
# would write the backward pass down as well, for nothing. So the question comes after the block. What
# is computed after it is not recorded:

# %%
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
late = y * y
print("late by x:", tape.gradient(late, x))

# %% [markdown]
# ## Open again
#
# The same tape may be opened a second time. It goes on where it was. Predict: y = x² and then
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
# Not every op keeps something. A product keeps both factors, exp keeps what came out, a sum keeps
# nothing (lesson 2, exercise 3). `minitape trace lesson.py` says it in the last column, in a
# terminal of 100 letters or more. A vector of a million float32 numbers that waits for the walk
# back takes 4 MB.
#
# Two habits keep that small. Let a tape see only what needs a gradient: what comes before, or is
# only looked at, stays out of the block. And use one tape for each batch instead of one around all.

# %%
data = [tf.fill([1000], float(k)) for k in range(1, 5)]
w = tf.Variable(2.0)

total = 0.0
for batch in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * batch) ** 2)
    total += tape.gradient(loss, w)      # the list of this batch is gone after this line
print("by w, batch by batch:", total.numpy())

# %% [markdown]
# The gradient of a sum is the sum of the gradients. So nothing is lost by it, and at no time are
# there more numbers to keep than those of one batch.
#
# ## What to take home
#
# - A plain tape answers once, and frees what it holds on the way.
# - `persistent=True` answers again, and holds it all until `del tape`.
# - Several sources are one question.
# - Small blocks, one tape for each batch.
#
# Three exercises wait: `minitape lesson run 05/ex1`.

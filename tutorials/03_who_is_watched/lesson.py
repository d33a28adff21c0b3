# %% [markdown]
# # 3. Who is being watched?
#
# A tape follows what it watches, and what is computed from that. It watches trainable variables
# automatically. Everything else it watches only on request. Most gradients of `None`
# come from a programmer who expected otherwise.

# %%
import minitape as tf


def show(name, slope):
    print(name, "None" if slope is None else slope.numpy())

# %% [markdown]
# ## See
#
# A tape watches a variable from the moment at which the block reads it.

# %%
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
show("a variable:", tape.gradient(y, x))

# %% [markdown]
# The same with a constant. Predict: 6, 0, or something else?

# %%
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = x * x
show("a constant:", tape.gradient(y, x))

# %% [markdown]
# `None` is not zero. Zero means that a recorded path leads from x to y, but y does not change along
# it. None means that there is no recorded path. Here the tape recorded nothing, since no watched number
# went into the op.
# `tape.watch` changes that. Call it before x is used.

# %%
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
show("a constant, watched:", tape.gradient(y, x))

# %% [markdown]
# ## A variable plus one
#
# `w` is a variable. What is `w + 1.0`? An op has run, and the result of an op is a tensor.
# It has no name, you cannot assign to it, and no tape watches it automatically.

# %%
w = tf.Variable(2.0)
moved = w + 1.0
print("is w + 1.0 a variable?", isinstance(moved, tf.Variable))

with tf.GradientTape() as tape:
    y = moved * moved
show("by moved:", tape.gradient(y, moved))

# %% [markdown]
# And with respect to w? The op that made `moved` ran before this tape existed. The tape saw no use of w.
# Compute inside the block, and the tape follows both: w because it is a variable, `moved` because it
# was computed from a variable.

# %%
with tf.GradientTape() as tape:
    moved = w + 1.0
    y = moved * moved
by_w, by_moved = tape.gradient(y, [w, moved])
show("with respect to w:", by_w)
show("by moved:", by_moved)

# %% [markdown]
# ## Variables that do not learn
#
# Some variables only store something: a counter, a running mean. They are created with
# `trainable=False`, and a tape ignores them unless you call `watch`.

# %%
count = tf.Variable(10.0, trainable=False)
with tf.GradientTape() as tape:
    y = w * count
by_w, by_count = tape.gradient(y, [w, count])
show("with respect to w:", by_w)
show("by count:", by_count)

# %% [markdown]
# ## Ask the tape
#
# `watched_variables` lists the variables it has seen. This is the first question to ask when a
# gradient is missing.

# %%
w = tf.Variable(2.0, name="w")
b = tf.Variable(0.5, name="b")
with tf.GradientTape() as tape:
    y = w * 3.0
print([variable.name for variable in tape.watched_variables()])

# %% [markdown]
# The block never read b, so it is not on the list. (The ":0" is TensorFlow's notation for the
# first output of w.)

# %% [markdown]
# ## Watch nothing automatically
#
# The opposite: `watch_accessed_variables=False`. Then the tape follows only what you name, and
# everything else costs nothing. Predict the two.

# %%
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(w)
    y = w * w + b * b
by_w, by_b = tape.gradient(y, [w, b])
show("with respect to w:", by_w)
show("with respect to b:", by_b)

# %% [markdown]
# ## Look
#
# `minitape explain lesson.py` goes through all the Nones of this lesson and explains, for each, the
# line and the reason. `minitape graph lesson.py --call 7` draws the last one: what
# was followed, and what was not.
#
# ## What to take home
#
# - Watched: trainable variables that the block reads, and what was passed to `watch`.
# - The result of an op is a tensor. A tape follows what is computed from something watched.
# - None means "no recorded path", and 0 means "does not change".
#
# Four exercises are waiting: `minitape lesson run 03/ex1`.

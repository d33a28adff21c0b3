# %% [markdown]
# # 3. Who is being watched?
#
# A tape follows what it watches, and what is computed from that. It watches trainable variables
# automatically. Everything else it watches only on request. Most gradients that come back as `None`
# come from a reader who thought otherwise.

# %%
import minitape as tf


def show(name, slope):
    print(name, "None" if slope is None else slope.numpy())

# %% [markdown]
# ## See
#
# A variable is watched from the moment at which the block reads it.

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
# `None` is not zero. Zero means: a recorded path leads from x to y, and y does not change along it.
# None means: no recorded path leads there. Here the tape recorded nothing, since no watched number
# went into the op. `tape.watch` changes that. It has to come before x is used.

# %%
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
show("a constant, watched:", tape.gradient(y, x))

# %% [markdown]
# ## A variable plus one
#
# `w` is a variable. What is `w + 1.0`? An op has run, and what comes out of an op is a tensor.
# It has no name, it cannot be assigned to, and no tape watches it automatically.

# %%
w = tf.Variable(2.0)
moved = w + 1.0
print("is w + 1.0 a variable?", isinstance(moved, tf.Variable))

with tf.GradientTape() as tape:
    y = moved * moved
show("by moved:", tape.gradient(y, moved))

# %% [markdown]
# And by w? The op that made `moved` ran before this tape was there. The tape saw nobody use w.
# Compute inside the block, and both are followed: w because it is a variable, `moved` because it
# was computed from one.

# %%
with tf.GradientTape() as tape:
    moved = w + 1.0
    y = moved * moved
by_w, by_moved = tape.gradient(y, [w, moved])
show("by w:", by_w)
show("by moved:", by_moved)

# %% [markdown]
# ## Variables that do not learn
#
# Some variables only keep something: a counter, a running mean. They are made with
# `trainable=False`, and a tape ignores them unless you call `watch`.

# %%
count = tf.Variable(10.0, trainable=False)
with tf.GradientTape() as tape:
    y = w * count
by_w, by_count = tape.gradient(y, [w, count])
show("by w:", by_w)
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
# b was never read in the block, so it is not on the list. (The ":0" is TensorFlow's way to say:
# the first output of what is called w.)

# %% [markdown]
# ## Watch nothing automatically
#
# The other way round: `watch_accessed_variables=False`. Then the tape follows what you name, and
# what is not named costs nothing. Predict the two.

# %%
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(w)
    y = w * w + b * b
by_w, by_b = tape.gradient(y, [w, b])
show("by w:", by_w)
show("by b:", by_b)

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
# - What comes out of an op is a tensor. What is computed from something watched is followed.
# - None means "not followed", and 0 means "does not move".
#
# Four exercises wait: `minitape lesson run 03/ex1`.

# %% [markdown]
# # 3. Who is being watched?
#
# A tape follows what it watches and everything computed from that. It watches trainable variables
# automatically, and everything else only on request. Most gradients that are `None` come from a
# programmer who expected something else.

# %%
import minitape as tf


def show(name, slope):
    print(name, "None" if slope is None else slope.numpy())

# %% [markdown]
# ## See
#
# A tape watches a variable as soon as the code in the block reads the variable.

# %%
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
show("a variable:", tape.gradient(y, x))

# %% [markdown]
# Now do the same with a constant. Predict the result: 6, 0, or something else?

# %%
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = x * x
show("a constant:", tape.gradient(y, x))

# %% [markdown]
# `None` is not zero. Zero means that a recorded path leads from `x` to `y`,
# but `y` does not change along it. `None` means that there is no recorded
# path. Here, the tape recorded nothing, because it watched none of the
# inputs of the op. `tape.watch` changes that. Call it before you use `x`.

# %%
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
show("a constant, watched:", tape.gradient(y, x))

# %% [markdown]
# ## A variable plus one
#
# `w` is a variable. What is `w + 1.0`? It is the result of an op, and the result of an op is a
# tensor. A tensor has no name, you cannot assign to it, and no tape watches it automatically.

# %%
w = tf.Variable(2.0)
moved = w + 1.0
print("is w + 1.0 a variable?", isinstance(moved, tf.Variable))

with tf.GradientTape() as tape:
    y = moved * moved
show("with respect to moved:", tape.gradient(y, moved))

# %% [markdown]
# What about `w`? The op that created `moved` ran before this tape existed, so the tape saw no use
# of `w`. If you compute `moved` inside the block, the tape follows both: `w`, because it is a
# variable, and `moved`, because it was computed from a variable.

# %%
with tf.GradientTape() as tape:
    moved = w + 1.0
    y = moved * moved
by_w, by_moved = tape.gradient(y, [w, moved])
show("with respect to w:", by_w)
show("with respect to moved:", by_moved)

# %% [markdown]
# ## Variables that do not learn
#
# Some variables only store a value, such as a counter or a running mean. You create them with
# `trainable=False`, and a tape ignores them unless you call `watch`.

# %%
count = tf.Variable(10.0, trainable=False)
with tf.GradientTape() as tape:
    y = w * count
by_w, by_count = tape.gradient(y, [w, count])
show("with respect to w:", by_w)
show("with respect to count:", by_count)

# %% [markdown]
# ## Ask the tape
#
# `watched_variables` lists the variables that the tape
# watches. When a gradient is missing, look at this list first.

# %%
w = tf.Variable(2.0, name="w")
b = tf.Variable(0.5, name="b")
with tf.GradientTape() as tape:
    y = w * 3.0
print([variable.name for variable in tape.watched_variables()])

# %% [markdown]
# The code in the block never read `b`, so `b` is not on the list. (In TensorFlow's notation, ":0"
# is the first output of `w`.)

# %% [markdown]
# ## Watch nothing automatically
#
# You can also turn automatic watching off, with `watch_accessed_variables=False`. The tape then
# follows only what you pass to `watch`, and records nothing else. Predict the two gradients.

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
# `minitape explain lesson.py` goes through every `None` in this lesson and explains the line and
# the reason. `minitape graph lesson.py --call 7` draws the last tape and shows what the tape
# followed and what it did not follow.
#
# ## What to take home
#
# - A tape watches trainable variables that the block reads, and everything that you pass to `watch`.
# - The result of an op is a tensor. A tape follows a tensor that is computed from something watched.
# - `None` means "no recorded path", and 0 means "the target does not change".
#
# Four exercises are waiting. Start with `minitape lesson run 03/ex1`.

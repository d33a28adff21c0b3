# %% [markdown]
# # 6. The None clinic
#
# A tape can answer None. This means that no path on this tape leads from the source to the target.
# It does not mean zero, and it does not mean that the formula has no derivative. Usually it means
# that the program lost the path. Here you learn to find the line; twelve patients are waiting for you.

# %%
import numpy as np

import minitape as tf


def say(words, slope):
    print(words, None if slope is None else slope.numpy())


# %% [markdown]
# ## None is not zero
#
# Zero is a slope: there is a path, but the target does not change along it. None means that there is no path at all.
#
# Predict three answers before you run the cell: at -1, what are the slopes of `relu`, `sign` and
# `round`? All three curves are flat there.

# %%
x = tf.Variable(-1.0)
for op in (tf.nn.relu, tf.sign, tf.round):
    with tf.GradientTape() as tape:
        y = op(x)
    say(op.__name__, tape.gradient(y, x))

# %% [markdown]
# `relu` and `sign` have a rule, and the rule says 0. `round` has none: a slope of `round` is
# probably a mistake, so TensorFlow answers None.
#
# ## Ward A: watching
#
# The tape looked away when it mattered. Predict: h is computed from x, y from h. What is
# dy/dx?

# %%
x = tf.Variable(3.0)
# the cure: two lines down, into the block
h = x * x
with tf.GradientTape() as tape:
    y = 2.0 * h
say("before the tape:", tape.gradient(y, x))

# %% [markdown]
# ## Ward B: leaving
#
# The path left the tape. NumPy converts a tensor to an array, without its history.
# What re-enters is a constant, as if you had typed it.

# %%
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    squares = x**2
    # the cure: tf.reduce_mean(squares, axis=0)
    column_means = np.mean(squares, axis=0)
    y = tf.reduce_mean(column_means)
say("through NumPy:", tape.gradient(y, x))

# %% [markdown]
# Look: `minitape graph lesson.py --call 5` draws the tape, with scissors where the path ends.
#
# Integers cannot be differentiated either: between 10 and 11 there is nothing to move to. A cast does
# not help, because it comes after the integer. (Both engines warn about it; here the warning is
# switched off.)

# %%
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    # the cure: 10.0
    x = tf.constant(10)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cast(x, tf.float32) ** 2
    say("of an integer:", tape.gradient(y, x))

# %% [markdown]
# ## Ward C: mixing up
#
# The tape is right, and the question is about something else. Predict both epochs.

# %%
x = tf.Variable(2.0)
for epoch in range(2):
    with tf.GradientTape() as tape:
        y = x + 1
    say("a variable:" if isinstance(x, tf.Variable) else "no variable:", tape.gradient(y, x))
    # the cure: x.assign_add(1)
    x = x + 1

# %% [markdown]
# In the second epoch `x` is the name of a new tensor, which no tape watches. The variable is gone.
#
# ## A painkiller
#
# You may ask for zeros instead of None. Here is the NumPy patient again. Predict: does it help?

# %%
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_mean(np.mean(x**2, axis=0))
say("with zeros:", tape.gradient(y, x, unconnected_gradients=tf.UnconnectedGradients.ZERO))

# %% [markdown]
# The pain is gone, the illness is not. The slopes should be half of x. A training loop would now
# run in silence, and never learn.
#
# ## Is it ill at all?
#
# Sometimes None is the truth: the target does not depend on the source. So nudge. Move the source
# a little, compute again, and see whether the target moves.

# %%
x = np.array([[1.0, 2.0], [3.0, 4.0]])
nudge = np.array([[0.001, 0.0], [0.0, 0.0]])
print("the mean of squares moves by", round(np.mean((x + nudge) ** 2) - np.mean(x**2), 6))

a, b = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = b**2
say("of a stranger:", tape.gradient(z, a))

# %% [markdown]
# The first one moves, so a slope was lost. z does not contain `a`: nothing moves, and None is right.
# For such a stranger zeros are the truth, and `ZERO` is good medicine.
#
# ## Three questions for each patient
#
# 1. *Watching.* Did the tape watch the source before its first use, and did everything run inside
#    the block?
# 2. *Leaving.* Walk from the target back to the source, line by line. Is each step a TensorFlow
#    op with a slope, on floats?
# 3. *Mixing up.* Is the source the very object that you computed with?
#
# Answer them yourself first. Then ask `minitape explain`.

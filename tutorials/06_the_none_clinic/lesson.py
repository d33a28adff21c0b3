# %% [markdown]
# # 6. The None clinic
#
# A tape can return None. This means that no path on this tape leads from the source to the target. It does
# not mean that the gradient is zero, or that the formula has no derivative. Usually it means that the
# program lost the path. In this lesson, you learn to find the line. Twelve patients are waiting for you.

# %%
import numpy as np

import minitape as tf


def say(words, slope):
    print(words, None if slope is None else slope.numpy())


# %% [markdown]
# ## None is not zero
#
# Zero means that there is a path, but the target does not change along it. None means that there is no path.
#
# Before you run the cell, predict three answers: what are the derivatives of `relu`, `sign` and
# `round` at -1? All three curves are flat there.

# %%
x = tf.Variable(-1.0)
for op in (tf.nn.relu, tf.sign, tf.round):
    with tf.GradientTape() as tape:
        y = op(x)
    say(op.__name__, tape.gradient(y, x))

# %% [markdown]
# `relu` and `sign` have a rule, and the rule returns 0. `round` has no rule. A request for the
# derivative of `round` is probably a mistake, so TensorFlow returns None.
#
# ## Ward A: watching
#
# The tape did not watch when it mattered. Here, the program
# computes `h` from `x`, and `y` from `h`. Predict dy/dx.

# %%
x = tf.Variable(3.0)
# the cure: move the next line into the block
h = x * x
with tf.GradientTape() as tape:
    y = 2.0 * h
say("before the tape:", tape.gradient(y, x))

# %% [markdown]
# ## Ward B: leaving
#
# The path left the tape. NumPy converts a tensor to an array, and the array has no history. What
# comes back from NumPy is a constant, as if you had typed its values.

# %%
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    squares = x**2
    # the cure: use tf.reduce_mean(squares, axis=0)
    column_means = np.mean(squares, axis=0)
    y = tf.reduce_mean(column_means)
say("through NumPy:", tape.gradient(y, x))

# %% [markdown]
# Run `minitape graph lesson.py --call 5`. It draws the tape, with scissors where the path ends.
#
# A tape does not differentiate with respect to integers either: an integer cannot change by a
# small amount. A cast does not help, because the source itself is still an integer. (Both engines
# warn about this mistake; the code below turns the warning off.)

# %%
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    # the cure: use 10.0
    x = tf.constant(10)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cast(x, tf.float32) ** 2
    say("of an integer:", tape.gradient(y, x))

# %% [markdown]
# ## Ward C: mixing up objects
#
# The tape is correct, but the request is about a different object. Predict the result for both epochs.

# %%
x = tf.Variable(2.0)
for epoch in range(2):
    with tf.GradientTape() as tape:
        y = x + 1
    say("a variable:" if isinstance(x, tf.Variable) else "a tensor:", tape.gradient(y, x))
    # the cure: use x.assign_add(1)
    x = x + 1

# %% [markdown]
# In the second epoch, `x` is the name of a new tensor, which no tape watches. The variable has lost its name.
#
# ## A painkiller
#
# You can ask for zeros instead of None. Here is the patient from the NumPy example again. Does this option help?

# %%
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_mean(np.mean(x**2, axis=0))
say("with zeros:", tape.gradient(y, x, unconnected_gradients=tf.UnconnectedGradients.ZERO))

# %% [markdown]
# The pain is gone, but the illness is not. The derivatives should be half of `x`. A training loop
# would now run without any message and never learn.
#
# ## Is there an illness at all?
#
# Sometimes None is the correct answer, because the target does not depend on the source. To find out,
# nudge the source: change it a little, compute the target again, and see whether the target changes.

# %%
x = np.array([[1.0, 2.0], [3.0, 4.0]])
nudge = np.array([[0.001, 0.0], [0.0, 0.0]])
print("the mean of squares changes by", round(np.mean((x + nudge) ** 2) - np.mean(x**2), 6))

a, b = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = b**2
say("of an unrelated variable:", tape.gradient(z, a))

# %% [markdown]
# The first target changes, so the tape lost a gradient there. `z` does not depend on `a`: it does not change, and
# None is correct. For such an unrelated variable, zeros are the correct gradient, and `ZERO` is good medicine.
#
# ## Ask three questions about each patient
#
# 1. *Watching.* Did the tape watch the source before its
#    first use, and did all the code run inside the block?
# 2. *Leaving.* Go from the target back to the source, line by line. Is each step a differentiable
#    TensorFlow op on floats?
# 3. *Mixing up objects.* Is the source the same object that you computed with?
#
# Answer these questions yourself first. Then run `minitape explain`.

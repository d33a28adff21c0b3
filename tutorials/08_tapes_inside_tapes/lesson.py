# %% [markdown]
# # 8. Tapes inside tapes
#
# The backward pass is made of ops like any others: multiply, add. So a second tape around it can write
# it down, and differentiate the gradient. That is a second derivative.

# %%
import minitape as tf


def say(words, slope):
    print(words, None if slope is None else slope.numpy())


# %% [markdown]
# ## Two tapes, one inside the other
#
# y = x³ at 1. Predict the slope and the slope of the slope.

# %%
x = tf.Variable(1.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x * x
    slope = inner.gradient(y, x)        # inside the outer block: the outer tape writes the walk down
say("dy/dx =", slope)
say("d²y/dx² =", outer.gradient(slope, x))

# %% [markdown]
# Look: `minitape graph lesson.py --call 2` draws what the outer tape has. The ops of y are on it,
# and after them the ops of the backward pass.
#
# ## Where the inner question is asked
#
# One step to the left, and the outer tape has closed before the backward pass runs. Predict.

# %%
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x * x
slope = inner.gradient(y, x)
say("asked too late:", outer.gradient(slope, x))

# %% [markdown]
# ## Each tape watches for itself
#
# A variable is noticed by both tapes. A constant has to be shown to each of them.

# %%
c = tf.constant(3.0)
with tf.GradientTape() as outer:
    outer.watch(c)
    with tf.GradientTape() as inner:
        inner.watch(c)
        y = c * c
    slope = inner.gradient(y, c)
say("dy/dx =", slope)
say("d²y/dx² =", outer.gradient(slope, c))

# %% [markdown]
# A straight line is a surprise. Its slope is 5 everywhere, so the slope of the slope is 0. Predict
# what the tape says.

# %%
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = 5.0 * x
    slope = inner.gradient(y, x)
say("of a line:", outer.gradient(slope, x))

# %% [markdown]
# The backward pass multiplied the seed by 5, and x was nowhere in it. No way from x to the slope, so
# None. This None is a true zero.
#
# ## Two tapes side by side
#
# They do not know of each other. One watches x0, the other x1. Predict: the slope of sin at 0, and
# that of the sigmoid at 0.

# %%
x0 = tf.constant(0.0)
x1 = tf.constant(0.0)
with tf.GradientTape() as first, tf.GradientTape() as second:
    first.watch(x0)
    second.watch(x1)
    y = tf.math.sin(x0) + tf.nn.sigmoid(x1)
say("by the first tape:", first.gradient(y, x0))
say("by the second tape:", second.gradient(y, x1))

# %% [markdown]
# ## What it is good for: a gentle model
#
# A model should not jump when its input is nudged. So punish the *length of the slope by the
# input*, and ask how that length moves with the weights. The inner tape asks about the input, the
# outer one about the weights.
#
# The model is w · x, squared. Its slope by x is 2 (w · x) w. With w = (3, 4) and x = (5, 0) that is
# 30 · (3, 4), and its length is 150. Which weight should shrink first?

# %%
x = tf.constant([5.0, 0.0])
w = tf.Variable([3.0, 4.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(x)                  # the outer tape need not know x
        y = tf.reduce_sum(w * x) ** 2
    by_input = inner.gradient(y, x)
    length = tf.norm(by_input)
say("slope by the input:", by_input)
say("its length:", length)
say("how the length moves with w:", outer.gradient(length, w))

# %% [markdown]
# The first one: it moves the length by 68, the other by 24.
#
# Take home: a gradient is a value like any other. If a tape saw how it was made, it can be
# differentiated. For each derivative more, one tape more, and each question inside the next block.

# %% [markdown]
# # 8. Tapes inside tapes
#
# The backward pass is made of ordinary ops: multiply, add. So a second tape around it can record
# it, and differentiate the gradient. That is a second derivative.

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
    slope = inner.gradient(y, x)        # inside the outer block: the outer tape records it
say("dy/dx =", slope)
say("d²y/dx² =", outer.gradient(slope, x))

# %% [markdown]
# Look: `minitape graph lesson.py --call 2` draws what the outer tape holds: the ops of y, and
# after them the ops of the backward pass.
#
# ## Where to ask the inner question
#
# One indentation to the left, and the outer tape closes before the backward pass runs. Predict.

# %%
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x * x
slope = inner.gradient(y, x)
say("asked too late:", outer.gradient(slope, x))

# %% [markdown]
# ## Each tape watches for itself
#
# Both tapes notice a variable. You must show a constant to each of them.

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
# The backward pass multiplied the seed by 5, without x. There is no path from x to the slope, so
# the answer is None. This None is a true zero.
#
# ## Two tapes side by side
#
# They do not know about each other. One watches x0, the other x1. Predict the slope of sin at 0,
# and the slope of the sigmoid at 0.

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
# A model should not jump when its input is nudged. So penalize the *length of the slope with
# respect to the input*, and ask how that length changes with the weights. The inner tape asks about
# the input, the outer one about the weights.
#
# The model is w · x, squared. Its slope with respect to x is 2 (w · x) w. With w = (3, 4) and x =
# (5, 0) that is 30 · (3, 4), and its length is 150. Which weight should shrink first?

# %%
x = tf.constant([5.0, 0.0])
w = tf.Variable([3.0, 4.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(x)                  # the outer tape need not know x
        y = tf.reduce_sum(w * x) ** 2
    by_input = inner.gradient(y, x)
    length = tf.norm(by_input)
say("slope with respect to the input:", by_input)
say("its length:", length)
say("how the length moves with w:", outer.gradient(length, w))

# %% [markdown]
# The first one: it moves the length by 68, the other by 24.
#
# Take home: a gradient is a value like any other. If a tape recorded how it was computed, you can
# differentiate it. Each further derivative needs one more tape; ask each tape inside the next block.

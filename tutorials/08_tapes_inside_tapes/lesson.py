# %% [markdown]
# # 8. Tapes inside tapes
#
# The backward pass consists of ordinary ops, such as multiplications and additions. A second tape around the
# backward pass can therefore record these ops and differentiate the gradient. The result is a second derivative.

# %%
import minitape as tf


def say(words, slope):
    print(words, None if slope is None else slope.numpy())


# %% [markdown]
# ## Two tapes, one inside the other
#
# Let y = x³ at 1. Predict the derivative and the derivative of the derivative.

# %%
x = tf.Variable(1.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x * x
    slope = inner.gradient(y, x)        # inside the outer block: the outer tape records it
say("dy/dx =", slope)
say("d²y/dx² =", outer.gradient(slope, x))

# %% [markdown]
# Run `minitape graph lesson.py --call 2`. It draws what the outer tape holds: the ops that
# compute `y`, and after them the ops of the backward pass.
#
# ## Where to call the inner `gradient`
#
# If `inner.gradient` is indented less, the outer tape closes before the backward pass. Predict the result.

# %%
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x * x
slope = inner.gradient(y, x)
say("asked too late:", outer.gradient(slope, x))

# %% [markdown]
# ## Each tape watches separately
#
# Both tapes notice a variable automatically. A constant must be passed to `watch` of each tape.

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
# A straight line gives a surprising answer. Its derivative is 5 everywhere, so the second
# derivative is 0. Predict what the tape returns.

# %%
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = 5.0 * x
    slope = inner.gradient(y, x)
say("for a line:", outer.gradient(slope, x))

# %% [markdown]
# The backward pass multiplied the seed, which is 1, by 5. It did not use `x`, so there is no path from `x` to the
# derivative, and the answer is None. Here, the second derivative really is zero, although the tape returns None.
#
# ## Two tapes side by side
#
# Two tapes side by side do not know about each other. One tape watches `x0`, and the other
# watches `x1`. Predict the derivative of the sine at 0 and the derivative of the sigmoid at 0.

# %%
x0 = tf.constant(0.0)
x1 = tf.constant(0.0)
with tf.GradientTape() as first, tf.GradientTape() as second:
    first.watch(x0)
    second.watch(x1)
    y = tf.math.sin(x0) + tf.nn.sigmoid(x1)
say("from the first tape:", first.gradient(y, x0))
say("from the second tape:", second.gradient(y, x1))

# %% [markdown]
# ## An application: a smooth model
#
# The output of a model should not jump when you nudge its input. You can therefore penalize the *length of the
# gradient with respect to the input*, and ask how this length changes with the weights. The inner tape
# computes the gradient with respect to the input, and the outer tape the gradient with respect to the weights.
#
# The model is the square of w · x. Its gradient with respect to x is 2 (w · x) w. For w = (3, 4)
# and x = (5, 0), this is 30 · (3, 4), and its length is 150. Which weight should shrink first?

# %%
x = tf.constant([5.0, 0.0])
w = tf.Variable([3.0, 4.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(x)                  # the outer tape does not have to watch x
        y = tf.reduce_sum(w * x) ** 2
    by_input = inner.gradient(y, x)
    length = tf.norm(by_input)
say("gradient with respect to the input:", by_input)
say("its length:", length)
say("gradient of the length with respect to w:", outer.gradient(length, w))

# %% [markdown]
# The first weight: the derivative of the length is 68 with respect to it, and 24 with respect to the other.
#
# What to take home: a gradient is a value like any other. If a tape recorded how it was computed, you can
# differentiate it. Each further derivative needs one more tape: ask each tape inside the block of the next.

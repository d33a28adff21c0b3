# %% [markdown]
# # 7. Pause, rewind, cut
#
# A tape records everything that it sees. Sometimes you do not want that: for a number that you
# only log, for a path that must not learn, or after a start that went wrong. There are three ways
# to keep something off the tape, and a fourth that you use every day without noticing it: an `if`.

# %%
import minitape as tf


def say(words, slope):
    print(words, None if slope is None else slope.numpy())


x = tf.Variable(2.0)
y = tf.Variable(3.0)

# %% [markdown]
# ## Pause
#
# Ops that run under `stop_recording` are computed but not
# recorded. Predict both derivatives of z = x² + y².

# %%
with tf.GradientTape() as tape:
    x_squared = x * x
    with tape.stop_recording():
        y_squared = y * y
    z = x_squared + y_squared
slopes = tape.gradient(z, {"x": x, "y": y})
say("dz/dx:", slopes["x"])
say("dz/dy:", slopes["y"])

# %% [markdown]
# Run `minitape graph lesson.py --call 1`. It draws the ops that ran during the pause in gray.
#
# If you ask a persistent tape for a gradient *inside its block*, it records the backward pass too. This costs
# memory, and its only use is a second derivative. If you do not want a second derivative, pause the tape.

# %%
with tf.GradientTape(persistent=True) as tape:
    y_squared = y * y
    with tape.stop_recording():
        slope = tape.gradient(y_squared, y)
say("derivative:", slope)
say("derivative of the derivative:", tape.gradient(slope, y))

# %% [markdown]
# ## Rewind
#
# After `reset`, the tape has forgotten everything, as if you had just opened it. The *values* do
# not change: `z` is still x² + y². Predict dz/dy.

# %%
with tf.GradientTape() as tape:
    y_squared = y * y
    tape.reset()
    z = x * x + y_squared
slopes = tape.gradient(z, {"x": x, "y": y})
print("z =", z.numpy())
say("dz/dx:", slopes["x"])
say("dz/dy:", slopes["y"])

# %% [markdown]
# With `reset`, a tape can start again in the middle of a block, when a start went wrong. In the
# next cell, the tape discards the loss w³ if this loss is larger than 5. Predict both derivatives.

# %%
for start in (1.0, 2.0):
    w = tf.Variable(start)
    with tf.GradientTape() as tape:
        loss = w**3
        if loss > 5.0:
            tape.reset()
        loss = loss + 10.0 * w
    say(f"from {start}:", tape.gradient(loss, w))

# %% [markdown]
# The tape also forgets what you asked it to watch. It notices a variable again when the block
# reads the variable the next time. It does not notice a constant.

# %%
c = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(c)
    tape.reset()
    z = c * c
say("after reset:", tape.gradient(z, c))

# %% [markdown]
# ## Cut
#
# `stop_gradient` passes a value on and cuts the history of the value, on every tape. Pause and rewind belong to
# one tape, but a cut belongs to the value. Here, z = x · x, and one of the two factors is cut. Predict dz/dx.

# %%
with tf.GradientTape() as tape:
    z = x * tf.stop_gradient(x)
say("with one factor cut:", tape.gradient(z, x))

# %% [markdown]
# The first factor can change, but the second factor stays at 2. Therefore, the derivative is 2, not 4.
#
# ## Choose
#
# An `if` runs in Python, before the tape sees anything. The tape sees only the branch that was
# taken. Predict three derivatives: with respect to `v0`, to `v1`, and to `c`, which made the choice.

# %%
c = tf.constant(1.0)
v0 = tf.Variable(2.0)
v1 = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(c)
    if c > 0.0:
        result = v0
    else:
        result = v1**2
say("v0:", tape.gradient(result, v0))
say("v1:", tape.gradient(result, v1))
say("c:", tape.gradient(result, c))

# %% [markdown]
# `c` decided *which* number was returned, but no number was computed from `c`. A nudge of `c` changes nothing.
#
# A loop works in the same way. The tape contains no loop, only the ops that ran in its
# iterations. Predict three derivatives at 2. How many times is the result multiplied by `x`?

# %%
def power(x, turns):
    result = 1.0
    for i in range(turns):
        if 1 < i < 5:
            result = result * x
    return result


for turns in (6, 5, 4):
    with tf.GradientTape() as tape:
        result = power(x, turns)
    say(f"{turns} iterations:", tape.gradient(result, x))

# %% [markdown]
# What to take home: a *pause* hides ops from one tape for a while, a *rewind* makes one tape forget, and a *cut* stays
# with the value. A decision in Python does not appear on the tape, because a tape records only the ops that ran.

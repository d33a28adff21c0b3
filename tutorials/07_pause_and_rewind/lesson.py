# %% [markdown]
# # 7. Pause, rewind, cut
#
# A tape writes down all it sees. Sometimes it should not: a number for the log, a path that must
# not learn, a start that went wrong. There are three ways to keep something off the tape, and a
# fourth that you use every day without noticing it: an `if`.

# %%
import minitape as tf


def say(words, slope):
    print(words, None if slope is None else slope.numpy())


x = tf.Variable(2.0)
y = tf.Variable(3.0)

# %% [markdown]
# ## Pause
#
# What runs under `stop_recording` is computed but not written down. Predict both slopes of
# z = x² + y².

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
# Look: `minitape graph lesson.py --call 1` draws the ops that ran during the pause in gray.
#
# If you ask a persistent tape *inside its own block*, it records the backward pass, too. That costs
# memory, and it has only one use: a second derivative. If you do not want one, pause the tape.

# %%
with tf.GradientTape(persistent=True) as tape:
    y_squared = y * y
    with tape.stop_recording():
        slope = tape.gradient(y_squared, y)
say("slope:", slope)
say("slope of the slope:", tape.gradient(slope, y))

# %% [markdown]
# ## Rewind
#
# `reset` forgets everything, as if the tape had just been opened. The *values* stay: z is still
# x² + y². Predict dz/dy.

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
# So a tape can start again in the middle of a block, when a start went wrong. Predict both
# slopes: the loss is x³, and if it is 5 or more, the tape discards it.

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
# `reset` also forgets what you asked the tape to watch. The tape notices a variable again when the
# block reads it the next time. It does not notice a constant.

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
# `stop_gradient` passes the number on and cuts its history, on every tape. The other two belong to
# one tape; this one belongs to the value. Predict: z = x · x, and one of the two is cut.

# %%
with tf.GradientTape() as tape:
    z = x * tf.stop_gradient(x)
say("half of it is cut:", tape.gradient(z, x))

# %% [markdown]
# The first factor may move, the second one stays at 2. So the slope is 2, not 4.
#
# ## Choose
#
# An `if` runs in Python, before the tape sees anything. The tape sees the branch that was taken.
# Predict three slopes: for `v0`, for `v1`, and for `c`, which made the choice.

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
# c decided *which* number was returned, but no number was computed from it. Nudge it: the result stays.
#
# A loop is the same. The tape holds no loop, only what the iterations computed. Predict three
# slopes at 2: how many times is the result multiplied by x?

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
    say(f"{turns} turns:", tape.gradient(result, x))

# %% [markdown]
# Take home: *pause* hides ops from one tape for a while, *rewind* makes it forget, *cut* stays
# with the value. And what Python decides leaves no trace: a tape is a record of what ran.

# %% [markdown]
# # 10. The other direction
#
# A tape waits until everything is computed, and then makes a backward pass. There is another way: carry the slope
# along while you compute. Each value gets a companion, its *tangent*: how much it would move if the
# inputs moved in one direction. No notes, no backward pass. This is forward mode.

# %%
import numpy as np

import minitape as tf

np.set_printoptions(precision=4, suppress=True)


def say(words, slope):
    print(words, None if slope is None else slope.numpy())


# %% [markdown]
# ## Along a direction
#
# You choose the direction *before* you compute: here the first input moves, the others are constant.
# Then ask any value how much it moves. Predict: the sum of squares at (1, 2, 3).

# %%
x = tf.constant([1.0, 2.0, 3.0])
direction = tf.constant([1.0, 0.0, 0.0])
with tf.autodiff.ForwardAccumulator(x, direction) as forward:
    squares = x * x
    y = tf.reduce_sum(squares)
say("the squares move by", forward.jvp(squares))
say("their sum moves by", forward.jvp(y))
say("a stranger moves by", forward.jvp(tf.constant(7.0)))

# %% [markdown]
# You can ask every intermediate value. And None means the same as in lesson 6: no path leads from
# the input to this value.
#
# ## Columns and rows
#
# Three outputs of two inputs: a table of 3 by 2. One forward pass gives one *column*: how all outputs
# move with one input. Predict the first column at (2, 3): x1 does not move.

# %%
def f(x):
    return tf.stack([x[0] ** 2, x[0] * x[1], 5.0 * x[1]])


x = tf.constant([2.0, 3.0])
columns = []
for direction in ([1.0, 0.0], [0.0, 1.0]):
    with tf.autodiff.ForwardAccumulator(x, tf.constant(direction)) as forward:
        y = f(x)
    columns.append(forward.jvp(y))
say("first column:", columns[0])
say("second column:", columns[1])

# %% [markdown]
# One backward pass gives one *row*: how one output moves with all inputs. `output_gradients` (lesson 4)
# chooses the output.

# %%
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = f(x)
for output in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]):
    say("row:", tape.gradient(y, x, output_gradients=tf.constant(output)))

# %% [markdown]
# Two columns or three rows, the same six numbers.
#
# Look: `minitape graph lesson.py --call 2` draws the second row. The backward pass goes against the
# arrows of the program: it starts from one output, and arrives at both inputs. A tangent would go
# along the arrows: from one input to all three outputs.
#
# ## Which one is cheaper?
#
# Forward mode needs a forward pass for each *input*, reverse mode a backward pass for each *output*.
# A loss has a million inputs, the weights, and one output: one backward pass against a million
# forward passes. That is why everybody uses tapes. But turn it around: one input, the time, and many outputs.
# Predict the slopes of t, t² and t³ at 2: one forward pass.

# %%
t = tf.constant(2.0)
with tf.autodiff.ForwardAccumulator(t, tf.constant(1.0)) as forward:
    path = tf.stack([t, t**2, t**3])
say("all slopes at once:", forward.jvp(path))

# %% [markdown]
# ## Forward over reverse
#
# You can combine both directions. The backward pass is made of ops, so tangents flow through it too. Predict: the
# slope of x³ at 2, and how that slope moves with x.

# %%
x = tf.constant(2.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as forward:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x**3
    slope = tape.gradient(y, x)
say("slope:", slope)
say("slope of the slope:", forward.jvp(slope))

# %% [markdown]
# Lesson 8 did that with two tapes. Here the outer derivative takes no notes.
#
# Take home: a forward pass gives a column, a backward pass gives a row. Count inputs and outputs,
# then choose.

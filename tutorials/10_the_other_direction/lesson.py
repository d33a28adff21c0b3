# %% [markdown]
# # 10. The other direction
#
# A tape waits until everything is computed, and then runs a backward pass. There is also another direction: you can
# carry derivatives along while you compute. Each value gets a companion, its *tangent*, which is the change of the
# value when the inputs change in one direction. This needs no record and no backward pass. It is called forward mode.

# %%
import numpy as np

import minitape as tf

np.set_printoptions(precision=4, suppress=True)


def say(words, slope):
    print(words, None if slope is None else slope.numpy())


# %% [markdown]
# ## Along a direction
#
# You choose the direction *before* you compute. Here, the first input changes, and the other inputs are constant.
# Afterwards, you can ask how much any value changes. Predict the change of the sum of squares at (1, 2, 3).

# %%
x = tf.constant([1.0, 2.0, 3.0])
direction = tf.constant([1.0, 0.0, 0.0])
with tf.autodiff.ForwardAccumulator(x, direction) as forward:
    squares = x * x
    y = tf.reduce_sum(squares)
say("the squares change by", forward.jvp(squares))
say("their sum changes by", forward.jvp(y))
say("an unrelated value changes by", forward.jvp(tf.constant(7.0)))

# %% [markdown]
# You can ask for the tangent of every intermediate value. None means the same as in lesson 6: no
# path leads from the input to this value.
#
# ## Columns and rows
#
# Three outputs and two inputs have a Jacobian of shape 3 × 2. One forward pass computes one *column*: how
# all outputs change with one input. Predict the first column at (2, 3), for which `x[1]` does not change.

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
# One backward pass computes one *row*: how one output changes with all inputs. `output_gradients`
# (lesson 4) selects the output.

# %%
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = f(x)
for output in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]):
    say("row:", tape.gradient(y, x, output_gradients=tf.constant(output)))

# %% [markdown]
# The two columns and the three rows contain the same six numbers.
#
# Run `minitape graph lesson.py --call 2`. It draws the second row. The backward pass goes against
# the arrows of the program: it starts from one output and arrives at both inputs. A tangent would
# go in the direction of the arrows: from one input to all three outputs.
#
# ## Which direction is cheaper?
#
# Forward mode needs one forward pass for each *input*, and reverse mode needs one backward pass for each
# *output*. A loss has a million inputs, the weights, and one output. It needs one backward pass, or a million
# forward passes, which is why training uses tapes. Now consider the opposite case, a program with one input,
# the time, and many outputs. Predict the derivatives of t, t² and t³ at 2. One forward pass is enough.

# %%
t = tf.constant(2.0)
with tf.autodiff.ForwardAccumulator(t, tf.constant(1.0)) as forward:
    path = tf.stack([t, t**2, t**3])
say("all derivatives at once:", forward.jvp(path))

# %% [markdown]
# ## Forward over reverse
#
# You can combine both directions. The backward pass consists of ops, so tangents flow through it
# too. Predict the derivative of x³ at 2, and how this derivative changes with x.

# %%
x = tf.constant(2.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as forward:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x**3
    slope = tape.gradient(y, x)
say("derivative:", slope)
say("derivative of the derivative:", forward.jvp(slope))

# %% [markdown]
# Lesson 8 computed this with two tapes. Here, the outer derivative does not need a record.
#
# What to take home: a forward pass computes a column, and a backward pass computes a row. Count
# the inputs and outputs, and then choose.

# %% [markdown]
# # Why not start at zero?
#
# Zero seems to be a natural initial value. A network with 4 hidden units should learn OR. The program trains it
# three times: with all weights 0, with all weights 0.5, and with random weights. The biases start at 0 each time.
#
# **Task:** Before you run the file, replace the five dots with your answers.
#
# 1. All weights start at 0. Does `w1` get a nonzero gradient in the first step (True or False)?
# 2. Does `w2` get a nonzero gradient in this step?
# 3. Does `b2` get a nonzero gradient in this step?
# 4. All weights start at 0.5. After 40 steps, how many *different* hidden units are there? Two
#    units are different if their columns in `w1` are different.
# 5. How many different hidden units are there after a random start?
#
# **Given:** the network, which computes tanh(x·w1 + b1)·w2 + b2. Use the rules of the two layers,
# and follow the zeros through the backward pass.

# %%
import numpy as np

import minitape as tf

# TODO
w1_has_a_slope = False
w2_has_a_slope = False
b2_has_a_slope = True
units_from_half = 1
units_from_random = 4
# END

# %%
x = tf.constant([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = tf.constant([[0.0], [1.0], [1.0], [1.0]])


def trained(w1, w2, steps):
    """Return the first gradients of w1, b1, w2, b2, and the variables after the given number of steps."""
    parameters = [tf.Variable(w1), tf.Variable(tf.zeros([4])), tf.Variable(w2)]
    parameters.append(tf.Variable(tf.zeros([1])))
    first = None
    for step in range(steps):
        with tf.GradientTape() as tape:
            w1, b1, w2, b2 = parameters
            score = tf.tanh(x @ w1 + b1) @ w2 + b2
            wrong = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=score)
            loss = tf.reduce_mean(wrong)
        gradients = tape.gradient(loss, parameters)
        first = first or gradients
        for variable, gradient in zip(parameters, gradients):
            variable.assign_sub(0.5 * gradient)
    return first, parameters


def different_units(w1):
    columns = np.round(w1.numpy().T, 5)
    return len({tuple(column) for column in columns.tolist()})


def is_moving(gradient):
    return bool(np.any(gradient.numpy() != 0.0))


at_zero, _ = trained(tf.zeros([2, 4]), tf.zeros([4, 1]), 1)
_, from_half = trained(tf.fill([2, 4], 0.5), tf.fill([4, 1], 0.5), 40)
numbers = np.random.RandomState(1).normal(size=12).astype("float32")
_, from_random = trained(numbers[:8].reshape(2, 4), numbers[8:].reshape(4, 1), 40)

said = [w1_has_a_slope, w2_has_a_slope, b2_has_a_slope, units_from_half, units_from_random]
if ... in said:
    print("enter your five answers first")
else:
    print("You said", said)
    for name, gradient in zip(["w1", "b1", "w2", "b2"], at_zero):
        print("gradient of", name, "at zero:", gradient.numpy().ravel())
    print("w1 from 0.5:")
    print(np.round(from_half[0].numpy(), 3))
    print("w1 from random numbers:")
    print(np.round(from_random[0].numpy(), 3))

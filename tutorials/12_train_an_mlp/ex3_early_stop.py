# %% [markdown]
# # Stop at the best step
#
# A model with 9 weights learns 10 noisy points. First it learns the curve, and then it learns the
# noise. On points that were *not* used for training, the loss first falls and then rises again.
#
# **Task:** Write `train`. In each step, call `step()`, and then call `measure()`, which returns
# the loss on the other points. Stop after `patience` steps in a row without a new best loss. Then
# set the parameters to their values **at the best step**, and return the total number of steps.
#
# **Given:** a loop that always makes 300 steps. Remember that
# a list of variables does not store past values. What does?

# %%
import numpy as np

import minitape as tf


# TODO
def train(step, measure, parameters, patience):
    for turn in range(300):
        step()
        measure()
    return 300


# END

# %%
noise = np.random.RandomState(5)
at = np.linspace(-1.0, 1.0, 20)
curve = np.sin(3.0 * at) + 0.3 * noise.normal(size=20)
powers = np.stack([np.cos(k * np.arccos(at)) for k in range(9)], axis=1).astype("float32")
curve = curve[:, None].astype("float32")
x_train, y_train = tf.constant(powers[::2]), tf.constant(curve[::2])
x_other, y_other = tf.constant(powers[1::2]), tf.constant(curve[1::2])
w = tf.Variable(tf.zeros([9, 1]))


def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x_train @ w - y_train) ** 2)
    w.assign_sub(0.3 * tape.gradient(loss, w))


def measure():
    return float(tf.reduce_mean((x_other @ w - y_other) ** 2))


turns = train(step, measure, [w], patience=10)
print("steps:", turns, "  loss on the other points:", round(measure(), 4))

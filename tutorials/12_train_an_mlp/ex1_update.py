# %% [markdown]
# # The missing update
#
# The program has points in two half moons, a small network, a loss and a gradient. Its loop runs
# without an error, but the loss does not change.
#
# **Task:** Repair `update`, so that it changes each variable by -rate times its gradient. It must
# change the *variable* itself, so that the next forward pass uses the new value.
#
# **Given:** the rest of the program. The loss should end below 0.2.

# %%
import numpy as np

import minitape as tf


# TODO
def update(parameters, gradients, rate):
    for variable, gradient in zip(parameters, gradients):
        variable = variable - rate * gradient


# END

# %%
turn = np.linspace(0.0, np.pi, 20)
upper = np.stack([np.cos(turn), np.sin(turn)], axis=1)
lower = np.stack([1.0 - np.cos(turn), 0.4 - np.sin(turn)], axis=1)
x = tf.constant(np.concatenate([upper, lower]).astype("float32"))
y = tf.constant([[0.0]] * 20 + [[1.0]] * 20)

start = np.random.RandomState(0)
w1 = tf.Variable(start.normal(size=(2, 8)).astype("float32"))
b1 = tf.Variable(tf.zeros([8]))
w2 = tf.Variable(0.3 * start.normal(size=(8, 1)).astype("float32"))
b2 = tf.Variable(tf.zeros([1]))
parameters = [w1, b1, w2, b2]

# %%
losses = []
for step in range(80):
    with tf.GradientTape() as tape:
        score = tf.tanh(x @ w1 + b1) @ w2 + b2
        wrong = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=score)
        loss = tf.reduce_mean(wrong)
    update(parameters, tape.gradient(loss, parameters), 1.0)
    losses.append(float(loss))
print("loss:", [round(each, 3) for each in losses[::20]], "...", round(losses[-1], 3))

# %% [markdown]
# # Seven faults
#
# A network has three tasks. It receives points of the plane and should answer three questions about each point:
#
# * Is the point **inside** the circle of radius 1.1? (yes or no)
# * How **far** is the point from the origin? (a number)
# * On which **side** is the point: left, middle or right? (one of three)
#
# The program runs without an error and without a None. It prints a warning, which is easy to
# overlook. The loss falls a little in every run. But almost the whole network does not learn: there
# are seven faults, and because of each fault, at least one of the nine parameters never learns.
#
# **Task:** Find and fix all seven faults. Every parameter should get a
# real gradient in every step, and the loss should fall below 1.4 after
# 60 steps, for any seed. An untrained model has a loss of about 1.9.
#
# **Given:** The data, the network and its three tasks are intended as they are. Do not add or
# remove any parameter. Begin with the fault that hides the others. Then run
# `minitape explain ex1_seven_faults.py` after every repair, because one fault can hide another.

# %%
import numpy as np

import minitape as tf


def make_data(seed):
    random = np.random.RandomState(seed)
    x = random.uniform(-1.5, 1.5, size=(60, 2)).astype("float32")
    far = np.sqrt(np.sum(x**2, axis=1, keepdims=True))
    inside = (far < 1.1).astype("float32")
    side = np.digitize(x[:, 0], [-0.5, 0.5])
    return tf.constant(x), tf.constant(inside), tf.constant(far), tf.constant(side)


# %%
# TODO
def make_parameters(seed):
    random = np.random.RandomState(seed)

    def weights(rows, columns):
        return tf.Variable(0.5 * random.normal(size=(rows, columns)).astype("float32"))

    return {
        "scale": tf.Variable([1.0, 1.0]),
        "w_hidden": weights(2, 12),
        "b_hidden": tf.Variable(tf.zeros([12])),
        "w_inside": weights(12, 1),
        "b_inside": tf.Variable(tf.zeros([1])),
        "w_far": weights(12, 1),
        "b_far": tf.Variable(tf.zeros([1])),
        "w_side": weights(12, 3),
        "b_side": tf.Variable(tf.zeros([3])),
    }


def hidden_layer(p, x):
    scaled = x * p["scale"]
    return tf.tanh(scaled @ p["w_hidden"] + p["b_hidden"])


def loss_inside(p, hidden, inside):
    score = hidden @ p["w_inside"] + p["b_inside"]
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=inside, logits=score))


def loss_far(p, hidden, far):
    said = hidden @ p["w_far"] + p["b_far"]
    return tf.reduce_mean((said - far) ** 2)


def loss_side(p, hidden, side):
    score = hidden @ p["w_side"] + p["b_side"]
    wrong = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=side, logits=score)
    return tf.reduce_mean(wrong)


def train(seed, steps, rate=0.3):
    """Train from the beginning; return the parameters and the loss of each step."""
    x, inside, far, side = make_data(seed)
    p = make_parameters(seed)
    losses = []
    for step in range(steps):
        with tf.GradientTape() as tape:
            hidden = hidden_layer(p, x)
            loss = loss_inside(p, hidden, inside)
            loss += loss_far(p, hidden, far)
            loss += loss_side(p, hidden, side)
        gradients = tape.gradient(loss, p)
        for name, gradient in gradients.items():
            if name.startswith("w"):  # no weight changes by more than `rate` in one step
                p[name].assign_sub(rate * tf.clip_by_norm(gradient, 1.0))
            else:
                p[name].assign_sub(rate * gradient)
        losses.append(float(loss))
    return p, losses


# END

# %%
parameters, losses = train(seed=0, steps=20)
print("loss:", [round(each, 3) for each in losses[::4]], "...", round(losses[-1], 3))

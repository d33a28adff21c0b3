"""Learning to learn: the inner step is part of what is differentiated."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(16)


def start():
    return [
        tf.Variable(random.normal(size=(1, 6)).astype("float32")),
        tf.Variable(tf.zeros([6])),
        tf.Variable(random.normal(size=(6, 1)).astype("float32") * 0.5),
        tf.Variable(tf.zeros([1])),
    ]


def forward(params, x):
    w1, b1, w2, b2 = params
    return tf.nn.tanh(x @ w1 + b1) @ w2 + b2


def mse(params, x, y):
    return tf.reduce_mean((forward(params, x) - y) ** 2)


def task():
    amplitude, phase = random.uniform(0.5, 2.0), random.uniform(0, np.pi)
    x = random.uniform(-3, 3, size=(12, 1)).astype("float32")
    y = (amplitude * np.sin(x + phase)).astype("float32")
    return (x[:6], y[:6]), (x[6:], y[6:])


params = start()
for step in range(4):
    with tf.GradientTape() as outer:
        total = 0.0
        for _ in range(3):
            support, query = task()
            with tf.GradientTape() as inner:
                inner_loss = mse(params, *support)
            grads = inner.gradient(inner_loss, params)
            fast = [p - 0.05 * g for p, g in zip(params, grads)]
            total += mse(fast, *query)
    meta = outer.gradient(total, params)
    print(step, float(total), [round(float(tf.norm(g)), 4) for g in meta])
    for p, g in zip(params, meta):
        p.assign_sub(0.01 * g)

support, query = task()
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner_loss = mse(params, *support)
    grads = [tf.stop_gradient(g) for g in inner.gradient(inner_loss, params)]
    first_order = mse([p - 0.05 * g for p, g in zip(params, grads)], *query)
print([g.shape for g in outer.gradient(first_order, params)], float(first_order))

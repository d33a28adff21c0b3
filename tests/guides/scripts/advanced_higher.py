"""Tapes within tapes: second derivatives, a gradient of a gradient's size."""

import numpy as np
import tensorflow as tf

x = tf.Variable(1.0)
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        y = x * x * x
    dy_dx = t1.gradient(y, x)
d2y_dx2 = t2.gradient(dy_dx, x)
print("dy_dx:", dy_dx.numpy())
print("d2y_dx2:", d2y_dx2.numpy())

random = np.random.default_rng(1)
x = tf.constant(random.normal(size=(7, 5)), tf.float32)
kernel = tf.Variable(random.normal(size=(5, 10)), dtype=tf.float32)
bias = tf.Variable(tf.zeros(10))


def layer(x):
    return tf.nn.relu(x @ kernel + bias)


with tf.GradientTape() as t2:
    with tf.GradientTape(watch_accessed_variables=False) as t1:
        t1.watch(x)
        y = layer(x)
        out = tf.reduce_sum(layer(x) ** 2)
    g1 = t1.gradient(out, x)
    g1_mag = tf.norm(g1)
dg1_mag = t2.gradient(g1_mag, [kernel, bias])
print([var.shape for var in dg1_mag])
print(g1_mag.numpy())
print(dg1_mag[0].numpy().round(3))
print(dg1_mag[1].numpy().round(3))

x = tf.Variable(0.7)
with tf.GradientTape() as t4, tf.GradientTape() as t3:
    pass


def derivatives(f, at, order):
    if order == 0:
        return f(at)
    with tf.GradientTape() as tape:
        tape.watch(at)
        value = derivatives(f, at, order - 1)
    return tape.gradient(value, at)


at = tf.constant(0.3)
for n in range(6):
    print(n, derivatives(tf.sin, at, n).numpy(), derivatives(lambda v: tf.exp(2 * v), at, n).numpy())

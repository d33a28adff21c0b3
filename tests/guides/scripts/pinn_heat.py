"""A network that obeys an equation: u_t = a u_xx, its residual from nested tapes."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(15)
sizes = [2, 8, 8, 1]
weights = [tf.Variable(random.normal(size=s).astype("float32") * 0.6) for s in zip(sizes, sizes[1:])]
biases = [tf.Variable(tf.zeros([n])) for n in sizes[1:]]


def u(t, x):
    h = tf.concat([t, x], axis=1)
    for w, b in zip(weights[:-1], biases[:-1]):
        h = tf.tanh(tf.matmul(h, w) + b)
    return tf.matmul(h, weights[-1]) + biases[-1]


def residual(t, x):
    with tf.GradientTape() as second:
        second.watch(x)
        with tf.GradientTape(persistent=True) as first:
            first.watch([t, x])
            value = u(t, x)
        u_t, u_x = first.gradient(value, t), first.gradient(value, x)
        del first
    u_xx = second.gradient(u_x, x)
    return u_t - 0.1 * u_xx


t = tf.constant(random.uniform(size=(20, 1)), tf.float32)
x = tf.constant(random.uniform(-1, 1, size=(20, 1)), tf.float32)
x0 = tf.reshape(tf.linspace(-1.0, 1.0, 9), [-1, 1])
u0 = -tf.sin(np.pi * x0)
optimizer = tf.keras.optimizers.Adam(
    learning_rate=tf.keras.optimizers.schedules.PiecewiseConstantDecay([4, 8], [1e-2, 5e-3, 1e-3])
)
variables = weights + biases
for step in range(10):
    with tf.GradientTape() as tape:
        physics = tf.reduce_mean(tf.square(residual(t, x)))
        start = tf.reduce_mean(tf.square(u(tf.zeros_like(x0), x0) - u0))
        edge = tf.reduce_mean(tf.square(u(t, tf.ones_like(t))))
        loss = physics + start + edge
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    if step % 3 == 0:
        tf.get_logger().info("step")
        print(step, f"{physics:.4f} {start:.4f} {edge:.4f} {loss:.4f}")
print(residual(t[:3], x[:3]))

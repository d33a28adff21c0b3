import numpy as np
import tensorflow as tf

w1 = tf.Variable([[0.5, -0.3, 0.8], [0.2, 0.7, -0.4]])
w2 = tf.Variable([[0.4], [-0.6], [0.9]])
x = tf.constant(np.linspace(0.1, 0.9, 4, dtype=np.float32).reshape(-1, 1))
t = tf.ones_like(x) * 0.3


def u(x, t):
    return tf.tanh(tf.concat([x, t], axis=1) @ w1) @ w2


with tf.GradientTape() as weights_tape:
    with tf.GradientTape() as second:
        second.watch(x)
        with tf.GradientTape(persistent=True) as first:
            first.watch([x, t])
            height = u(x, t)
        u_x = first.gradient(height, x)
        u_t = first.gradient(height, t)
    u_xx = second.gradient(u_x, x)
    loss = tf.reduce_mean((u_t - 0.1 * u_xx) ** 2)
print(weights_tape.gradient(loss, {"in": w1, "out": w2}))

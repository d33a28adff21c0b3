import math

import tensorflow as tf

rate = tf.Variable(0.3)
times = [0.0, 1.0, 2.5, 4.0]
seen = [1.0, 0.8, 0.4, 0.35]


def squared_error(t, y):
    return (tf.exp(-rate * t) - y) ** 2


with tf.GradientTape() as tape:
    errors = [squared_error(t, y) for t, y in zip(times, seen)]
    total = math.fsum(errors)
    loss = tf.sqrt(tf.constant(total) / len(errors))

print("rmse:", loss.numpy())
print("d rmse / d rate:", tape.gradient(loss, rate))

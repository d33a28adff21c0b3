import tensorflow as tf


def huber(error, delta):
    if tf.abs(error) < delta:
        return 0.5 * error * error
    return delta * (tf.abs(error) - 0.5 * delta)


slope = tf.Variable(1.5)
delta = 1.0
with tf.GradientTape() as tape:
    total = tf.constant(0.0)
    for x, y in [(1.0, 1.2), (2.0, 9.0), (3.0, 3.6)]:
        total += huber(slope * x - y, delta)

print("total:", total.numpy(), "grad:", tape.gradient(total, slope).numpy())

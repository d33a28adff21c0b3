import tensorflow as tf


def sawtooth(t):
    return t - tf.floor(t)


def triangle(t):
    side = tf.cast(sawtooth(t) > 0.5, tf.float32)
    return (1.0 - 2.0 * side) * sawtooth(t)


speed = tf.Variable(1.3)
times = tf.constant([0.2, 0.7, 1.9, 2.4])
with tf.GradientTape() as tape:
    signal = sawtooth(speed * times) + triangle(speed * times)
    power = tf.reduce_mean(signal**2)

print("power:", power.numpy(), "grad:", tape.gradient(power, speed).numpy())

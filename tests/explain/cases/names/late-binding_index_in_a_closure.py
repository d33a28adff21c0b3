import tensorflow as tf

gains = {"low": tf.Variable(0.5), "high": tf.Variable(2.0)}
filters = {}
for band in gains:
    filters[band] = lambda s: s * gains[band]

signal = tf.constant([1.0, -1.0, 0.5])
with tf.GradientTape() as tape:
    power = tf.reduce_sum(filters["low"](signal) ** 2)
print(tape.gradient(power, gains["low"]))

import tensorflow as tf

limit = tf.Variable(2.5)
readings = tf.constant([1.0, 2.7, 3.1])


def alarm(values, threshold):
    return tf.reduce_any(values > threshold)


with tf.GradientTape() as tape:
    cost = tf.constant(0.0)
    for factor in (0.5, 1.0):
        cost += 10.0 * tf.cast(alarm(factor * readings, limit), tf.float32)

print("cost:", cost.numpy(), "grad:", tape.gradient(cost, limit))

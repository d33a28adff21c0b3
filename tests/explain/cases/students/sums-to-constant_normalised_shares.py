import tensorflow as tf

raw = tf.Variable([1.0, 2.0, 5.0])


def shares(values):
    return values / tf.reduce_sum(values)


with tf.GradientTape() as tape:
    invested = tf.reduce_sum(shares(raw) * 1000.0)

print("invested:", invested.numpy(), "grad:", tape.gradient(invested, raw).numpy())

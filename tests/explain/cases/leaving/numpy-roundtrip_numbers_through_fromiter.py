import numpy as np
import tensorflow as tf

rates = tf.Variable([0.1, 0.4, 0.2])
prices = [3.0, 5.0, 4.0]


def revenue(rates):
    parts = [price * tf.exp(-rate) for price, rate in zip(prices, tf.unstack(rates))]
    collected = np.fromiter((float(part) for part in parts), dtype="float32")
    return tf.reduce_sum(collected)


with tf.GradientTape() as tape:
    total = revenue(rates)
print(tape.gradient(total, rates))

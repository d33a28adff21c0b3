import numpy as np
import tensorflow as tf

weights = tf.Variable(np.arange(1, 5))
heights = tf.constant([4, 3, 2, 1], dtype=tf.int64)

with tf.GradientTape() as tape:
    moment = tf.reduce_sum(weights * heights)
    balance = moment * moment

print("moment:", int(moment), "grad:", tape.gradient(balance, weights))

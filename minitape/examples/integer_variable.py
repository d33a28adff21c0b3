"""None: an integer variable is not differentiable, even if a float is computed from it."""

import tensorflow as tf

count = tf.Variable(3)
price = tf.Variable(2.5)

with tf.GradientTape() as tape:
    cost = tf.cast(count, tf.float32) * price

by_count, by_price = tape.gradient(cost, [count, price])
print("by the count:", by_count)
print("by the price:", float(by_price))

"""Lost: an integer variable has no gradient, even after a cast to float."""

import tensorflow as tf

count = tf.Variable(3)
price = tf.Variable(2.5)

with tf.GradientTape() as tape:
    cost = tf.cast(count, tf.float32) * price

by_count, by_price = tape.gradient(cost, [count, price])
print("by the count:", by_count)
print("by the price:", float(by_price))

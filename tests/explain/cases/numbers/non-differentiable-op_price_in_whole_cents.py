import tensorflow as tf

markup = tf.Variable(1.23)
costs = tf.constant([0.4, 1.15, 2.3])
listed = tf.constant([0.5, 1.4, 2.85])
with tf.GradientTape() as tape:
    prices = tf.round(100.0 * markup * costs) / 100.0
    off = tf.reduce_mean(tf.abs(prices - listed))
print(off.numpy(), tape.gradient(off, markup))

import tensorflow as tf

w = tf.Variable([0.4, 1.1, 1.6])
with tf.GradientTape() as tape:
    cost = tf.reduce_sum(tf.where(w > 1.0, 5.0, 2.0))
print(tape.gradient(cost, w))

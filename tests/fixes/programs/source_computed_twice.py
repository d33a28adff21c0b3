import tensorflow as tf

w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.square(2.0 * w))
print(tape.gradient(y, 2.0 * w))

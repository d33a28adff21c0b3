import tensorflow as tf

w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    h = w * 3.0
    y = tf.reduce_sum(tf.where(h > 100.0, h * 2.0, 1.0))
print(tape.gradient(y, w))

import tensorflow as tf

w = tf.Variable([0.0, 4.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.sqrt(w) * tf.constant([2.0, 3.0]))
print(tape.gradient(y, w))

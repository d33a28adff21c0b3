import tensorflow as tf

w = tf.Variable([0.0, 0.0])
with tf.GradientTape() as tape:
    y = tf.norm(w) + tf.reduce_sum(w)
print(tape.gradient(y, w))

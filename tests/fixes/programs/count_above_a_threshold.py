import tensorflow as tf

w = tf.Variable([0.9, 1.05, 1.2])
with tf.GradientTape() as tape:
    share = tf.reduce_mean(tf.cast(w > 1.0, tf.float32))
print(tape.gradient(share, w))

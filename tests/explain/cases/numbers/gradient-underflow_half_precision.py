import tensorflow as tf

w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    small = tf.cast(w, tf.float16) * tf.cast(1e-4, tf.float16)
    loss = 1e-6 * tf.reduce_sum(tf.cast(small, tf.float32))
print(tape.gradient(loss, w))

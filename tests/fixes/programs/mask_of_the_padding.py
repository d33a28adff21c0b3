import tensorflow as tf

words = tf.constant([[4, 2, 7], [1, 5, 3]])
scores = tf.Variable([[0.2, -0.4, 1.0], [0.7, 0.1, -0.3]])
with tf.GradientTape() as tape:
    mask = tf.cast(words == 0, tf.float32)
    loss = tf.reduce_sum(tf.square(scores) * mask)
print(tape.gradient(loss, scores))

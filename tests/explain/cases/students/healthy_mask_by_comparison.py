import tensorflow as tf

tokens = tf.constant([[4, 2, 0, 0], [1, 3, 5, 0]])
scores = tf.Variable([[0.5, 0.2, 0.9, 0.9], [0.1, 0.4, 0.3, 0.9]])

with tf.GradientTape() as tape:
    mask = tf.cast(tokens > 0, tf.float32)
    lengths = tf.reduce_sum(mask, axis=1)
    average = tf.reduce_sum(scores * mask, axis=1) / lengths
    loss = tf.reduce_sum((average - 1.0) ** 2)

print("average:", average.numpy(), "grad:", tape.gradient(loss, scores).numpy())

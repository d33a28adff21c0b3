"""Lost: `argmax` returns an index, which is not differentiable."""

import tensorflow as tf

x = tf.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
labels = tf.constant([0.0, 1.0, 1.0])
w = tf.Variable([[0.3, -0.2], [0.1, 0.4]])

with tf.GradientTape() as tape:
    scores = tf.matmul(x, w)
    guess = tf.cast(tf.argmax(scores, axis=1), tf.float32)
    loss = tf.reduce_mean(tf.square(guess - labels))

print("slope =", tape.gradient(loss, w))

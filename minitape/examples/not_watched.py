"""Lost: a tape watches variables automatically, but not tensors."""

import tensorflow as tf

image = tf.constant([[0.2, 0.4], [0.6, 0.8]])
weights = tf.Variable([[1.0, -1.0], [0.5, 2.0]])

with tf.GradientTape() as tape:
    score = tf.reduce_sum(image * weights)

by_weights, by_image = tape.gradient(score, [weights, image])
print("by the weights:", by_weights.numpy().tolist())
print("by the image:", by_image)

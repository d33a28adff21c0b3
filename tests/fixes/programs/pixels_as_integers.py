import numpy as np
import tensorflow as tf

image = tf.constant(np.array([10, 20, 30]))
w = tf.constant([0.1, 0.2, 0.3])
with tf.GradientTape() as tape:
    tape.watch(image)
    score = tf.reduce_sum(tf.cast(image, tf.float32) * w)
print(tape.gradient(score, image))

import numpy as np
import tensorflow as tf

left = tf.Variable([1.0, 2.0, 0.5])
right = tf.Variable([0.3, 0.1, 0.9])

with tf.GradientTape() as tape:
    a = tf.sin(left)
    b = tf.exp(-right)
    terms = []
    for u, v in zip(np.array(a), np.array(b)):
        terms.append(tf.square(u - v))
    distance = tf.add_n(terms)

print(tape.gradient(distance, [left, right]))

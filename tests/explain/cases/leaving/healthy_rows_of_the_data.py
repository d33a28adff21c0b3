import numpy as np
import tensorflow as tf

data = tf.constant([[1.0, 2.0], [3.0, 4.0], [0.5, 0.1]])
weight = tf.Variable([0.2, 0.7])
with tf.GradientTape() as tape:
    errors = []
    for row in np.array(data):
        errors.append((tf.tensordot(weight, row, 1) - 1.0) ** 2)
    loss = tf.add_n(errors)
print(tape.gradient(loss, weight))

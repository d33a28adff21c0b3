import numpy as np
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
b = tf.Variable(0.5)

with tf.GradientTape() as tape:
    parts = np.empty(3, dtype=object)
    parts[0] = tf.reduce_sum(w**2)
    parts[1] = tf.square(b)
    parts[2] = tf.reduce_prod(w) * b
    loss = sum(parts)

for gradient in tape.gradient(loss, [w, b]):
    print(gradient.numpy())

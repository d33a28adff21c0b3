import numpy as np
import tensorflow as tf

layer = {"bias": tf.Variable(0.1), "weights": np.array([0.4, 0.6], dtype=np.float32)}

with tf.GradientTape() as tape:
    out = tf.reduce_sum(layer["weights"] * tf.constant([1.0, 2.0])) + layer["bias"]
    loss = out**2

grads = tape.gradient(loss, layer)
print(grads)

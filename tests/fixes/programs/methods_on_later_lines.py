import numpy as np
import tensorflow as tf

w = tf.Variable([1.0, 2.0, 3.0, 4.0])
with tf.GradientTape() as tape:
    a = (w * 3.0).numpy()
    grid = a.reshape(2, 2)
    loss = tf.reduce_sum(grid * a.mean())
print(tape.gradient(loss, w))

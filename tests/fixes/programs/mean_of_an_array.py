import numpy as np
import tensorflow as tf

w = tf.Variable([[1.0, 2.0], [0.5, 1.5]])
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
with tf.GradientTape() as tape:
    out = x @ w
    m = out.numpy().mean(axis=1)
    loss = tf.reduce_sum(m**2)
print(tape.gradient(loss, w))

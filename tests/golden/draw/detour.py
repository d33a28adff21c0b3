import numpy as np
import tensorflow as tf

x = tf.Variable(2.0, name="x")

with tf.GradientTape() as tape:
    a = x * x
    b = np.sin(a)
    loss = tf.constant(3.0) * b

print(tape.gradient(loss, x))

import numpy as np
import tensorflow as tf

x = tf.Variable([[0.3, 0.7], [1.2, -0.4]])
with tf.GradientTape(persistent=True) as tape:
    y = tf.tanh(x) * x
    z = {"sum": tf.reduce_sum(y), "peak": tf.reduce_max(y)}

seed = tf.constant(np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32))
print(tape.gradient(y, x, output_gradients=seed).numpy())
print(tape.gradient(z, x).numpy())
print(tape.batch_jacobian(y, x).shape)

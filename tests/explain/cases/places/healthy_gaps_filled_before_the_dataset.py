import numpy as np
import tensorflow as tf

table = np.array([[1.0, 2.1], [2.0, np.nan], [3.0, 6.2], [4.0, 8.2]], "float32")
table = table[np.isfinite(table).all(axis=1)]
w = tf.Variable(0.5, name="w")
for batch in tf.data.Dataset.from_tensor_slices(table).batch(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((batch[:, :1] * w - batch[:, 1:]) ** 2)
    w.assign_sub(0.01 * tape.gradient(loss, w))
print(w.numpy())

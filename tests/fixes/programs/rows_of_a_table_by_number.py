import numpy as np
import tensorflow as tf

table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
chosen = np.array([2, 0])
with tf.GradientTape() as tape:
    rows = tf.constant(table.numpy()[chosen])
    loss = tf.reduce_sum(tf.square(rows))
print(tape.gradient(loss, table))

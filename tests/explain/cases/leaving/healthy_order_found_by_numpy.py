import numpy as np
import tensorflow as tf

table = tf.Variable([[0.3, 0.1], [0.9, 0.4], [0.2, 0.8]])
with tf.GradientTape() as tape:
    rows = tf.nn.softmax(table)
    order = np.argsort(np.array(rows)[:, 0])
    best = tf.gather(rows, order[-2:])
    loss = tf.reduce_sum(best[:, 0] ** 2)
print(tape.gradient(loss, table))

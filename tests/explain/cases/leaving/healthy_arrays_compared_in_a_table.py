import numpy as np
import tensorflow as tf

weight = tf.Variable([0.3, -0.4])
x = tf.constant([[1.0, 0.2], [0.4, 0.9]])
table = {}
for step in range(2):
    with tf.GradientTape() as tape:
        predicted = tf.linalg.matvec(x, weight)
        table[step] = np.array(predicted)
        change = np.abs(table[step] - table.get(step - 1, 0.0)).max()
        loss = tf.reduce_sum((predicted - 1.0) ** 2)
    weight.assign_sub(0.1 * tape.gradient(loss, weight))
    print(step, change)

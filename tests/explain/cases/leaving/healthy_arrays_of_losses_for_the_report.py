import numpy as np
import tensorflow as tf

theta = tf.Variable([0.3, -0.8])
optimizer = tf.keras.optimizers.SGD(0.1)
table = []

for step in range(4):
    with tf.GradientTape() as tape:
        data_term = tf.reduce_sum((theta - [1.0, 1.0]) ** 2)
        smooth_term = tf.square(theta[1] - theta[0])
        both = np.array([data_term, smooth_term])
        loss = data_term + 0.1 * smooth_term
        table.append(both)
    optimizer.apply_gradients([(tape.gradient(loss, theta), theta)])

report = np.stack(table)
print("mean of the terms:", report.mean(axis=0))
print("largest share:", (report[:, 0] / report.sum(axis=1)).max())

import numpy as np
import tensorflow as tf

east = tf.Variable(2.0)
north = tf.Variable(3.0)
masts = [(0.0, 0.0, 3.5), (5.0, 1.0, 3.8), (1.0, 6.0, 3.2)]

with tf.GradientTape() as tape:
    loss = tf.constant(0.0)
    for x, y, measured in masts:
        distance = np.linalg.norm([east - x, north - y])
        loss += (distance - measured) ** 2

gradient = tape.gradient(loss, [east, north])
print("loss:", loss.numpy(), "gradient:", gradient)

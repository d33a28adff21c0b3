import numpy as np
import tensorflow as tf

pull = tf.Variable([[-0.1, 0.5], [-0.5, -0.1]])
begin = tf.constant([1.0, 0.0])
with tf.GradientTape() as tape:
    path = np.zeros((4, 2), np.float32)
    path[0] = begin
    place = begin
    for i in range(1, 4):
        place = place + tf.linalg.matvec(pull, place)
        path[i] = place
    loss = tf.reduce_sum(tf.constant(path)[:, 0] ** 2)
gradient = tape.gradient(loss, pull)
print(gradient)

import numpy as np
import tensorflow as tf

slope = tf.Variable(1.0)
offset = tf.Variable(0.0)
params = np.array([slope, offset])

x = tf.constant([0.0, 1.0, 2.0, 3.0])
y = tf.constant([1.0, 2.9, 5.2, 7.1])


def line(p, at):
    return p[0] * at + p[1]


with tf.GradientTape() as tape:
    residual = line(params, x) - y
    loss = tf.reduce_mean(residual**2)

for name, g in zip(["slope", "offset"], tape.gradient(loss, [slope, offset])):
    print(name, g)

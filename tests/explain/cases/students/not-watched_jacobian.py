import numpy as np
import tensorflow as tf


def field(point):
    x, y = point[0], point[1]
    return tf.stack([x * y, tf.sin(x), y**2])


point = tf.constant(np.array([0.5, 2.0], dtype=np.float32))
with tf.GradientTape() as tape:
    flow = field(point)

print("flow:", flow.numpy())
print("jacobian:", tape.jacobian(flow, point))

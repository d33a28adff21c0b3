import math

import numpy as np
import tensorflow as tf

x = tf.Variable(3.6)
knots = np.array([0.0, 0.5, 2.0, 1.0, 3.0, 2.5], dtype=np.float32)

with tf.GradientTape() as tape:
    left = math.floor(x)
    right = left + 1
    t = x - left
    smooth = t * t * (3.0 - 2.0 * t)
    y = knots[left] + smooth * (knots[right] - knots[left])

print("y:", y.numpy(), "dy/dx:", tape.gradient(y, x).numpy())

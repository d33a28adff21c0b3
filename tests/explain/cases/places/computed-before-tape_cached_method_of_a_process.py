from functools import cache

import numpy as np
import tensorflow as tf


class Process:
    def __init__(self, points, heights):
        self.points, self.heights = points, heights
        self.width = tf.Variable(0.4, name="width")

    @cache
    def gram(self, noise):
        gaps = self.points[:, None] - self.points[None, :]
        return tf.exp(-((gaps / self.width) ** 2)) + noise * tf.eye(len(self.points))

    def misfit(self, noise=0.1):
        weights = tf.linalg.solve(self.gram(noise), self.heights[:, None])
        return 0.5 * tf.reduce_sum(self.heights[:, None] * weights) + 0.5 * tf.linalg.logdet(
            self.gram(noise)
        )


points = np.linspace(0.0, 1.0, 6).astype("float32")
process = Process(points, np.sin(5.0 * points))
print("before", float(process.misfit()))
for step in range(2):
    with tf.GradientTape() as tape:
        loss = process.misfit()
    grad = tape.gradient(loss, process.width)
    print(step, float(loss), grad)

import tensorflow as tf


class Satellite:
    def __init__(self):
        self.burn = tf.Variable([0.5, 0.2])

    def miss_distance(self):
        return tf.reduce_sum((self.burn * 3.0 - 2.0) ** 2)

    def improve(self):
        with tf.GradientTape() as tape:
            miss = self.miss_distance()
        slope = tape.gradient(miss, self.burn)
        if slope is not None:
            self.burn = tf.clip_by_value(self.burn - 0.05 * slope, -1.0, 1.0)
        return miss.numpy(), slope


satellite = Satellite()
print(satellite.improve())
print(satellite.improve())

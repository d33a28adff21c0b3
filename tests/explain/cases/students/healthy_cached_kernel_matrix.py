from functools import cached_property

import tensorflow as tf


class KernelRidge:
    def __init__(self, x):
        self.x = x
        self.alpha = tf.Variable(tf.fill([3, 1], 0.1))

    @cached_property
    def kernel(self):
        distance = (self.x - tf.transpose(self.x)) ** 2
        return tf.exp(-distance)

    def predict(self):
        return self.kernel @ self.alpha


model = KernelRidge(tf.constant([[0.0], [0.5], [1.5]]))
print("condition:", float(tf.reduce_max(model.kernel)))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((model.predict() - 1.0) ** 2)
print(tape.gradient(loss, model.alpha))

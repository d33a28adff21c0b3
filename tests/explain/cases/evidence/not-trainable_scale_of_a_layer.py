"""A scale that its constructor sets aside."""
import tensorflow as tf


class Scale:
    def __init__(self):
        self.factor = tf.Variable(
            1.5,
            trainable=False,
            name="factor",
        )

    def __call__(self, x):
        return self.factor * x


scale = Scale()
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(scale(x) ** 2)
print(tape.gradient(loss, [scale.factor]))

from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Options:
    start: float = 1.0
    learn_scale: bool = False
    rate: float = 0.1


class Scaled(tf.Module):
    def __init__(self, options):
        super().__init__()
        self.scale = tf.Variable(
            options.start,
            trainable=options.learn_scale,
            name="scale",
        )

    def __call__(self, x):
        return self.scale * x


options = Options()
model = Scaled(options)
x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 6.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x) - y) ** 2)
print(tape.gradient(loss, model.scale))

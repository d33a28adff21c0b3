from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Options:
    start: float = 1.0
    learn_scale: bool = False


class Scaled(tf.Module):
    def __init__(self, options):
        super().__init__()
        self.scale = tf.Variable(options.start, trainable=options.learn_scale, name="scale")
        self.count = tf.Variable(0.0, trainable=False)

    def __call__(self, x):
        self.count.assign_add(1.0)
        return self.scale * x


model = Scaled(Options(learn_scale=True))
x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 6.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x) - y) ** 2)
print(tape.gradient(loss, model.trainable_variables))

import copy

import tensorflow as tf


class Line(tf.Module):
    def __init__(self):
        super().__init__()
        self.slope = tf.Variable(0.5, name="slope")
        self.offset = tf.Variable(1.0, name="offset")

    def __call__(self, x):
        return self.slope * x + self.offset


line = Line()
trial = copy.deepcopy(line)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((trial(tf.constant([1.0, 2.0])) - 5.0) ** 2)
print(tape.gradient(loss, [line.slope, line.offset]))

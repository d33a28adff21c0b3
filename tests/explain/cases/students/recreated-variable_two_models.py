import tensorflow as tf


class Line(tf.Module):
    def __init__(self):
        super().__init__()
        self.slope = tf.Variable(0.5, name="slope")
        self.offset = tf.Variable(0.0, name="offset")

    def __call__(self, x):
        return self.slope * x + self.offset


def loss_on(x, y):
    line = Line()
    return tf.reduce_mean(tf.abs(line(x) - y))


line = Line()
with tf.GradientTape() as tape:
    loss = loss_on(tf.constant([1.0, 2.0]), tf.constant([1.5, 3.5]))

print(tape.gradient(loss, [line.slope, line.offset]))

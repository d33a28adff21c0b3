import tensorflow as tf


class Line(tf.Module):
    def __init__(self):
        super().__init__()
        self.slope = tf.Variable(0.5, name="slope")
        self.offset = tf.Variable(0.1, name="offset")

    def to_double(self):
        self.slope = tf.Variable(tf.cast(self.slope, tf.float64), name="slope")
        self.offset = tf.Variable(tf.cast(self.offset, tf.float64), name="offset")
        return self

    def __call__(self, x):
        return self.slope * x + self.offset


line = Line()
sources = [line.slope, line.offset]
line.to_double()
x = tf.constant([1.0, 2.0, 3.0], tf.float64)
y = tf.constant([2.0, 4.5, 5.5], tf.float64)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((line(x) - y) ** 2)
print(tape.gradient(loss, sources))

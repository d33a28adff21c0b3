import tensorflow as tf


class Linear(tf.Module):
    def __init__(self):
        super().__init__()
        self.slope = tf.Variable(0.5, name="slope")
        self.offset = tf.Variable(0.1, name="offset")

    def __call__(self, x):
        return self.slope * x + self.offset


class Quadratic(Linear):
    def __init__(self):
        super().__init__()
        self.bend = tf.Variable(-0.2, name="bend")

    def __call__(self, x):
        return self.slope * x + self.bend * x**2


curve = Quadratic()
x = tf.constant([0.0, 1.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((curve(x) - [1.0, 2.0, 2.5]) ** 2)
print(tape.gradient(loss, [curve.slope, curve.offset, curve.bend]))

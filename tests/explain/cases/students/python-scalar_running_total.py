import tensorflow as tf


class Meter:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def add(self, value):
        self.total += float(value)
        self.count += 1

    def mean(self):
        return tf.constant(self.total / self.count)


w, b = tf.Variable(0.5), tf.Variable(0.1)
meter = Meter()
with tf.GradientTape() as tape:
    for x, y in ((1.0, 1.0), (2.0, 1.0), (3.0, 2.0)):
        meter.add(tf.square(w * x + b - y))
    loss = meter.mean()

print("loss:", loss.numpy(), "gradients:", tape.gradient(loss, [w, b]))

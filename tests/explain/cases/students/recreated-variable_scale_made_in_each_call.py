import tensorflow as tf


class Gain(tf.Module):
    def __init__(self):
        super().__init__()
        self.gain = None

    def __call__(self, x):
        self.gain = tf.Variable(tf.ones([3]), name="gain")
        return x * self.gain


class Filter(tf.Module):
    def __init__(self):
        super().__init__()
        self.first = Gain()
        self.taps = tf.Variable([[0.5], [0.2], [0.1]], name="taps")

    def __call__(self, x):
        return self.first(x) @ self.taps


signal_filter = Filter()
x = tf.constant([[1.0, 2.0, 3.0], [0.0, 1.0, 1.0]])
signal_filter(x)
weights = [signal_filter.first.gain, signal_filter.taps]
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(signal_filter(x) ** 2)
print(tape.gradient(loss, weights)[0])

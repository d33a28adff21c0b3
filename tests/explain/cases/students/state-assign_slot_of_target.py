import tensorflow as tf


class Ema(tf.Module):
    def __init__(self, start):
        super().__init__()
        self.value = tf.Variable(start, trainable=False)

    def __call__(self, x):
        self.value.assign(0.5 * self.value + 0.5 * x)
        return self.value * 2.0


gain = tf.Variable(0.7)
ema = Ema(0.0)
with tf.GradientTape() as tape:
    out = ema(tf.constant(3.0) * gain)
    loss = (out - 1.0) ** 2
print(tape.gradient(loss, gain))

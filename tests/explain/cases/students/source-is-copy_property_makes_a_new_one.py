import tensorflow as tf


class Pruned(tf.Module):
    def __init__(self):
        super().__init__()
        self.raw = tf.Variable([0.5, -0.2, 0.9])
        self.mask = tf.constant([1.0, 0.0, 1.0])

    @property
    def weights(self):
        return self.raw * self.mask

    def __call__(self, x):
        return tf.reduce_sum(self.weights * x)


net = Pruned()
with tf.GradientTape() as tape:
    loss = (net(tf.constant([1.0, 2.0, 3.0])) - 1.0) ** 2
print(tape.gradient(loss, net.weights))

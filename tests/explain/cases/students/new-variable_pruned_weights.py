import tensorflow as tf


class Pruned(tf.Module):
    def __init__(self, kernel, limit):
        super().__init__()
        self.kernel = tf.Variable(kernel)
        self.limit = limit

    def effective(self):
        mask = tf.cast(tf.abs(self.kernel) > self.limit, tf.float32)
        return tf.Variable(self.kernel * mask)

    def __call__(self, x):
        return tf.matmul(x, self.effective())


layer = Pruned([[0.9, 0.05], [-0.7, 0.4]], limit=0.1)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(layer(tf.constant([[1.0, 2.0]])) ** 2)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, layer.kernel))

import tensorflow as tf


class Adapter(tf.Module):
    def __init__(self, base, rank):
        super().__init__()
        self.base = tf.constant(base)
        self.down = tf.Variable(tf.zeros([2, rank]), name="down")
        self.up = tf.Variable(tf.zeros([rank, 2]), name="up")

    def __call__(self, x):
        return x @ self.base + (x @ self.down) @ self.up


adapter = Adapter([[1.0, 0.2], [0.0, 0.7]], rank=1)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((adapter(tf.constant([[1.0, 2.0]])) - 3.0) ** 2)

print({v.name: g.numpy() for v, g in zip(
    adapter.trainable_variables, tape.gradient(loss, adapter.trainable_variables))})

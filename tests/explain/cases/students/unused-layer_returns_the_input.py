import tensorflow as tf


class Residual(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[0.2, 0.1], [0.0, 0.3]])
        self.gain = tf.Variable(1.0)

    def __call__(self, x):
        h = tf.tanh(tf.matmul(x, self.w)) * self.gain
        return x


block = Residual()
head = tf.Variable([[1.0], [1.0]])
with tf.GradientTape() as tape:
    out = tf.matmul(block(tf.constant([[1.0, -2.0]])), head)
    loss = tf.reduce_sum(out**2)

print(tape.gradient(loss, [block.gain, block.w, head]))

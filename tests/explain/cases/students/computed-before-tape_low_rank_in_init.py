import tensorflow as tf


class LowRank(tf.Module):
    def __init__(self):
        super().__init__()
        self.left = tf.Variable([[0.5], [0.1], [-0.2]])
        self.right = tf.Variable([[1.0, -1.0]])
        self.kernel = tf.matmul(self.left, self.right)

    def __call__(self, x):
        return tf.matmul(x, self.kernel)


layer = LowRank()
x = tf.constant([[1.0, 2.0, 3.0]])
with tf.GradientTape() as tape:
    out = layer(x)
    loss = tf.reduce_sum(out * out)

d_left, d_right = tape.gradient(loss, [layer.left, layer.right])
print("left:", d_left, "right:", d_right)

import tensorflow as tf


class BinaryDense(tf.Module):
    def __init__(self):
        super().__init__()
        self.bias = tf.Variable([0.0, 0.0])
        self.kernel = tf.Variable([[0.7, -0.1], [-0.4, 0.2]])

    def __call__(self, x):
        return tf.matmul(x, tf.math.sign(self.kernel)) + self.bias


layer = BinaryDense()
with tf.GradientTape() as tape:
    loss = tf.nn.l2_loss(layer(tf.constant([[1.0, 3.0]])) - 1.0)

grads = tape.gradient(loss, layer.trainable_variables)
print({v.shape.rank: g.numpy().tolist() for v, g in zip(layer.trainable_variables, grads)})

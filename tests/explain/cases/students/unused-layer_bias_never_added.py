import tensorflow as tf


class Affine(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[1.0, 0.0], [0.5, -1.0]], name="w")
        self.b = tf.Variable([0.1, 0.2], name="b")

    def __call__(self, x):
        return tf.nn.softplus(tf.matmul(x, self.w))


layer = Affine()
with tf.GradientTape() as tape:
    out = layer(tf.constant([[1.0, 2.0]]))
    loss = tf.reduce_sum(out)

grads = tape.gradient(loss, layer.trainable_variables)
print({v.name: g for v, g in zip(layer.trainable_variables, grads)})

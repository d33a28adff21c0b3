import tensorflow as tf


class Linear(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def __call__(self, x):
        self.w = tf.Variable(tf.fill([x.shape[-1], self.units], 0.3), name="w")
        self.b = tf.Variable(tf.zeros([self.units]), name="b")
        return x @ self.w + self.b


layer = Linear(2)
x = tf.constant([[1.0, 2.0, 3.0]])
layer(x)
weights = [layer.w, layer.b]

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(layer(x) ** 2)
print(tape.gradient(loss, weights))

import tensorflow as tf


class Lazy(tf.Module):
    """Makes its weights when it sees the first input."""

    def __init__(self, units):
        super().__init__()
        self.units = units
        self.w = None

    def __call__(self, x):
        if self.w is None:
            self.w = tf.Variable(tf.ones([x.shape[-1], self.units]) * 0.1, name="w")
            self.b = tf.Variable(tf.fill([self.units], 0.2), name="b")
        return tf.tanh(x @ self.w + self.b)


layer = Lazy(2)
x = tf.constant([[1.0, 2.0, -1.0]])

with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
    for weight in layer.trainable_variables:
        tape.watch(weight)
    loss = tf.reduce_sum(layer(x) ** 2)

print(tape.gradient(loss, [layer.w, layer.b]))

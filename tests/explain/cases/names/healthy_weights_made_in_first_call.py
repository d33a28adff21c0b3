import tensorflow as tf


class Linear(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.w = None

    def __call__(self, x):
        if self.w is None:
            self.w = tf.Variable(tf.fill([x.shape[-1], self.units], 0.3), name="w")
        return x @ self.w


layer = Linear(2)
x = tf.constant([[1.0, 2.0, 3.0]])
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(x) ** 2)
    print(tape.gradient(loss, layer.w))

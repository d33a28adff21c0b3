import tensorflow as tf


class Gated(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), initializer="ones", name="kernel")
        self.gate = self.add_weight(shape=(self.units,), initializer="zeros", name="gate")

    def call(self, x):
        return tf.tanh(x @ self.kernel)


layer = Gated(2)
x = tf.constant([[0.1, 0.2, 0.3]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(layer(x) ** 2)
print(tape.gradient(loss, layer.trainable_variables))

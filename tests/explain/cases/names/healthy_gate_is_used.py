import tensorflow as tf


class Gated(tf.keras.layers.Layer):
    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], 2), initializer="ones", name="kernel")
        self.gate = self.add_weight(shape=(2,), initializer="zeros", name="gate")

    def call(self, x):
        return tf.tanh(x @ self.kernel) * tf.sigmoid(self.gate)


layer = Gated()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(layer(tf.constant([[0.1, 0.2, 0.3]])) ** 2)
print(tape.gradient(loss, layer.trainable_variables))

import tensorflow as tf


class Scaled(tf.keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(shape=(), initializer="ones", name="scale")
        self.total = self.add_weight(shape=(), initializer="zeros", trainable=False, name="total")

    def call(self, x):
        self.total.assign_add(tf.reduce_sum(x))
        return x * self.scale


layer = Scaled()
with tf.GradientTape() as tape:
    y = tf.reduce_sum(layer(tf.constant([1.0, 2.0])))
print(tape.gradient(y, layer.variables))

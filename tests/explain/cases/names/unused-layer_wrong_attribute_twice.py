import tensorflow as tf


class Blend(tf.keras.layers.Layer):
    def build(self, shape):
        self.left = self.add_weight(shape=(shape[-1],), initializer="ones", name="left")
        self.right = self.add_weight(shape=(shape[-1],), initializer="ones", name="right")

    def call(self, inputs):
        a, b = inputs[0], inputs[1]
        mixed = a * self.left + b * self.left
        return tf.reduce_sum(mixed)


blend = Blend()
pair = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = blend(pair) ** 2
print(tape.gradient(y, blend.trainable_variables))

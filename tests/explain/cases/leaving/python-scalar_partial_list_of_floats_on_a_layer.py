import tensorflow as tf


class Gate(tf.keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(shape=(), initializer="ones", name="w")
        self.sparsity = []

    def call(self, x):
        opened = self.w * x
        self.sparsity.append(float(tf.reduce_mean(tf.abs(opened))))
        return opened


gate = Gate()
inputs = tf.constant([[1.0, -2.0], [3.0, 2.0]])
with tf.GradientTape() as tape:
    outputs = gate(gate(inputs))
    fit = tf.reduce_mean(outputs)
    loss = fit + sum(gate.sparsity) / 2.0 * tf.constant(1.0)

(grad,) = tape.gradient(loss, gate.trainable_weights)
print("loss", loss.numpy(), "grad", grad.numpy())

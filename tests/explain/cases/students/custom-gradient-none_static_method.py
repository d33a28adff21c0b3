import tensorflow as tf


class Ops:
    @staticmethod
    @tf.custom_gradient
    def scaled(x, scale):
        def grad(upstream):
            return upstream * scale, None

        return x * scale, grad


w, scale = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(Ops.scaled(w, scale) ** 2)
print(tape.gradient(loss, [w, scale]))

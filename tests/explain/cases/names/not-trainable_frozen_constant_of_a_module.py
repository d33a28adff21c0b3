import tensorflow as tf


class FineTuned(tf.Module):
    def __init__(self):
        super().__init__()
        self.base = tf.Variable([[0.5, -0.5], [0.2, 0.9]], trainable=False, name="base")
        self.head = tf.Variable([[1.0], [2.0]], name="head")

    def __call__(self, x):
        return tf.tanh(x @ self.base) @ self.head


model = FineTuned()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(model(tf.constant([[1.0, 2.0]])) ** 2)
grads = tape.gradient(loss, model.variables)
print(grads)

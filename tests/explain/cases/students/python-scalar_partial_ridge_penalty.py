import tensorflow as tf

x = tf.constant([[1.0, 2.0], [3.0, 1.0]])
y = tf.constant([[1.0], [2.0]])


class Ridge(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[0.5], [-0.5]])

    def penalty(self):
        return sum(float(tf.reduce_sum(v**2)) for v in self.trainable_variables)

    def loss(self):
        return tf.reduce_mean((x @ self.w - y) ** 2) + 0.5 * self.penalty()


model = Ridge()
with tf.GradientTape() as tape:
    loss = model.loss()
grad = tape.gradient(loss, model.w)
print(grad.numpy())

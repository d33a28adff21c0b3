import tensorflow as tf


class TwoPart(tf.Module):
    def __init__(self):
        super().__init__()
        self.body = tf.Variable([[0.5, -0.4], [0.2, 0.6]])
        self.head = tf.Variable([[1.0], [-1.0]])

    def __call__(self, x):
        return tf.sigmoid(x @ self.body) @ self.head


net = TwoPart()
x = tf.constant([[1.0, 2.0]])
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(net.head)
    loss = tf.reduce_sum(net(x) ** 2)
grads = tape.gradient(loss, net.trainable_variables)
print(grads)

import tensorflow as tf


class Noisy(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.spread = self.add_weight(shape=(), initializer="ones", name="spread")
        self.cost = 0.0

    def call(self, x):
        self.cost += float(self.spread**2 * tf.reduce_sum(x))
        return x * self.spread


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.noisy = Noisy()

    def call(self, x):
        return tf.reduce_sum(self.noisy(x), axis=-1)


net = Net()
x = tf.constant([[1.0, 2.0]])
with tf.GradientTape() as tape:
    out = tf.squeeze(net(x))
    loss = out + net.noisy.cost
print(loss.numpy(), tape.gradient(loss, net.trainable_variables)[0].numpy())

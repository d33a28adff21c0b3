import tensorflow as tf

tf.keras.utils.set_random_seed(14)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = tf.keras.layers.Dense(4, activation="relu")
        self.second = tf.keras.layers.Dense(4, activation="relu")
        self.last = tf.keras.layers.Dense(1)

    def call(self, x):
        h = self.first(x)
        g = self.second(h)
        return self.last(h)


net = Net()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((net(tf.constant([[1.0, 2.0, 0.5]])) - 1.0) ** 2)
print([g is None for g in tape.gradient(loss, net.trainable_variables)])

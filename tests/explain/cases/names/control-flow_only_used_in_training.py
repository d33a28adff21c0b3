import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.main = tf.keras.layers.Dense(2)
        self.auxiliary = tf.keras.layers.Dense(2)

    def call(self, x, training=False):
        out = self.main(x)
        if training:
            out = out + 0.3 * self.auxiliary(x)
        return out


net = Net()
x = tf.random.normal((4, 3))
net(x, training=True)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(net(x) ** 2)
variables = net.main.trainable_variables + net.auxiliary.trainable_variables
print(tape.gradient(loss, variables))

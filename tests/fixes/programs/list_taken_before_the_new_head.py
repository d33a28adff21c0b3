import tensorflow as tf


class Net:
    def __init__(self, outputs):
        self.body = tf.keras.layers.Dense(3, activation="tanh", name="body")
        self.head = tf.keras.layers.Dense(outputs, name="head")

    def __call__(self, x):
        return self.head(self.body(x))

    def weights(self):
        return self.body.trainable_variables + self.head.trainable_variables


tf.keras.utils.set_random_seed(3)
data = tf.random.normal([4, 2])
net = Net(5)
net(data)
weights = net.weights()
net.head = tf.keras.layers.Dense(2, name="new_head")
net(data)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(net(data) - 1.0))
print(tape.gradient(loss, weights))

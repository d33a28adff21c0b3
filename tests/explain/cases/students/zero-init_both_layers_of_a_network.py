import tensorflow as tf
from tensorflow.keras import layers


class Network(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = layers.Dense(5, activation="tanh", kernel_initializer="zeros")
        self.top = layers.Dense(1, kernel_initializer="zeros")

    def call(self, x):
        return self.top(self.hidden(x))


network = Network()
x = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.3]])
y = tf.constant([[1.0], [0.0], [2.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((network(x) - y) ** 2)
gradients = tape.gradient(loss, network.trainable_variables)
print([float(tf.norm(g)) for g in gradients])

import tensorflow as tf


class Encoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(3, activation="tanh")
        self.projection = tf.keras.layers.Dense(2)

    def call(self, x):
        h = self.hidden(x)
        self.projection(h)
        return h


tf.keras.utils.set_random_seed(1)
model = Encoder()
x = tf.constant([[1.0, 2.0], [0.3, -0.4]])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x) ** 2)
grads = tape.gradient(loss, model.trainable_variables)
print([g is None for g in grads])

import tensorflow as tf

tf.keras.utils.set_random_seed(17)


class Mlp(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = tf.keras.layers.Dense(3, activation="tanh")
        self.second = tf.keras.layers.Dense(3, activation="tanh")
        self.head = tf.keras.layers.Dense(1)
        self.first.build((None, 2))
        self.second.build((None, 3))
        self.head.build((None, 3))

    def call(self, x):
        h = self.first(x)
        return self.head(h)


model = Mlp()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(tf.constant([[0.5, 1.5]])) ** 2)
grads = tape.gradient(loss, model.trainable_variables)
print([g is None for g in grads])

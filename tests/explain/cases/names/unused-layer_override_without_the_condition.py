import tensorflow as tf

tf.keras.utils.set_random_seed(1)


class Decoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.condition = tf.keras.layers.Dense(4)
        self.body = tf.keras.layers.Dense(4, activation="tanh")
        self.out = tf.keras.layers.Dense(1)

    def hidden(self, z, c):
        return self.body(z) + self.condition(c)

    def call(self, inputs):
        return self.out(self.hidden(*inputs))


class DeepDecoder(Decoder):
    def __init__(self):
        super().__init__()
        self.second = tf.keras.layers.Dense(4, activation="tanh")

    def hidden(self, z, c):
        h = self.body(z)
        return h + self.second(h)


model = DeepDecoder()
z, c = tf.random.normal((4, 2)), tf.random.normal((4, 3))
model.condition.build((None, 3))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model((z, c)) ** 2)
sources = model.condition.trainable_variables + model.out.trainable_variables
print(tape.gradient(loss, sources))

import tensorflow as tf

tf.keras.utils.set_random_seed(8)


class TwoHeads(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.price = tf.keras.layers.Dense(1, name="price")
        self.risk = tf.keras.layers.Dense(1, name="risk")

    def call(self, x):
        return self.price(x), self.risk(x)


model = TwoHeads()
x = tf.constant([[1.0, 2.0], [2.0, 0.5]])
with tf.GradientTape() as tape:
    price, risk = model(x)
    loss = tf.reduce_mean((price - 3.0) ** 2)

grads = tape.gradient(loss, model.trainable_variables)
print([g is None for g in grads])

import tensorflow as tf


class Block(tf.keras.layers.Layer):
    def build(self, shape):
        self.k = self.add_weight(shape=(), initializer="ones", name="k")

    def call(self, x):
        y = x * self.k
        return y, tf.reduce_mean(y).numpy().item()


class Tower(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def call(self, x):
        extra = 0.0
        for _ in range(2):
            x, mean = self.block(x)
            extra += mean
        return x, extra


tower = Tower()
x = tf.constant([0.0, 2.0])
with tf.GradientTape() as tape:
    y, extra = tower(x)
    loss = tf.reduce_mean(y) + 0.2 * extra
print(loss.numpy(), tape.gradient(loss, tower.trainable_weights)[0].numpy())

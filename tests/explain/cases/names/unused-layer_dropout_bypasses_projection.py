import tensorflow as tf

tf.keras.utils.set_random_seed(55)


class Block(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.up = tf.keras.layers.Dense(4, activation="tanh", use_bias=False)
        self.down = tf.keras.layers.Dense(2, use_bias=False)

    def build(self, shape):
        self.up.build(shape)
        self.down.build((None, 4))
        self.alpha = self.add_weight(shape=(), initializer="ones", name="alpha")

    def call(self, x):
        y = self.up(x)
        z = self.down(y)
        return x + z


block = Block()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(block(tf.constant([[0.3, -0.7]])) ** 2)
print(tape.gradient(loss, [block.up.kernel, block.down.kernel, block.alpha]))

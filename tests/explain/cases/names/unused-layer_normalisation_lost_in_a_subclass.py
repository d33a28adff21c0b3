import tensorflow as tf

tf.keras.utils.set_random_seed(2)


class Block(tf.keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.norm = tf.keras.layers.LayerNormalization()
        self.dense = tf.keras.layers.Dense(width, activation="relu")
        self.norm.build((None, width))

    def call(self, x):
        return self.dense(self.norm(x))


class ResidualBlock(Block):
    def call(self, x):
        return x + self.dense(x)


block = ResidualBlock(3)
x = tf.random.normal((5, 3))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(block(x) ** 2)
print(tape.gradient(loss, block.norm.trainable_variables + block.dense.trainable_variables))

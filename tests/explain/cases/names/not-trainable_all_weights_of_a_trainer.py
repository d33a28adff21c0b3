import tensorflow as tf

tf.keras.utils.set_random_seed(43)


class Block(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.norm = tf.keras.layers.BatchNormalization()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x, training=False):
        return self.dense(self.norm(x, training=training))


def step(model, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    everything = model.weights
    return tape.gradient(loss, everything)


block = Block()
x = tf.random.normal([6, 2])
print([g is None for g in step(block, x, tf.ones([6, 1]))])

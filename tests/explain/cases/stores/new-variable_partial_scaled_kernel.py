import tensorflow as tf

tf.keras.utils.set_random_seed(10)


class Scaled(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), initializer="glorot_uniform", name="kernel")
        self.gain = self.add_weight(shape=(), initializer="ones", name="gain")

    def call(self, x):
        kernel = tf.Variable(self.gain * self.kernel)
        return tf.matmul(x, kernel) + self.gain


layer = Scaled(2)
x, y = tf.random.normal((4, 3)), tf.random.normal((4, 2))
layer(x)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((layer(x) - y) ** 2)
gain = tape.gradient(loss, layer.gain)
print(gain)

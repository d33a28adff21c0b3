import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class QuantDense(tf.keras.layers.Layer):
    def __init__(self, units, step=0.25):
        super().__init__()
        self.units, self.step = units, step

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), initializer="glorot_uniform")
        self.bias = self.add_weight(shape=(self.units,), initializer="zeros")

    def quantized(self, w):
        levels = tf.round(tf.clip_by_value(w, -1.0, 1.0) / self.step)
        q = levels * self.step
        return w + (q - w)

    def call(self, x):
        return tf.matmul(x, self.quantized(self.kernel)) + self.bias


model = tf.keras.Sequential([tf.keras.Input((3,)), QuantDense(4), QuantDense(1)])
x = tf.random.normal((8, 3))
y = tf.reduce_sum(x, axis=1, keepdims=True)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    for v, g in zip(model.trainable_variables, gradients):
        v.assign_sub(0.1 * g)

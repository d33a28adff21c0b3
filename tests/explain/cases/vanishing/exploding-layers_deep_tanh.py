import tensorflow as tf

tf.random.set_seed(16)


class Layer:
    def __init__(self, n, scale):
        self.w = tf.Variable(tf.random.normal([n, n], stddev=scale))
        self.b = tf.Variable(tf.zeros([n]))

    def __call__(self, x):
        return tf.tanh(x @ self.w + self.b)


n = 40
network = [Layer(n, scale=0.5) for _ in range(24)]
x = 0.1 * tf.random.normal([10, n])
with tf.GradientTape() as tape:
    for layer in network:
        x = layer(x)
    loss = tf.reduce_mean(x**2)
grads = tape.gradient(loss, [layer.w for layer in network])

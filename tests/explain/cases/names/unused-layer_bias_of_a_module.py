import tensorflow as tf


class Dense(tf.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.w = tf.Variable(tf.random.stateless_normal([n_in, n_out], [1, 2]), name="w")
        self.b = tf.Variable(tf.zeros([n_out]), name="b")

    def __call__(self, x):
        y = tf.matmul(x, self.w)
        return tf.nn.softplus(y)


layer = Dense(3, 2)
with tf.GradientTape() as tape:
    out = tf.reduce_sum(layer(tf.ones([1, 3])))
print(tape.gradient(out, [layer.w, layer.b]))

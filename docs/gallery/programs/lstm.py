import tensorflow as tf

tf.random.set_seed(3)
UNITS = 5
series = tf.random.normal([4, 12, 2])
rises = tf.constant([[1.0], [0.0], [1.0], [0.0]])
kernel = tf.Variable(tf.random.normal([2 + UNITS, 4 * UNITS], stddev=0.4), name="kernel")
bias = tf.Variable(tf.zeros([4 * UNITS]), name="bias")
read = tf.Variable(tf.random.normal([UNITS, 1]), name="read")


def cell(x, h, c):
    gates = tf.concat([x, h], axis=1) @ kernel + bias
    keep, write, new, show = tf.split(gates, 4, axis=1)
    c = tf.sigmoid(keep) * c + tf.sigmoid(write) * tf.tanh(new)
    return tf.sigmoid(show) * tf.tanh(c), c


with tf.GradientTape() as tape:
    h = c = tf.zeros([4, UNITS])
    for t in range(12):
        h, c = cell(series[:, t], h, c)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(rises, h @ read))
d_kernel, d_bias, d_read = tape.gradient(loss, [kernel, bias, read])
print("loss", loss.numpy(), "bias", tf.norm(d_bias).numpy())

import tensorflow as tf

tf.random.set_seed(1)
w1 = tf.Variable(tf.random.normal([3, 8], stddev=0.5))
w2 = tf.Variable(tf.random.normal([8, 1], stddev=0.5))
x = tf.constant([[1.0, -0.5, 0.3], [0.2, 0.8, -1.0]])


def dropout(h, rate):
    keep = tf.cast(tf.random.uniform(h.shape) >= rate, h.dtype)
    return h * keep / (1.0 - rate)


with tf.GradientTape() as tape:
    hidden = dropout(tf.nn.relu(x @ w1), rate=0.3)
    loss = tf.reduce_mean((hidden @ w2 - 1.0) ** 2)

print([float(tf.norm(g)) for g in tape.gradient(loss, [w1, w2])])

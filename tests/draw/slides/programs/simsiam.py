import minitape as tf

tf.keras.utils.set_random_seed(0)
W, V = tf.Variable(tf.random.normal((6, 8))), tf.Variable(tf.random.normal((8, 8)))
x = tf.random.normal((16, 6))


def encoder(x):
    return tf.tanh(x @ W) * 2.0


def predictor(z):
    return tf.nn.relu(z @ V) + 0.5


def distance(p, z):
    z = tf.stop_gradient(z)
    return tf.reduce_mean((p - z) ** 2)


with tf.GradientTape() as tape:
    first, second = encoder(x + 0.1), encoder(x * 1.1)
    loss = distance(predictor(first), second) + distance(predictor(second), first)
grads = tape.gradient(loss, [W, V])

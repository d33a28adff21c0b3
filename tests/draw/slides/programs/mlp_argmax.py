import minitape as tf

tf.keras.utils.set_random_seed(0)
x = tf.random.normal((32, 4))
labels = tf.random.uniform((32,), 0, 3, tf.int32)
W1, b1 = tf.Variable(tf.random.normal((4, 16))), tf.Variable(tf.zeros(16))
W2, b2 = tf.Variable(tf.random.normal((16, 3))), tf.Variable(tf.zeros(3))


def model(x):
    h = tf.nn.relu(x @ W1 + b1)
    return h @ W2 + b2


with tf.GradientTape() as tape:
    logits = model(x)
    prediction = tf.cast(tf.argmax(logits, axis=1), tf.float32)
    loss = tf.reduce_mean((prediction - tf.cast(labels, tf.float32)) ** 2)
grads = tape.gradient(loss, [W1, b1, W2, b2])

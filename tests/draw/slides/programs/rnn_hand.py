import minitape as tf

tf.keras.utils.set_random_seed(0)
W, U = tf.Variable(0.1 * tf.random.normal((4, 8))), tf.Variable(0.3 * tf.random.normal((8, 8)))
V = tf.Variable(tf.random.normal((8, 1)))
inputs = tf.random.normal((20, 16, 4))
h = tf.zeros((16, 8))
with tf.GradientTape() as tape:
    for t in range(20):
        h = tf.tanh(inputs[t] @ W + h @ U)
    loss = tf.reduce_mean((h @ V - 1.0) ** 2)
grads = tape.gradient(loss, [W, U, V])

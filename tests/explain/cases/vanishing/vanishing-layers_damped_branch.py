import tensorflow as tf

tf.random.set_seed(8)
WIDTH = 16
kernels = [tf.Variable(tf.random.normal([WIDTH, WIDTH]) / WIDTH**0.5) for _ in range(6)]
readout = tf.Variable(tf.random.normal([WIDTH, 1]))


def block(x, kernel):
    return 0.2 * tf.tanh(x @ kernel)


x = tf.random.normal([32, WIDTH])
target = tf.random.normal([32, 1])
with tf.GradientTape() as tape:
    h = 3.0 * x
    for kernel in kernels:
        h = block(h, kernel)
    loss = tf.reduce_mean((h @ readout - target) ** 2)
grads = tape.gradient(loss, kernels)

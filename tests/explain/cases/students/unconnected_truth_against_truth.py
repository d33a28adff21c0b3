import tensorflow as tf


def mse(a, b):
    return tf.reduce_mean((a - b) ** 2)


w, b = tf.Variable(0.3), tf.Variable(0.0)
x = tf.constant([1.0, 2.0, 3.0])
y = tf.constant([2.0, 4.1, 6.2])

with tf.GradientTape() as tape:
    guess = w * x + b
    loss = mse(y, 0.9 * y)

print("loss:", loss.numpy(), "grads:", tape.gradient(loss, [w, b]))

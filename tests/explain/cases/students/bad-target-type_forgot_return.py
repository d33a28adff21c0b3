import tensorflow as tf


def compute_loss(w, x):
    error = w * x - 1.0
    loss = tf.reduce_mean(error**2)


w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = compute_loss(w, tf.constant([1.0, 2.0]))

print(tape.gradient(loss, w))

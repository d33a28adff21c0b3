import tensorflow as tf


def distance(prediction, target):
    prediction = tf.stop_gradient(prediction)
    return tf.reduce_mean((prediction - target) ** 2)


w = tf.Variable([[0.4, -0.2], [0.3, 0.9]], name="w")
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
target = tf.constant([[0.3, 0.1], [0.2, 0.4]])
with tf.GradientTape() as tape:
    prediction = tf.tanh(x @ w)
    loss = distance(prediction, target)
print(tape.gradient(loss, w))

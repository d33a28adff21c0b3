"""The predictions are made, then the tape is opened around the loss."""
import tensorflow as tf

w = tf.Variable([[0.4], [0.1]])
x = tf.constant([[1.0, 2.0], [2.0, 0.5]])
y = tf.constant([[1.0], [0.0]])

predictions = tf.sigmoid(x @ w)
with tf.GradientTape() as tape:
    error = predictions - y
    loss = tf.reduce_mean(error**2)
print(tape.gradient(loss, w))

"""The tape is cleared once too often: what was recorded of the first half is gone."""
import tensorflow as tf

w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    first = w * 3.0
    tape.reset()
    loss = tf.square(first) + 1.0
print(tape.gradient(loss, w))

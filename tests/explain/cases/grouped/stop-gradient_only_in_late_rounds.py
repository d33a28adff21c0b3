"""From the third round on the encoder is frozen by a flag that no one remembers."""
import tensorflow as tf

encoder = [tf.Variable([[0.4, -0.2], [0.1, 0.3]], name=f"layer_{i}") for i in range(4)]
x = tf.constant([[1.0, 2.0]])


def encode(h, frozen):
    for weights in encoder:
        h = tf.tanh(h @ weights)
    return tf.stop_gradient(h) if frozen else h


for step in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(encode(x, frozen=step >= 2) - 0.5))
    gradients = tape.gradient(loss, encoder)
    for weights, gradient in zip(encoder, gradients):
        if gradient is not None:
            weights.assign_sub(0.1 * gradient)

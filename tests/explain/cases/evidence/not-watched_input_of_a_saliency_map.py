"""How much does each pixel matter? The picture is no variable, and nobody watches it."""
import tensorflow as tf


def saliency(model, picture):
    with tf.GradientTape() as tape:
        score = model(picture)
    return tape.gradient(score, picture)


def model(picture):
    return tf.reduce_sum(tf.tanh(picture) * weights)


weights = tf.constant([0.2, 0.5, 0.3])
pixels = tf.constant([0.1, 0.9, 0.4])
print(saliency(model, pixels))

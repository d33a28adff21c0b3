import numpy as np
import tensorflow as tf

pixels = np.arange(6, dtype=np.uint8).reshape(2, 3)
kernel = tf.constant([[1.0, 0.0, -1.0]])


def prepare(image):
    return tf.cast(image, tf.float32) / 255.0


with tf.GradientTape() as tape:
    shown = prepare(pixels)
    tape.watch(shown)
    edges = tf.reduce_sum(tf.abs(shown * kernel) ** 1.5)

heat = tape.gradient(edges, prepare(pixels))
print("edges:", edges.numpy(), "heat map:", heat)

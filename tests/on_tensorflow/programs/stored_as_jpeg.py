"""Choose the tint of a picture and the weight of a second exposure; the first exposure is stored as a JPEG."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
scene = tf.constant(rng.uniform(0.1, 0.9, (8, 8, 3)), tf.float32)
dark = tf.constant(rng.uniform(0.0, 0.3, (8, 8, 3)), tf.float32)
wanted = 0.7 * scene + 0.2 * dark

tint = tf.Variable([1.0, 1.0, 1.0], name="tint")
weight = tf.Variable(0.5, name="weight")


def stored(picture):
    whole = tf.cast(255.0 * picture, tf.uint8)
    file = tf.io.encode_jpeg(whole, quality=95)
    return tf.cast(tf.io.decode_jpeg(file), tf.float32) / 255.0


for step in range(3):
    with tf.GradientTape() as tape:
        first = stored(tf.clip_by_value(tint * scene, 0.0, 1.0))
        loss = tf.reduce_mean((first + weight * dark - wanted) ** 2)
    gradients = tape.gradient(loss, [tint, weight])
    for variable, gradient in zip([tint, weight], gradients):
        if gradient is None:
            print("no gradient:", variable.name)
        else:
            variable.assign_sub(0.5 * gradient)
    print(step, round(float(loss), 4))

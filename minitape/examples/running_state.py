"""Lost: `assign` stores only the value; the tape does not record it."""

import tensorflow as tf

gain = tf.Variable(1.5)
level = tf.Variable(0.0)

with tf.GradientTape() as tape:
    for sample in [0.2, 0.8, 0.5]:
        level.assign(0.9 * level + 0.1 * gain * sample)
    loss = tf.square(level - 1.0)

print("slope =", tape.gradient(loss, gain))

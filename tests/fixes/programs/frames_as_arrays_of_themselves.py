import numpy as np
import tensorflow as tf


def joined(frames):
    kept = []
    for frame in frames:
        frame = np.asarray(frame)
        kept.append(frame)
    return np.stack(kept)


gain = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    clip = joined(gain * tf.ones([2, 3]))
    loss = tf.reduce_sum(tf.square(clip))
print(tape.gradient(loss, gain))

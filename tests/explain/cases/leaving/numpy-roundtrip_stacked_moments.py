import numpy as np
import tensorflow as tf

data = tf.constant([1.0, 2.0, 4.0, 8.0])
power = tf.Variable(0.5)
wanted = tf.constant([1.6, 0.4], dtype=tf.float32)

with tf.GradientTape() as tape:
    bent = data**power
    mean = tf.reduce_mean(bent)
    spread = tf.math.reduce_std(bent)
    moments = np.stack([mean, spread])
    gap = moments - wanted
    loss = tf.tensordot(gap, gap, axes=1)

grad = tape.gradient(loss, power)
print(f"loss {loss.numpy():.4f}, gradient {grad}")

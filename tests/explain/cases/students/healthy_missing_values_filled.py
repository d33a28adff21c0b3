import numpy as np
import tensorflow as tf

raw = tf.constant([1.0, np.nan, 3.0, np.nan])
known = tf.logical_not(tf.math.is_nan(raw))
filled = tf.where(known, raw, tf.zeros_like(raw))
weight = tf.cast(known, tf.float32)
level, trend = tf.Variable(0.5), tf.Variable(0.1)

with tf.GradientTape() as tape:
    model = level + trend * tf.range(4.0)
    loss = tf.reduce_sum(weight * (model - filled) ** 2) / tf.reduce_sum(weight)

print("loss:", loss.numpy(), [g.numpy() for g in tape.gradient(loss, [level, trend])])

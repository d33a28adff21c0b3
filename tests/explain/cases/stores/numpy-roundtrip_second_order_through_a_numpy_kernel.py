import numpy as np
import tensorflow as tf


@tf.custom_gradient
def fast_exp(x):
    y = tf.constant(np.exp(x.numpy()), tf.float32)

    def rule(upstream):
        return upstream * y

    return y, rule


x = tf.Variable(1.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        z = x * x * fast_exp(x)
    slope = inner.gradient(z, x)
bend = outer.gradient(slope, x)
print(slope.numpy(), bend.numpy())

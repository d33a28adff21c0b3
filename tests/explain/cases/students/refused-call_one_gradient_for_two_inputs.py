import tensorflow as tf


@tf.custom_gradient
def leaky(x, slope):
    y = tf.where(x > 0.0, x, slope * x)

    def backward(upstream):
        return upstream * tf.where(x > 0.0, tf.ones_like(x), slope)

    return y, backward


x = tf.Variable([1.0, -2.0])
slope = tf.Variable(0.1)
with tf.GradientTape() as tape:
    y = tf.reduce_sum(leaky(x, slope))
print(tape.gradient(y, [x, slope]))

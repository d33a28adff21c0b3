import tensorflow as tf


@tf.custom_gradient
def soft_threshold(x, width):
    y = tf.sign(x) * tf.maximum(tf.abs(x) - width, 0.0)

    def backward(upstream):
        passed = tf.cast(tf.abs(x) > width, x.dtype)
        return upstream * passed, None

    return y, backward


signal = tf.Variable([0.2, -1.5, 0.9])
width = tf.Variable(0.5)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(soft_threshold(signal, width) ** 2)

ds, dw = tape.gradient(loss, [signal, width])
print(ds.numpy(), dw)

import tensorflow as tf


def softplus(z):
    return tf.math.log(1.0 + tf.exp(z))


z = tf.Variable([-2.0, 1.0, 120.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(softplus(z))

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, z).numpy())

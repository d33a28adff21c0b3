import tensorflow as tf


def layer(z, scale, shift):
    return z * tf.exp(scale) + shift


z = tf.constant([[0.2, -1.0], [0.5, 0.3]])
scale, shift = tf.Variable([0.1, 0.2]), tf.Variable([0.0, 1.0])
with tf.GradientTape() as tape:
    out = layer(z, scale, shift)
j = tape.batch_jacobian(out, z)
log_det = tf.math.log(tf.abs(tf.linalg.det(j)) + 1e-9)
print(log_det.numpy())

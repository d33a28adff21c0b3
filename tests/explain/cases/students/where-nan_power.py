import tensorflow as tf

x = tf.Variable([-1.0, 0.0, 2.0])


def gamma_curve(v):
    curve = v**0.4
    return tf.where(v > 0.0, curve, 0.1 * v)


with tf.GradientTape() as tape:
    y = tf.reduce_sum(gamma_curve(x))
print("y:", y.numpy(), "grad:", tape.gradient(y, x).numpy())

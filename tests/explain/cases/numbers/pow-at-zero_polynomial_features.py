import tensorflow as tf

x = tf.Variable([0.0, 0.5, 2.0])
powers = tf.range(4.0)
coefficients = tf.constant([1.0, -2.0, 0.5, 0.1])
with tf.GradientTape() as tape:
    features = x[:, None] ** powers[None, :]
    curve = tf.linalg.matvec(features, coefficients)
    area = tf.reduce_sum(curve)
print(tape.gradient(area, x).numpy())

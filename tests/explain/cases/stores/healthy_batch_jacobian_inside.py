import tensorflow as tf

points = tf.Variable([[0.1, 0.5], [1.0, -0.3], [0.7, 0.2]])
with tf.GradientTape() as tape:
    polar = tf.stack([tf.norm(points, axis=1), tf.atan2(points[:, 1], points[:, 0])], axis=1)
    in_degrees = polar * tf.constant([1.0, 180.0 / 3.14159])
jacobians = tape.batch_jacobian(in_degrees, points)
print(jacobians.numpy())

import tensorflow as tf

points = tf.Variable([[0.0, 0.0], [3.0, 4.0]], name="points")
with tf.GradientTape() as tape:
    distance = tf.sqrt(tf.reduce_sum(points * points, axis=1))
    loss = tf.reduce_sum(distance)
grad = tape.gradient(loss, points)

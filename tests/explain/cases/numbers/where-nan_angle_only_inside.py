import tensorflow as tf

cosines = tf.Variable([0.3, 1.2, -0.5])
with tf.GradientTape() as tape:
    inside = tf.abs(cosines) < 1.0
    angles = tf.where(inside, tf.acos(cosines), 0.0)
    total = tf.reduce_sum(angles)
print(total.numpy(), tape.gradient(total, cosines).numpy())

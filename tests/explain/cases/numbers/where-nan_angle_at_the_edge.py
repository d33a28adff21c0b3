import tensorflow as tf

cosines = tf.Variable([0.3, 1.0, -0.5])
with tf.GradientTape() as tape:
    angles = tf.acos(cosines)
    total = tf.reduce_sum(tf.where(cosines < 1.0, angles, 0.0))
print(total.numpy(), tape.gradient(total, cosines).numpy())

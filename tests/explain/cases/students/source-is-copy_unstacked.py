import tensorflow as tf

angles = tf.Variable([0.1, 0.5, -0.3])

with tf.GradientTape() as tape:
    height = tf.reduce_sum(tf.sin(angles) * [3.0, 2.0, 1.0])

parts = tf.unstack(angles)
for i, slope in enumerate(tape.gradient(height, parts)):
    print("joint", i, slope)

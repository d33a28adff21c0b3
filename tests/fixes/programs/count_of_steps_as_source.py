import tensorflow as tf

steps = tf.Variable([3, 4])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.cast(steps, tf.float32) ** 2)
print(tape.gradient(y, steps))

import tensorflow as tf

heights = tf.Variable([0.2, 0.9, 1.0])
with tf.GradientTape() as tape:
    latitudes = tf.asin(heights)
    spread = tf.reduce_sum(latitudes**2)
print(tape.gradient(spread, heights))

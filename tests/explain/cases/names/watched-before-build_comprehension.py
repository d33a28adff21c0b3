import tensorflow as tf

dense = tf.keras.layers.Dense(1, use_bias=True)
points = tf.constant([[1.0], [2.0], [3.0]])
heights = tf.constant([[2.0], [4.5], [6.0]])

with tf.GradientTape(watch_accessed_variables=False) as tape:
    [tape.watch(weight) for weight in dense.trainable_weights]
    error = tf.reduce_mean((dense(points) - heights) ** 2)

slopes = tape.gradient(error, [dense.kernel, dense.bias])
print(slopes)

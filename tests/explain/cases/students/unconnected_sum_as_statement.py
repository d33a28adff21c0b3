import tensorflow as tf

kernel = tf.Variable([1.0, -0.5, 2.0])
smoothness = tf.Variable(0.1)

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(kernel - [0.5, 0.5, 0.5]))
    penalty = smoothness * tf.reduce_sum(tf.abs(kernel[1:] - kernel[:-1]))
    loss + penalty

d_kernel, d_smooth = tape.gradient(loss, [kernel, smoothness])
print("kernel:", d_kernel.numpy(), "smoothness:", d_smooth)

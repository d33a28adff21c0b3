import tensorflow as tf

count = tf.Variable(3)
size = tf.Variable(1.5)

with tf.GradientTape() as tape:
    area = tf.cast(count, tf.float32) * size**2
    fixed = tf.stop_gradient(area)
    cost = 2.0 * fixed + 1.0

print("cost:", cost.numpy(), tape.gradient(cost, [count, size]))

import tensorflow as tf

speed = tf.Variable([1.0, 0.5])
wind = tf.Variable(0.2)

with tf.GradientTape() as tape:
    position = tf.zeros([2])
    for _ in range(3):
        position = tf.Variable(position + 0.1 * speed - wind)
    miss = tf.reduce_sum((position - 1.0) ** 2)

print("position:", position.numpy(), tape.gradient(miss, [speed, wind]))

import tensorflow as tf

tolerance = tf.Variable(0.05)
number = tf.Variable(7.0)

with tf.GradientTape() as tape:
    root = tf.constant(3.0)
    for _ in range(20):
        better = 0.5 * (root + number / root)
        if tf.abs(better - root) < tolerance:
            break
        root = better

print("root:", root.numpy(), tape.gradient(root, [number, tolerance][::-1]))

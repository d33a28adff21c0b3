import tensorflow as tf

batches = [
    ([1.0, 2.0], [2.0, 4.1]),
    ([3.0, 4.0], [6.0, 7.9]),
    ([5.0, float("nan")], [9.8, 12.0]),
    ([7.0, 8.0], [14.2, 16.0]),
]
slope, start = tf.Variable(0.5), tf.Variable(0.0)
for xs, ys in batches:
    x, y = tf.constant(xs), tf.constant(ys)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((slope * x + start - y) ** 2)
    g_slope, g_start = tape.gradient(loss, [slope, start])
    slope.assign_sub(0.01 * g_slope)
    start.assign_sub(0.01 * g_start)
print(slope.numpy(), start.numpy())

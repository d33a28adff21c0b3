import tensorflow as tf

widths = tf.Variable([0.5, 1.5, 1.0, 2.0])
bins = [0, 1, 1, 2]
bars = tf.Variable(tf.zeros(3), trainable=False)

with tf.GradientTape() as tape:
    for k, place in enumerate(bins):
        bars.scatter_add(tf.IndexedSlices(widths[k], place))
    unevenness = tf.math.reduce_variance(bars)

print(unevenness.numpy(), tape.gradient(unevenness, widths))

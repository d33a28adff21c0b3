import tensorflow as tf

scale = tf.Variable(2.0)
x = tf.constant([0.5, -1.5, 2.5])
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        cost = tf.reduce_sum(scale * tf.abs(x - 1.0))
    slope = inner.gradient(cost, x)
print(outer.gradient(slope, x))

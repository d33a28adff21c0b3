import tensorflow as tf

w = tf.Variable([0.5, -1.0])
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(tf.nn.relu(x) * 3.0)
    slope = inner.gradient(y, x)
    total = tf.reduce_sum(slope**2)
print(outer.gradient(total, x))

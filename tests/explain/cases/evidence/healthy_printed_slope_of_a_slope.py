"""The value is shown between the two derivatives."""
import tensorflow as tf

x = tf.Variable([0.5, 1.5])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = 6.0 * tf.reduce_sum(x**3)
        print("y is", float(y))
    slope = inner.gradient(y, x)
    total = tf.reduce_sum(slope * slope)
print(outer.gradient(total, x))

import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as first:
    a = x * x
with tf.GradientTape() as second:
    b = x * 2.0
print(first.gradient(b, x))

import tensorflow as tf

x = tf.Variable([0.0, 0.5, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x**x)
print(tape.gradient(y, x))

import tensorflow as tf

x = tf.Variable(2.0, name="x")
with tf.GradientTape() as tape:
    left = tf.sin(x)
    right = tf.square(x)
    y = left * right
slope = tape.gradient(y, x)

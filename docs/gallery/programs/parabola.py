import tensorflow as tf

x = tf.Variable(3.0, name="x")
with tf.GradientTape() as tape:
    y = x * x
slope = tape.gradient(y, x)

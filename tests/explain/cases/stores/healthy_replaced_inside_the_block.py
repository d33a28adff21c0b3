import tensorflow as tf

x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    z = x
    x = x + 1.0
    y = tf.reduce_sum(x * x)
print(tape.gradient(y, z).numpy())

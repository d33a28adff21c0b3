import tensorflow as tf

w = tf.Variable([0.5, -1.0])
x = tf.constant([2.0, 1.0])

with tf.GradientTape() as tape:
    tape.watch(x)
    loss = (tf.reduce_sum(w * x) - 1.0) ** 2

grad = tape.gradient(w, loss)
print("grad:", grad)

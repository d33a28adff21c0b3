import tensorflow as tf

w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    h = w * 1e-30
    loss = tf.reduce_sum(h * h)
print(tape.gradient(loss, w))

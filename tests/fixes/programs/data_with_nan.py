import tensorflow as tf

w = tf.Variable(2.0)
x = tf.constant([1.0, float("nan"), 3.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((w * x - 1.0) ** 2)
print(tape.gradient(loss, w))

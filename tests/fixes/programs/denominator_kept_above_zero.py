import tensorflow as tf

w = tf.Variable([1.0, 2.0])
count = 0.0
with tf.GradientTape() as tape:
    share = tf.reduce_sum((w * 1e-3) / count)
print(tape.gradient(share, w))

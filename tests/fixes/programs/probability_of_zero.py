import tensorflow as tf

p = tf.Variable([0.0, 0.5])
with tf.GradientTape() as tape:
    loss = -tf.reduce_sum(tf.math.log(p))
print(tape.gradient(loss, p))

import tensorflow as tf

mean = tf.Variable(0.5)
y = tf.constant([0.2, 0.4, 30.0])
with tf.GradientTape() as tape:
    density = tf.exp(-0.5 * (y - mean) ** 2) / 2.5066
    loss = -tf.reduce_mean(tf.math.log(density))
print(tape.gradient(loss, mean))

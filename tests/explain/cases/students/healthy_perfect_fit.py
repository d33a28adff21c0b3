import tensorflow as tf

x = tf.constant([0.0, 1.0, 2.0])
y = 3.0 * x + 1.0
slope = tf.Variable(3.0)
start = tf.Variable(1.0)

with tf.GradientTape() as tape:
    error = slope * x + start - y
    loss = tf.reduce_mean(error**2)

print("loss:", loss.numpy(), [g.numpy() for g in tape.gradient(loss, [slope, start])])

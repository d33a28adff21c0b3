import tensorflow as tf

w = tf.Variable([0.5, 2.0])
with tf.GradientTape() as tape:
    pred = w * 3.0
error = pred - 1.0
squared = error**2
scaled = squared * 0.5
loss = tf.reduce_sum(scaled)
print(tape.gradient(loss, w))

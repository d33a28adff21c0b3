import tensorflow as tf

k = tf.Variable(0.8)
truth = tf.constant([2.0, 0.0, 4.0])
inputs = tf.constant([1.0, 1.0, 5.0])

with tf.GradientTape() as tape:
    guess = k * inputs
    relative = tf.abs(guess - truth) / truth
    loss = tf.reduce_mean(relative)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, k).numpy())

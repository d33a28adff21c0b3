import tensorflow as tf

energy = tf.Variable([2.0, -1.0, 0.5])

with tf.GradientTape() as tape:
    positive = tf.nn.relu(energy)
    decibel = 10.0 * tf.math.log(positive) / 2.3026
    loudness = tf.reduce_sum(tf.abs(decibel))

print("loudness:", loudness.numpy(), "grad:", tape.gradient(loudness, energy).numpy())

import tensorflow as tf

slope = tf.Variable(-1.5)
counts = tf.constant([1.0, 2.0, 0.0])
x = tf.constant([0.5, 1.0, 2.0])
with tf.GradientTape() as tape:
    rate = 1.0 + slope * x
    loss = tf.keras.losses.poisson(counts, rate)
print(loss.numpy(), tape.gradient(loss, slope).numpy())
